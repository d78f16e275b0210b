package main

import (
	"encoding/base64"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// vector is the token of the SPEC.
const vector = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." +
	"eyJpc3MiOiJwYXJrLXVzZXJzIiwic3ViIjoiMSIsInJvbGUiOiJTVVBFUlZJU09SIiwiaWF0IjoxNzAwMDAwMDAwLCJleHAiOjQxMDI0NDQ4MDB9." +
	"Xa9f7dbHrzE7YEPmdjIR4ZcCN5kAQKpw0Kc73QwHwqA"

var noon = time.Unix(2_000_000_000, 0)

func tokensAt(now time.Time) *tokens {
	return newTokens(secretOfTests, func() time.Time { return now })
}

// claimsWith are right but for what is set; what is set to nil is left out.
func claimsWith(set jwt.MapClaims) jwt.MapClaims {
	result := jwt.MapClaims{
		"iss": issuer, "sub": "7", "role": "CUSTOMER", "iat": noon.Unix(), "exp": noon.Unix() + 60,
	}
	maps.Copy(result, set)
	maps.DeleteFunc(result, func(_ string, value any) bool { return value == nil })
	return result
}

func signed(t *testing.T, method jwt.SigningMethod, key any, header map[string]any, claims jwt.MapClaims) string {
	t.Helper()
	token := jwt.NewWithClaims(method, claims)
	maps.Copy(token.Header, header)
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func tokenWith(t *testing.T, set jwt.MapClaims) string {
	t.Helper()
	return signed(t, jwt.SigningMethodHS256, []byte(secretOfTests), nil, claimsWith(set))
}

func TestTheTokenOfTheSpecIsServed(t *testing.T) {
	for _, scheme := range []string{"Bearer ", "bEARER ", "Bearer  "} {
		from, refusal := tokensAt(noon).authenticate([]string{scheme + vector})
		if refusal != nil || from != (caller{"1", "SUPERVISOR"}) {
			t.Errorf("%q: read %v, %v", scheme, from, refusal)
		}
	}
}

func TestATokenThatIsMissingIsToldFromOneThatIsWrong(t *testing.T) {
	for _, c := range []struct {
		values  []string
		refusal *problem
	}{
		{nil, tokenMissing},
		{[]string{""}, tokenMissing},
		{[]string{"Bearer"}, tokenMissing},
		{[]string{"Bearer "}, tokenMissing},
		{[]string{"Basic dTpw"}, tokenMissing},
		{[]string{vector}, tokenMissing},
		{[]string{"Bearer x"}, tokenInvalid},
		{[]string{"Bearer " + vector, "Bearer " + vector}, tokenInvalid},
	} {
		if _, refusal := tokensAt(noon).authenticate(c.values); refusal != c.refusal {
			t.Errorf("%q: %v", c.values, refusal)
		}
	}
}

func TestATokenIsGoodUntilItsLastSecond(t *testing.T) {
	token := tokenWith(t, nil)
	if _, err := tokensAt(noon.Add(59999 * time.Millisecond)).check(token); err != nil {
		t.Errorf("got error %v", err)
	}
	if _, err := tokensAt(noon.Add(60 * time.Second)).check(token); err == nil {
		t.Error("it was accepted in the second in which it expires")
	}
}

func TestOtherClaimsAreNotLookedAt(t *testing.T) {
	for _, role := range roles {
		from, err := tokensAt(noon).check(tokenWith(t, jwt.MapClaims{
			"role": role, "iat": "never", "aud": 5, "nbf": noon.Unix(), "exp": 1e300, "sub": "9999999999999999",
		}))
		if err != nil || from != (caller{"9999999999999999", role}) {
			t.Errorf("read %v, %v", from, err)
		}
	}
}

func TestWrongClaimsAreRefused(t *testing.T) {
	for name, values := range map[string][]any{
		"iss":  {nil, "Park-users", 5, "", []string{issuer}},
		"sub":  {nil, "", "0", "07", "-7", "x", "12345678901234567", " 7"},
		"role": {nil, "ADMIN", "", 5, "supervisor"},
		"exp":  {nil, "2000000060", true, noon.Unix(), noon.Unix() - 1, -1e300},
		"nbf":  {noon.Unix() + 1, "1", true, 1e300},
	} {
		for _, value := range values {
			if from, err := tokensAt(noon).check(tokenWith(t, jwt.MapClaims{name: value})); err == nil {
				t.Errorf("%s=%v: read %v", name, value, from)
			}
		}
	}
}

func TestOnlyHS256ByTheSecretIsAccepted(t *testing.T) {
	secret, good := []byte(secretOfTests), tokenWith(t, nil)
	parts := strings.Split(good, ".")
	headed := func(header string) string {
		return base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + parts[1] + "." + parts[2]
	}
	for name, token := range map[string]string{
		"two parts":      parts[0] + "." + parts[1],
		"four parts":     good + ".x",
		"no signature":   parts[0] + "." + parts[1] + ".",
		"cut":            good[:len(good)-1],
		"padded":         good + "=",
		"HS384":          signed(t, jwt.SigningMethodHS384, secret, nil, claimsWith(nil)),
		"HS512":          signed(t, jwt.SigningMethodHS512, secret, nil, claimsWith(nil)),
		"none":           signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil, claimsWith(nil)),
		"None":           headed(`{"alg":"None"}`),
		"RS256":          headed(`{"alg":"RS256"}`),
		"no alg":         headed(`{"typ":"JWT"}`),
		"another secret": signed(t, jwt.SigningMethodHS256, []byte(secretOfTests+"x"), nil, claimsWith(nil)),
		"crit":           signed(t, jwt.SigningMethodHS256, secret, map[string]any{"crit": []string{"b64"}}, claimsWith(nil)),
	} {
		if from, err := tokensAt(noon).check(token); err == nil {
			t.Errorf("%s: read %v", name, from)
		}
	}
	other := map[string]any{"kid": "1", "jku": "http://127.0.0.1:1", "x5u": "x"}
	if _, err := tokensAt(noon).check(signed(t, jwt.SigningMethodHS256, secret, other, claimsWith(nil))); err != nil {
		t.Errorf("with a kid: got error %v", err)
	}
}
