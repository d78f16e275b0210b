package main

import (
	"errors"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const issuer = "park-users"

var errCritical = errors.New("something is critical that nobody knows")

// tokens checks those of callers.
type tokens struct {
	secret []byte
	parser *jwt.Parser
}

func newTokens(secret string, now func() time.Time) *tokens {
	return &tokens{
		secret: []byte(secret),
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
			jwt.WithIssuer(issuer),
			jwt.WithExpirationRequired(),
			jwt.WithTimeFunc(now),
			// Else other last characters of a signature would do for the same bytes.
			jwt.WithStrictDecoding(),
		),
	}
}

// authenticate reads the values of Authorization. Its problem is nil where they are one valid token.
func (t *tokens) authenticate(values []string) (caller, *problem) {
	switch len(values) {
	case 0:
		return caller{}, tokenMissing
	case 1:
	default:
		return caller{}, tokenInvalid
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return caller{}, tokenMissing
	}
	from, err := t.check(token)
	if err != nil {
		return caller{}, tokenInvalid
	}
	return from, nil
}

func (t *tokens) check(token string) (caller, error) {
	var read claims
	_, err := t.parser.ParseWithClaims(token, &read, t.key)
	return read.caller, err
}

// key is the same for all tokens, whatever their header says; the library knows no crit.
func (t *tokens) key(token *jwt.Token) (any, error) {
	if _, isThere := token.Header["crit"]; isThere {
		return nil, errCritical
	}
	return t.secret, nil
}
