package main

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

func TestAKeyIsVisible(t *testing.T) {
	for _, key := range []string{"k", "!~", strings.Repeat("k", 64)} {
		read, err := idempotencyKeyOf(&http.Request{Header: http.Header{"Idempotency-Key": {key}}})
		if err != nil || read != key {
			t.Errorf("%q: read %q, %v", key, read, err)
		}
	}
	if read, err := idempotencyKeyOf(&http.Request{}); err != nil || read != "" {
		t.Errorf("read %q, %v", read, err)
	}
	for _, key := range []string{"", "a b", "é", "\x7f", strings.Repeat("k", 65)} {
		_, err := idempotencyKeyOf(&http.Request{Header: http.Header{"Idempotency-Key": {key}}})
		if err != error(malformed) {
			t.Errorf("%q: got error %v", key, err)
		}
	}
}

func TestAFingerprintIsOfTheInstant(t *testing.T) {
	of := func(facilityID int64, startsAt string, slots int64) []byte {
		instant, _ := instantOf(startsAt)
		return newReservation{facilityID, instant, slots}.fingerprint()
	}
	one := of(1, "2040-03-01T06:00:00Z", 1)
	if len(one) != 32 || !bytes.Equal(one, of(1, "2040-03-01T08:00:00+02:00", 1)) {
		t.Errorf("an offset makes another one")
	}
	for _, other := range [][]byte{
		of(2, "2040-03-01T06:00:00Z", 1), of(1, "2040-03-01T07:00:00Z", 1), of(1, "2040-03-01T06:00:00Z", 2),
	} {
		if bytes.Equal(one, other) {
			t.Errorf("another request makes the same")
		}
	}
}
