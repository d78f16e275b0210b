package main

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

func TestATokenHasFiveClaims(t *testing.T) {
	noon := time.Unix(2_000_000_000, 999)
	token, expires, err := newTokens(tokensConfig{secretOfTests, 60}, func() time.Time { return noon }).issue(7, customer)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	const expected = `{"exp":2000000060,"iat":2000000000,"iss":"park-users","role":"CUSTOMER","sub":"7"}`
	if string(payload) != expected || expires.Unix() != 2_000_000_060 || expires.Nanosecond() != 0 {
		t.Errorf("it has %s, and expires at %v", payload, expires)
	}
}
