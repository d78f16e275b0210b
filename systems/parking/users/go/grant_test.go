package main

import (
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
)

func TestAKeyHasItsForm(t *testing.T) {
	for _, key := range []string{"0123456789abcdef", strings.Repeat("aZ-9", 16)} {
		read, err := idempotencyKeyOf(&http.Request{Header: http.Header{"Idempotency-Key": {key}}})
		if err != nil || read != key {
			t.Errorf("%q: read %q, %v", key, read, err)
		}
	}
	for _, keys := range [][]string{
		nil, {""}, {"0123456789abcde"}, {strings.Repeat("a", 65)}, {"0123456789abcde_"}, {"0123456789abcde\n"},
		{"0123456789abcdef", "0123456789abcdef"},
	} {
		_, err := idempotencyKeyOf(&http.Request{Header: http.Header{"Idempotency-Key": keys}})
		if err != error(malformed) {
			t.Errorf("%q: got error %v", keys, err)
		}
	}
}

func TestADigestIsOfTheText(t *testing.T) {
	asked := grant{userIDs: []int64{4, 5}, amount: 30, reason: "welcome"}
	const ofText = "5d60b94ee89078c58ab7f4e5e8b21675e1ef91febd7fb1d73c8d4f63e27ba467" // 30|4,5|welcome
	if hex.EncodeToString(asked.digest()) != ofText {
		t.Errorf("it has %x", asked.digest())
	}
	for _, other := range []grant{
		{[]int64{5, 4}, 30, "welcome"}, {[]int64{4, 5}, -30, "welcome"}, {[]int64{4, 5}, 30, "Welcome"},
		{[]int64{45}, 30, "welcome"},
	} {
		if string(other.digest()) == string(asked.digest()) {
			t.Errorf("%v makes the same", other)
		}
	}
}
