package main

import "testing"

func TestOnlyWhatMustBeIsEscaped(t *testing.T) {
	for text, expected := range map[string]string{
		"":                    `""`,
		"QCon":                `"QCon"`,
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
