package main

import (
	"testing"
	"time"
)

func TestOnlyWhatMustBeIsEscaped(t *testing.T) {
	for _, c := range []struct{ text, expected string }{
		{"", `""`},
		{"Orla", `"Orla"`},
		{`a"b\`, `"a\"b\\"`},
		{"\n\x1f", `"\u000a\u001f"`},
		{"<&>/\x7f\u2028é漢👩‍👩", "\"<&>/\x7f\u2028é漢👩‍👩\""},
	} {
		if written := string(appendText(nil, c.text)); written != c.expected {
			t.Errorf("%q became %s", c.text, written)
		}
	}
}

func TestJSONIsOneValueInUTF8(t *testing.T) {
	for _, text := range []string{`{}`, ` [1] `, `"\ud83d\ude00"`, `"\\ud800"`, `"\u00e9\\"`} {
		if !isJSON([]byte(text)) {
			t.Errorf("%s was refused", text)
		}
	}
	for _, text := range []string{
		``, `{} {}`, "\"\xbf'\"", "\"\xc0\xaf\"", `"\ud800"`, `"\udc00"`, `"\ud800\ud800"`, `"\ud800a"`,
		`"\\\ud800"`, `"\ude00\ud83d"`,
	} {
		if isJSON([]byte(text)) {
			t.Errorf("%s was accepted", text)
		}
	}
}

func TestAnIntegerIsInDigitsAlone(t *testing.T) {
	for _, c := range []struct {
		text               string
		number             int64
		isInteger, isKnown bool
	}{
		{"0", 0, true, true},
		{"-1", -1, true, true},
		{"9223372036854775807", 1<<63 - 1, true, true},
		{"9223372036854775808", 1<<63 - 1, true, false},
		{`"5"`, 0, false, false},
		{"5.5", 0, false, false},
		{"5.0", 0, false, false},
		{"1e400", 0, false, false},
		{"true", 0, false, false},
		{"null", 0, false, false},
		{"-", 0, false, false},
	} {
		number, isInteger, isKnown := integerOf([]byte(c.text))
		if number != c.number || isInteger != c.isInteger || isKnown != c.isKnown {
			t.Errorf("%s became %d, %v, %v", c.text, number, isInteger, isKnown)
		}
	}
}

func TestAnInstantIsCutOff(t *testing.T) {
	berlin := time.FixedZone("", 3600)
	instant := time.Date(2026, 1, 31, 9, 5, 9, 120_999_999, berlin)
	if shown := string(appendInstant(nil, instant)); shown != "2026-01-31T08:05:09.120Z" {
		t.Errorf("it is shown as %s", shown)
	}
}
