package main

import "testing"

func TestOnlyWhatMustBeIsEscaped(t *testing.T) {
	for text, expected := range map[string]string{
		"":                    `""`,
		"Court 1":             `"Court 1"`,
		`a"b\`:                `"a\"b\\"`,
		"\n\x1f":              `"\u000a\u001f"`,
		"<&>/\x7f\u2028é漢👩‍👩": "\"<&>/\x7f\u2028é漢👩‍👩\"",
	} {
		if written := string(appendText(nil, text)); written != expected {
			t.Errorf("%q became %s", text, written)
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
	for text, expected := range map[string]int64{
		"0": 0, "-1": -1, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
	} {
		if number, code := integerOf([]byte(text)); number != expected || code != "" {
			t.Errorf("%s became %d, %q", text, number, code)
		}
	}
	for text, expected := range map[string]string{
		`"5"`: "type", "5.5": "type", "true": "type", "1e400": "type", "[]": "type", "-": "type",
		"9223372036854775808": "range", "-9223372036854775809": "range",
	} {
		if _, code := integerOf([]byte(text)); code != expected {
			t.Errorf("%s has the fault %q", text, code)
		}
	}
}
