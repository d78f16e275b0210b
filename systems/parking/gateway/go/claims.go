package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// caller is the user that a token names, as the texts that it has.
type caller struct{ id, role string }

var roles = []string{"SUPERVISOR", "CUSTOMER", "CUSTOMER_MANAGER", "PARK_MANAGER", "DEVICE"}

var idShape = regexp.MustCompile(`^[1-9][0-9]{0,15}$`)

// claims are those of a token that are looked at. The ones of the library take members in any case of letters
// and numbers that are texts.
type claims struct {
	issuer             string
	expires, notBefore *jwt.NumericDate
	// isOdd says that there is an nbf, and that it is no number.
	isOdd  bool
	caller caller
}

var (
	errClaims   = errors.New("the claims are no object")
	errNoCaller = errors.New("no user, no role, or an odd nbf")
)

// UnmarshalJSON leaves empty what is of another type.
func (c *claims) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) || json.Unmarshal(text, &members) != nil {
		return errClaims
	}
	c.issuer = textOf(members["iss"])
	c.expires = dateOf(members["exp"])
	notBefore, isThere := members["nbf"]
	c.notBefore = dateOf(notBefore)
	c.isOdd = isThere && c.notBefore == nil
	c.caller = caller{textOf(members["sub"]), textOf(members["role"])}
	return nil
}

// textOf is empty for what is no text.
func textOf(value json.RawMessage) string {
	var text string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// dateOf is nil for what is no number of seconds.
func dateOf(value json.RawMessage) *jwt.NumericDate {
	const most = 1 << 53 // Beyond, a number of JSON is not exact, and no clock will show it.
	seconds, err := strconv.ParseFloat(string(value), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return nil
	}
	seconds = max(-most, min(most, seconds))
	whole := int64(seconds)
	fraction := seconds - float64(whole)
	return &jwt.NumericDate{Time: time.Unix(whole, int64(fraction*float64(time.Second)))}
}

// Validate is asked by the library, besides its own checks.
func (c *claims) Validate() error {
	if c.isOdd || !idShape.MatchString(c.caller.id) || !slices.Contains(roles, c.caller.role) {
		return errNoCaller
	}
	return nil
}

func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) { return c.expires, nil }
func (c *claims) GetNotBefore() (*jwt.NumericDate, error)      { return c.notBefore, nil }
func (c *claims) GetIssuedAt() (*jwt.NumericDate, error)       { return nil, nil }
func (c *claims) GetIssuer() (string, error)                   { return c.issuer, nil }
func (c *claims) GetSubject() (string, error)                  { return c.caller.id, nil }
func (c *claims) GetAudience() (jwt.ClaimStrings, error)       { return nil, nil }
