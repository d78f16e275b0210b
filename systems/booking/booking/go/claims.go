package main

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// claims are those of a token that are looked at. The ones of the library take members in any case of
// letters and numbers that are texts, and would look at nbf and iat, too.
type claims struct {
	issuer, audience, subject string
	expires                   *jwt.NumericDate
	caller                    caller
}

var (
	errClaims   = errors.New("the claims are no object")
	errNoCaller = errors.New("no account, or no role")
)

// UnmarshalJSON leaves empty what is of another type.
func (c *claims) UnmarshalJSON(text []byte) error {
	object, isObject := members(text)
	if !isObject {
		return errClaims
	}
	c.issuer, _ = textOf(object["iss"])
	c.audience, _ = textOf(object["aud"])
	c.subject, _ = textOf(object["sub"])
	c.expires = dateOf(object["exp"])
	c.caller.id, _ = idOf(c.subject)
	c.caller.role, _ = textOf(object["role"])
	return nil
}

// dateOf is nil for what is no number of seconds.
func dateOf(value json.RawMessage) *jwt.NumericDate {
	const most = 1 << 53 // Beyond, a number of JSON is not exact, and no clock will show it.
	seconds, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.Abs(seconds) > most {
		return nil
	}
	whole, fraction := math.Modf(seconds)
	return &jwt.NumericDate{Time: time.Unix(int64(whole), int64(fraction*float64(time.Second)))}
}

// Validate is asked by the library, besides its own checks.
func (c *claims) Validate() error {
	if c.caller.id == 0 || !slices.Contains(roles, c.caller.role) {
		return errNoCaller
	}
	return nil
}

func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) { return c.expires, nil }
func (c *claims) GetIssuedAt() (*jwt.NumericDate, error)       { return nil, nil }
func (c *claims) GetNotBefore() (*jwt.NumericDate, error)      { return nil, nil }
func (c *claims) GetIssuer() (string, error)                   { return c.issuer, nil }
func (c *claims) GetSubject() (string, error)                  { return c.subject, nil }
func (c *claims) GetAudience() (jwt.ClaimStrings, error)       { return jwt.ClaimStrings{c.audience}, nil }
