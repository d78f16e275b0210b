package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

const (
	lowestCost      = 4
	passwordOfTests = "Loadstone#Park-1"
	// hashOfSeed is that of the password above in the seed.
	hashOfSeed = "$10$LoadstoneParkSeedSalt.vo/GxERivFmh9jg20q0DBbcJd2jCq1q"
)

func verifies(t *testing.T, hash, password string) bool {
	t.Helper()
	isRight, err := newPasswords(lowestCost, 1).verify(t.Context(), hash, password)
	if err != nil {
		t.Fatal(err)
	}
	return isRight
}

func TestAPasswordIsVerifiedByItsHash(t *testing.T) {
	hash, err := newPasswords(lowestCost, 1).hash(t.Context(), passwordOfTests)
	if err != nil || !strings.HasPrefix(hash, "$2a$04$") {
		t.Fatalf("got %s, %v", hash, err)
	}
	for _, c := range []struct {
		password string
		isRight  bool
	}{
		{passwordOfTests, true},
		{passwordOfTests + "x", false},
		{strings.ToLower(passwordOfTests), false},
		{passwordOfTests + "\x00", false},
		{passwordOfTests + "\x00" + passwordOfTests, false},
		{"", false},
	} {
		if verifies(t, hash, c.password) != c.isRight {
			t.Errorf("%q: %v", c.password, !c.isRight)
		}
	}
}

func TestWhatIsBehindTheLastHashedByteCounts(t *testing.T) {
	longest := strings.Repeat("é", 36)
	hash, err := newPasswords(lowestCost, 1).hash(t.Context(), longest)
	if err != nil || !verifies(t, hash, longest) || verifies(t, hash, longest+"a") {
		t.Errorf("%s, %v", hash, err)
	}
}

func TestBothNamesOfTheFormatAreVerified(t *testing.T) {
	for _, name := range []string{"$2a", "$2b"} {
		if !verifies(t, name+hashOfSeed, passwordOfTests) || verifies(t, name+hashOfSeed, "Loadstone#Park-2") {
			t.Errorf("%s is not verified", name)
		}
	}
}

func TestAUserWhoIsNotThereHasNoPassword(t *testing.T) {
	if verifies(t, "", passwordOfTests) || verifies(t, "", "") {
		t.Error("a password was right")
	}
}

func TestACallerWhoIsGoneIsNotWaitedFor(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	full := newPasswords(lowestCost, 0)
	if _, err := full.hash(gone, passwordOfTests); !errors.Is(err, errCallerGone) {
		t.Errorf("got error %v", err)
	}
	if _, err := full.verify(gone, "", passwordOfTests); !errors.Is(err, errCallerGone) {
		t.Errorf("got error %v", err)
	}
}

func TestAPlaceIsGivenBack(t *testing.T) {
	one := newPasswords(lowestCost, 1)
	for range 2 {
		if _, err := one.hash(t.Context(), strings.Repeat("a", longestHashed+1)); err == nil {
			t.Error("a password that is too long was hashed")
		}
		if _, err := one.verify(t.Context(), "", passwordOfTests); err != nil {
			t.Errorf("got error %v", err)
		}
	}
}
