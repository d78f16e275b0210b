package main

import (
	"testing"
	"time"
)

var start = time.Unix(0, 0)

// attempt makes one that ends at once, and tells whether it was let through.
func attempt(b *breaker, hasFailed bool, now time.Time) bool {
	permit, isGiven := b.ask(now)
	if isGiven {
		b.count(permit, hasFailed, now)
	}
	return isGiven
}

func opened() *breaker {
	b := &breaker{}
	for range breakerFailures {
		attempt(b, true, start)
	}
	return b
}

func TestTenOfTheLastTwentyOpenIt(t *testing.T) {
	b := &breaker{}
	for i := range 100 { // nine of any twenty
		if !attempt(b, i%20 < 9, start) {
			t.Fatalf("attempt %d was not let through", i)
		}
	}
	for range 9 {
		attempt(b, true, start)
	}
	attempt(b, true, start)
	if attempt(b, false, start.Add(breakerRest-1)) {
		t.Error("it let one through while open")
	}
}

func TestAfterTheRestOneAttemptDecides(t *testing.T) {
	b, later := opened(), start.Add(breakerRest)
	probe, isGiven := b.ask(later)
	if !isGiven {
		t.Fatal("it let none through after the rest")
	}
	if attempt(b, false, later) {
		t.Error("it let a second one through")
	}
	b.count(probe, true, later)
	if attempt(b, false, later.Add(breakerRest-1)) {
		t.Error("it did not rest again")
	}
	for i := range breakerFailures {
		if !attempt(b, i > 0, later.Add(breakerRest)) {
			t.Errorf("attempt %d was not let through once closed", i)
		}
	}
}

func TestAnAttemptThatWasBrokenOffDecidesNothing(t *testing.T) {
	b, later := opened(), start.Add(breakerRest)
	probe, _ := b.ask(later)
	b.forget(probe)
	if !attempt(b, false, later) {
		t.Error("no other attempt took its place")
	}
}

func TestAnAttemptOfAPeriodThatIsOverDoesNotCount(t *testing.T) {
	b := &breaker{}
	old, _ := b.ask(start)
	for range breakerFailures {
		attempt(b, true, start)
	}
	b.count(old, false, start)
	if attempt(b, false, start) {
		t.Error("it was closed by what began before it opened")
	}
}
