package main

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var noon = time.Unix(2_000_000_000, 0)

func tokensAt(now time.Time) *tokens {
	return newTokens(tokensConfig{secretOfTests, 60}, func() time.Time { return now })
}

// claimsWith are right but for what is set; what is set to nil is left out.
func claimsWith(set jwt.MapClaims) jwt.MapClaims {
	result := jwt.MapClaims{
		"iss": issuer, "aud": issuer, "sub": "7", "role": owner, "iat": noon.Unix(), "exp": noon.Unix() + 60,
	}
	maps.Copy(result, set)
	maps.DeleteFunc(result, func(_ string, value any) bool { return value == nil })
	return result
}

func signed(t *testing.T, method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
	t.Helper()
	token, err := jwt.NewWithClaims(method, claims).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestATokenHasSixClaims(t *testing.T) {
	token, err := tokensAt(noon).issue(caller{7, player})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	const expected = `{"aud":"booking","exp":2000000060,"iat":2000000000,"iss":"booking","role":"player","sub":"7"}`
	if string(payload) != expected {
		t.Errorf("it has %s", payload)
	}
	if from, err := tokensAt(noon.Add(59 * time.Second)).check(token); err != nil || from != (caller{7, player}) {
		t.Errorf("read %v, %v", from, err)
	}
	if _, err := tokensAt(noon.Add(60 * time.Second)).check(token); err == nil {
		t.Error("it was accepted in the second in which it expires")
	}
}

func TestOtherClaimsAreNotLookedAt(t *testing.T) {
	token := signed(t, jwt.SigningMethodHS256, []byte(secretOfTests), claimsWith(jwt.MapClaims{
		"iat": "never", "nbf": noon.Unix() + 50, "jti": 5, "exp": 2000000000.5,
	}))
	if from, err := tokensAt(noon).check(token); err != nil || from != (caller{7, owner}) {
		t.Errorf("read %v, %v", from, err)
	}
}

func TestWrongClaimsAreRefused(t *testing.T) {
	for name, values := range map[string][]any{
		"iss":  {nil, "Booking", 5, "", []string{issuer}},
		"aud":  {nil, "other", 5, ""},
		"sub":  {nil, 7, "", "0", "07", "-7", "x", "12345678901234567"},
		"role": {nil, "admin", "", 5, "Owner"},
		"exp":  {nil, "2000000060", true, noon.Unix(), 1e300, -1},
	} {
		for _, value := range values {
			token := signed(t, jwt.SigningMethodHS256, []byte(secretOfTests), claimsWith(jwt.MapClaims{name: value}))
			if from, err := tokensAt(noon).check(token); err == nil {
				t.Errorf("%s=%v: read %v", name, value, from)
			}
		}
	}
}

func TestNamesOfClaimsAreExact(t *testing.T) {
	token := signed(t, jwt.SigningMethodHS256, []byte(secretOfTests), claimsWith(jwt.MapClaims{"sub": nil, "Sub": "7"}))
	if from, err := tokensAt(noon).check(token); err == nil {
		t.Errorf("read %v", from)
	}
}

func TestOnlyHS256ByTheSecretIsAccepted(t *testing.T) {
	good := signed(t, jwt.SigningMethodHS256, []byte(secretOfTests), claimsWith(nil))
	parts := strings.Split(good, ".")
	none, _ := json.Marshal(map[string]string{"alg": "NONE"})
	for name, token := range map[string]string{
		"empty":          "",
		"two parts":      parts[0] + "." + parts[1],
		"no signature":   parts[0] + "." + parts[1] + ".",
		"HS384":          signed(t, jwt.SigningMethodHS384, []byte(secretOfTests), claimsWith(nil)),
		"HS512":          signed(t, jwt.SigningMethodHS512, []byte(secretOfTests), claimsWith(nil)),
		"none":           signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claimsWith(nil)),
		"NONE":           base64.RawURLEncoding.EncodeToString(none) + "." + parts[1] + ".",
		"another secret": signed(t, jwt.SigningMethodHS256, []byte(secretOfTests+"x"), claimsWith(nil)),
		"padded":         good + "=",
		"null":           parts[0] + ".bnVsbA." + parts[2],
	} {
		if from, err := tokensAt(noon).check(token); err == nil {
			t.Errorf("%s: read %v", name, from)
		}
	}
	// Four last characters stand for the same bytes; only one of them is right.
	for _, last := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
		changed := good[:len(good)-1] + string(last)
		if _, err := tokensAt(noon).check(changed); (err == nil) != (changed == good) {
			t.Errorf("ending in %c: got error %v", last, err)
		}
	}
}
