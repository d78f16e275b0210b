package main

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// The roles of accounts.
const (
	player = "player"
	owner  = "owner"
)

var roles = []string{player, owner}

// caller is the account that a request came from, as its token says.
type caller struct {
	id   int64
	role string
}

// issuer is also the audience of every token.
const issuer = "booking"

// tokens issue and check those of accounts, without a look into the database.
type tokens struct {
	secret          []byte
	lifetimeSeconds int
	now             func() time.Time
	parser          *jwt.Parser
}

func newTokens(config tokensConfig, now func() time.Time) *tokens {
	return &tokens{
		secret:          []byte(config.secret),
		lifetimeSeconds: config.lifetimeSeconds,
		now:             now,
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
			jwt.WithIssuer(issuer),
			jwt.WithAudience(issuer),
			jwt.WithExpirationRequired(),
			jwt.WithTimeFunc(now),
			// Else other last characters of a signature would do for the same bytes.
			jwt.WithStrictDecoding(),
		),
	}
}

func (t *tokens) issue(of caller) (string, error) {
	issued := t.now().Unix()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"iss":  issuer,
		"aud":  issuer,
		"sub":  strconv.FormatInt(of.id, 10),
		"role": of.role,
		"iat":  issued,
		"exp":  issued + int64(t.lifetimeSeconds),
	}).SignedString(t.secret)
}

func (t *tokens) check(token string) (caller, error) {
	var read claims
	_, err := t.parser.ParseWithClaims(token, &read, func(*jwt.Token) (any, error) { return t.secret, nil })
	return read.caller, err
}

type callerKey struct{}

// authenticate is the middleware of all that needs a token. It refuses a request without a valid one.
func (t *tokens) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			unauthenticated.send(w)
			return
		}
		from, err := t.check(strings.TrimSpace(token))
		if err != nil {
			unauthenticated.send(w)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, from)))
	})
}

// only is the middleware, behind the other one, of what one role may do.
func only(role string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if callerOf(r).role != role {
				forbidden.send(w)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// callerOf is for requests that were authenticated.
func callerOf(r *http.Request) caller { return r.Context().Value(callerKey{}).(caller) }
