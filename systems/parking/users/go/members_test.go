package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const astral = "𝒳"

// expectFaults holds what is read of a body against its faults, of which a right one has none.
func expectFaults[T any](t *testing.T, read func(*object) T, body string, expected ...fault) {
	t.Helper()
	_, err := readObject([]byte(body), read)
	var refused *problem
	switch {
	case err == nil:
		if len(expected) > 0 {
			t.Errorf("%s: no fault", body)
		}
	case !errors.As(err, &refused) || refused.status != 422 || !slices.Equal(refused.faults, expected):
		t.Errorf("%s: got error %v of %+v", body, err, refused)
	}
}

// expectProblem holds bodies that are refused as a whole.
func expectProblem[T any](t *testing.T, read func(*object) T, expected *problem, bodies ...string) {
	t.Helper()
	for _, body := range bodies {
		if _, err := readObject([]byte(body), read); err != error(expected) {
			t.Errorf("%s: got error %v", body, err)
		}
	}
}

// userWith is a body of create-user that is right, but for a member whose value is another one; "" leaves it out.
func userWith(member, value string) string {
	members := [][2]string{
		{"firstName", `"Ada"`}, {"lastName", `"Lund"`}, {"email", `"ada@park.example"`}, {"password", `"Loadstone#Park-2"`},
		{"nif", "799999999"}, {"licensePlateNumber", `"LB-00001"`}, {"vehicleType", `"AUTOMOBILE"`},
		{"vehicleEnergySource", `"ELECTRIC"`}, {"paymentMethod", `"NOT_DEFINED"`},
	}
	var parts []string
	for _, one := range members {
		if one[0] == member {
			one[1] = value
		}
		if one[1] != "" {
			parts = append(parts, `"`+one[0]+`":`+one[1])
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func TestAUserIsRead(t *testing.T) {
	read, err := readObject([]byte(userWith("", "")), readNewUser)
	expected := newUser{
		firstName: "Ada", lastName: "Lund", email: "ada@park.example", password: "Loadstone#Park-2", nif: 799_999_999,
		vehicle: vehicle{"LB-00001", 0, 2}, paymentMethod: 3,
	}
	if err != nil || read != expected {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestTheFirstFaultOfAMemberIsTold(t *testing.T) {
	quoted := func(text string) string { return `"` + text + `"` }
	for _, c := range []struct{ member, value, code string }{
		{"firstName", "", "required"}, {"firstName", "null", "required"}, {"firstName", `""`, "too-short"},
		{"firstName", quoted(strings.Repeat(astral, 61)), "too-long"}, {"lastName", `"\u0000"`, "characters"},
		{"lastName", `"a\u0085"`, "characters"}, {"email", `"a@"`, "too-short"},
		{"email", quoted(strings.Repeat("a", 39) + "@b"), "too-long"}, {"email", `"ä@b"`, "characters"},
		{"email", `"a b@c"`, "characters"}, {"email", `"abc"`, "format"}, {"email", `"a@b@c"`, "format"},
		{"email", `"@bc"`, "format"}, {"email", `"ab@"`, "format"}, {"password", `"Short#pass"`, "too-short"},
		{"password", `"Much-too-long-20-xyz"`, "too-long"}, {"password", `"with Blank-1"`, "characters"},
		{"password", `"WITHOUT-SMALL"`, "weak"}, {"password", `"without-capital"`, "weak"},
		{"password", `"WithoutSymbol1"`, "weak"}, {"nif", "99999999", "range"}, {"nif", "1000000000", "range"},
		{"nif", "9223372036854775808", "range"}, {"licensePlateNumber", `"LA-0001"`, "format"},
		{"licensePlateNumber", `"la-00001"`, "format"}, {"licensePlateNumber", `"LA-00001\n"`, "format"},
		{"vehicleType", `"TRUCK"`, "unknown-value"}, {"vehicleEnergySource", `"fuel"`, "unknown-value"},
		{"paymentMethod", `""`, "unknown-value"},
	} {
		expectFaults(t, readNewUser, userWith(c.member, c.value), fault{"/" + c.member, c.code})
	}
	for _, c := range []struct{ member, value string }{
		{"firstName", quoted(strings.Repeat(astral, 60))}, {"lastName", `" "`}, {"email", `"a@b"`},
		{"email", quoted(strings.Repeat("a", 38) + "@b")}, {"password", `"Elevenchar~"`}, {"nif", "100000000"},
		{"licensePlateNumber", `"LZ-99999"`},
	} {
		expectFaults(t, readNewUser, userWith(c.member, c.value))
	}
}

func TestFaultsAreInTheOrderOfMembers(t *testing.T) {
	expectFaults(t, readVehicle("LA-00001"), `{"vehicleEnergySource":"x"}`,
		fault{"/vehicleType", "required"}, fault{"/vehicleEnergySource", "unknown-value"})
	expectFaults(t, readDebit, `{"maxCoins":-1,"reference":"","userId":0}`,
		fault{"/userId", "range"}, fault{"/reference", "too-short"}, fault{"/maxCoins", "range"})
	expectFaults(t, readDebit, `{"userId":1,"reference":"a b","maxCoins":1000000}`, fault{"/reference", "characters"})
	expectFaults(t, readCredentials, `{"email":null}`, fault{"/email", "required"}, fault{"/password", "required"})
}

func TestABodyOfAnotherFormIsMalformed(t *testing.T) {
	expectProblem(t, readCredentials, malformed,
		`[]`, `null`, `"email"`, `1`, strings.Repeat("[", 7000)+strings.Repeat("]", 7000),
		`{"email":5,"password":"p"}`, `{"email":"e","password":["p"]}`)
	expectProblem(t, readNewUser, malformed,
		userWith("nif", `"700000007"`), userWith("nif", "7.5"), userWith("nif", "true"), userWith("nif", "1e400"),
		userWith("firstName", "5"), userWith("vehicleType", "{}"))
	expectProblem(t, readGrant, malformed,
		`{"userIds":5,"amount":1,"reason":"r"}`, `{"userIds":{},"amount":1,"reason":"r"}`,
		`{"userIds":["1"],"amount":1,"reason":"r"}`, `{"userIds":[null],"amount":1,"reason":"r"}`)
}

func TestAMemberThatIsNotNamedIsRefused(t *testing.T) {
	expectProblem(t, readCredentials, unknownMember,
		`{"email":"e","password":"p","role":"SUPERVISOR"}`, `{"Email":"e","email":"e","password":"p"}`,
		`{"email":null,"coins":null}`)
}

func TestCredentialsAreAnyTexts(t *testing.T) {
	expectFaults(t, readCredentials, `{"email":"","password":"\u0000"}`)
}

func TestAGrantIsRead(t *testing.T) {
	const behind = `,"amount":1,"reason":"r"}`
	expectFaults(t, readGrant, `{"userIds":[2,1],"amount":-1000000,"reason":"r"}`)
	expectFaults(t, readGrant, `{"userIds":[9223372036854775807,1]`+behind)
	expectFaults(t, readGrant, `{"userIds":[],"amount":0,"reason":""}`,
		fault{"/userIds", "too-short"}, fault{"/amount", "range"}, fault{"/reason", "too-short"})
	expectFaults(t, readGrant, `{"userIds":[1`+strings.Repeat(",1", 100)+`],"amount":1000001,"reason":"\u007f"}`,
		fault{"/userIds", "too-long"}, fault{"/amount", "range"}, fault{"/reason", "characters"})
	expectFaults(t, readGrant, `{"userIds":[1,0]`+behind, fault{"/userIds", "range"})
	expectFaults(t, readGrant, `{"userIds":[9223372036854775808]`+behind, fault{"/userIds", "range"})
	expectFaults(t, readGrant, `{"userIds":[3,1,3]`+behind, fault{"/userIds", "duplicate"})
	expectFaults(t, readGrant, `{"userIds":[1],"reason":"`+strings.Repeat(astral, 201)+`"}`,
		fault{"/amount", "required"}, fault{"/reason", "too-long"})
}

func TestOnlyThreePaymentMethodsAreChosen(t *testing.T) {
	read := func(o *object) int16 { return o.word("paymentMethod", chosenMethods) }
	for place, word := range []string{"CREDIT", "DEBIT", "PAYPAL"} {
		if chosen, err := readObject([]byte(`{"paymentMethod":"`+word+`"}`), read); err != nil || chosen != int16(place) {
			t.Errorf("%s: read %d, %v", word, chosen, err)
		}
	}
	expectFaults(t, read, `{"paymentMethod":"NOT_DEFINED"}`, fault{"/paymentMethod", "unknown-value"})
}
