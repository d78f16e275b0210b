package main

import (
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const issuer = "park-users"

// tokens issues those of users. It is the gateway that verifies them.
type tokens struct {
	secret          []byte
	lifetimeSeconds int
	now             func() time.Time
}

func newTokens(config tokensConfig, now func() time.Time) *tokens {
	return &tokens{[]byte(config.secret), config.lifetimeSeconds, now}
}

// issue returns a token and when it expires.
func (t *tokens) issue(id int64, role string) (string, time.Time, error) {
	issued := t.now().Unix()
	expires := issued + int64(t.lifetimeSeconds)
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"iss":  issuer,
		"sub":  strconv.FormatInt(id, 10),
		"role": role,
		"iat":  issued,
		"exp":  expires,
	}).SignedString(t.secret)
	return token, time.Unix(expires, 0), err
}
