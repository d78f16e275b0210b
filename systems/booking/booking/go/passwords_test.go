package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

const lowestCost = 4

func verifies(t *testing.T, hash, password string) bool {
	t.Helper()
	isRight, err := newPasswords(lowestCost, 1).verify(t.Context(), hash, password)
	if err != nil {
		t.Fatal(err)
	}
	return isRight
}

func TestAPasswordIsVerifiedByItsHash(t *testing.T) {
	longest := strings.Repeat("é", 36)
	hash, err := newPasswords(lowestCost, 1).hash(t.Context(), longest)
	if err != nil || !strings.HasPrefix(hash, "$2a$04$") {
		t.Fatalf("got %s, %v", hash, err)
	}
	for password, isRight := range map[string]bool{
		longest: true, longest + "a": false, strings.Repeat("é", 35) + "ab": false, "": false,
	} {
		if verifies(t, hash, password) != isRight {
			t.Errorf("%q: %v", password, !isRight)
		}
	}
}

func TestBothNamesOfTheFormatAreVerified(t *testing.T) {
	const tail = "$04$courtsidecourtsidecouuDPA1CyCaj1RGbCiy4psmRUKp0EtfvEq"
	for _, name := range []string{"$2a", "$2b"} {
		if !verifies(t, name+tail, "court-side-2040") || verifies(t, name+tail, "court-side-2041") {
			t.Errorf("%s is not verified", name)
		}
	}
}

func TestAnAccountThatIsNotThereHasNoPassword(t *testing.T) {
	if verifies(t, "", "court-side-2040") || verifies(t, "", "") {
		t.Error("a password was right")
	}
}

func TestACallerWhoIsGoneIsNotWaitedFor(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	full := newPasswords(lowestCost, 0)
	if _, err := full.hash(gone, "court-side-2040"); !errors.Is(err, errCallerGone) {
		t.Errorf("got error %v", err)
	}
	if _, err := full.verify(gone, "", "court-side-2040"); !errors.Is(err, errCallerGone) {
		t.Errorf("got error %v", err)
	}
}

func TestAPlaceIsGivenBack(t *testing.T) {
	one := newPasswords(lowestCost, 1)
	for range 2 {
		if _, err := one.hash(t.Context(), strings.Repeat("a", longestPassword+1)); err == nil {
			t.Error("a password that is too long was hashed")
		}
		if _, err := one.verify(t.Context(), "", "court-side-2040"); err != nil {
			t.Errorf("got error %v", err)
		}
	}
}
