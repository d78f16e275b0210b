package main

import (
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
)

// accounts are the operations on accounts. No connection is held while a password is hashed.
type accounts struct {
	pool      *pool
	tokens    *tokens
	passwords *passwords
}

func (a *accounts) signUp(r *http.Request) (answer, error) {
	asked, err := readBody(r, readAccount)
	if err != nil {
		return answer{}, err
	}
	hash, err := a.passwords.hash(r.Context(), asked.password)
	if err != nil {
		return answer{}, err
	}
	made, err := use(r.Context(), a.pool, func(s *session) (account, error) {
		made, err := first(s, scanAccount, insertAccount, asked.email, asked.name, hash, asked.role)
		return made, without(err, emailTaken)
	})
	return answer{status: http.StatusCreated, body: made.appendTo(nil)}, err
}

func (a *accounts) logIn(r *http.Request) (answer, error) {
	given, err := readBody(r, readCredentials)
	if err != nil {
		return answer{}, err
	}
	stored, err := use(r.Context(), a.pool, func(s *session) (storedPassword, error) {
		stored, err := first(s, scanPassword, selectPassword, given.email)
		if errors.Is(err, pgx.ErrNoRows) {
			return storedPassword{}, nil
		}
		return stored, err
	})
	if err != nil {
		return answer{}, err
	}
	isRight, err := a.passwords.verify(r.Context(), stored.hash, given.password)
	if err != nil {
		return answer{}, err
	}
	if !isRight {
		return answer{}, badCredentials
	}
	token, err := a.tokens.issue(stored.of)
	body := withText(nil, `{"token":`, token)
	body = withInteger(body, `,"token_type":"Bearer","expires_in":`, int64(a.tokens.lifetimeSeconds))
	return ok(append(body, '}')), err
}

func (a *accounts) me(r *http.Request) (answer, error) {
	found, err := use(r.Context(), a.pool, func(s *session) (account, error) {
		found, err := first(s, scanAccount, selectAccount, callerOf(r).id)
		return found, without(err, unauthenticated)
	})
	return ok(found.appendTo(nil)), err
}
