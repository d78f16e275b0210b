package main

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/crypto/bcrypt"
)

const (
	passwordCost = 10
	// Bytes of UTF-8. bcrypt does not look at those behind the last.
	longestHashed = 72
)

// passwords computes each hash in the goroutine of its request, at most so many at once; further ones wait
// there. A hash that others wait for makes way after 10 ms (forcePreemptNS in runtime/proc.go).
type passwords struct {
	cost int
	// dummy has the form of a hash, and is that of no password.
	dummy string
	// places has an element for each hash that is being computed.
	places chan struct{}
}

func newPasswords(cost, mostAtOnce int) *passwords {
	return &passwords{
		cost:   cost,
		dummy:  fmt.Sprintf("$2b$%02d$%s", cost, strings.Repeat(".", 53)),
		places: make(chan struct{}, mostAtOnce),
	}
}

// take waits for a place, or returns when the caller went away before there was one.
func (p *passwords) take(ctx context.Context) error {
	select {
	case p.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errCallerGone
	}
}

func (p *passwords) giveBack() { <-p.places }

func (p *passwords) hash(ctx context.Context, password string) (string, error) {
	if err := p.take(ctx); err != nil {
		return "", err
	}
	defer p.giveBack()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), p.cost)
	return string(hash), err
}

// verify costs as much for a user who is not there, whose hash is empty.
func (p *passwords) verify(ctx context.Context, hash, password string) (bool, error) {
	isThere := hash != ""
	if !isThere {
		hash = p.dummy
	}
	if err := p.take(ctx); err != nil {
		return false, err
	}
	defer p.giveBack()
	isRight := bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
	// bcrypt repeats a password, with a zero byte between: one that has such bytes may be another one repeated.
	isWhole := len(password) <= longestHashed && !strings.ContainsRune(password, 0)
	return isThere && isRight && isWhole, nil
}
