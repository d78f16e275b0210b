package main

import (
	"crypto/subtle"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// caller is the user that a request comes from, as the gateway says.
type caller struct {
	id   int64
	role string
}

// guard refuses a request that may not be made by whoever made it.
type guard func(*http.Request) (caller, error)

// rule tells whether a caller may make a request.
type rule func(*http.Request, caller) bool

// anyone lets everybody pass, and looks at no identity.
func anyone(*http.Request) (caller, error) { return caller{}, nil }

// callers lets those pass that a rule is for.
func callers(may rule) guard {
	return func(r *http.Request) (caller, error) {
		from, err := callerOf(r.Header)
		if err == nil && !may(r, from) {
			err = forbidden
		}
		return from, err
	}
}

// services lets those pass that send the key, and looks at no identity.
func services(key string) guard {
	return func(r *http.Request) (caller, error) {
		sent := r.Header["X-Internal-Key"]
		if len(sent) != 1 || subtle.ConstantTimeCompare([]byte(sent[0]), []byte(key)) == 0 {
			return caller{}, forbidden
		}
		return caller{}, nil
	}
}

// own is for the user of the path, of any role.
func own(r *http.Request, from caller) bool { return from.id == pathID(r) }

func only(allowed ...string) rule {
	return func(_ *http.Request, from caller) bool { return slices.Contains(allowed, from.role) }
}

func either(one, other rule) rule {
	return func(r *http.Request, from caller) bool { return one(r, from) || other(r, from) }
}

func both(one, other rule) rule {
	return func(r *http.Request, from caller) bool { return one(r, from) && other(r, from) }
}

// callerOf believes what the gateway has set. One field that is missing is told before one that is odd.
func callerOf(header http.Header) (caller, error) {
	ids, givenRoles := header["X-User-Id"], header["X-User-Role"]
	if len(ids) == 0 || len(givenRoles) == 0 {
		return caller{}, tokenMissing
	}
	id, isID := idOf(ids[0])
	role := givenRoles[0]
	isRole := role == device || slices.Contains(roles, role)
	if len(ids) > 1 || len(givenRoles) > 1 || !isID || !isRole {
		return caller{}, tokenInvalid
	}
	return caller{id, role}, nil
}

// idOf reads an id, which is [1-9][0-9]{0,15}.
func idOf(text string) (int64, bool) {
	const longestID = 16
	if text == "" || len(text) > longestID || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil
}
