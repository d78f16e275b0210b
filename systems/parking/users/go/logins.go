package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
)

const selectLogin = `SELECT id, first_name, last_name, password_hash, role, status FROM app_user
  WHERE lower(email) = lower($1)`

// logins is the operation that gives tokens. No connection is held while a password is hashed.
type logins struct {
	pool      *pool
	passwords *passwords
	tokens    *tokens
}

// credentials are what a log-in has, any texts.
type credentials struct{ email, password string }

func readCredentials(o *object) credentials {
	return credentials{email: o.text("email", anyText), password: o.text("password", anyText)}
}

// account is what a log-in is held against; its hash is empty where there is none.
type account struct {
	user user
	hash string
}

func scanAccount(row pgx.Row) (account, error) {
	var a account
	err := row.Scan(&a.user.id, &a.user.firstName, &a.user.lastName, &a.hash, &a.user.role, &a.user.status)
	return a, err
}

func (l *logins) login(r *http.Request, _ caller) (answer, error) {
	given, err := readBody(r, readCredentials)
	if err != nil {
		return answer{}, err
	}
	found, err := l.find(r.Context(), given.email)
	if err != nil {
		return answer{}, err
	}
	isRight, err := l.passwords.verify(r.Context(), found.hash, given.password)
	switch {
	case err != nil:
		return answer{}, err
	case !isRight:
		return answer{}, wrongCredentials
	case userStatuses[found.user.status] != enabled:
		return answer{}, accountBlocked
	}
	token, expires, err := l.tokens.issue(found.user.id, roles[found.user.role])
	body := withText(nil, `{"token":`, token)
	body = withText(body, `,"name":`, found.user.name())
	body = withInstant(body, `,"expiresAt":`, expires)
	return ok(append(body, '}')), err
}

// find asks for no e-mail address that no user can have.
func (l *logins) find(ctx context.Context, email string) (account, error) {
	if emailFault(email) != "" {
		return account{}, nil
	}
	return use(ctx, l.pool, func(s *session) (account, error) {
		found, err := first(s, scanAccount, selectLogin, email)
		if errors.Is(err, pgx.ErrNoRows) {
			return account{}, nil
		}
		return found, err
	})
}
