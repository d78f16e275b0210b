package main

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// appendText writes a text as JSON, and escapes only what must be. encoding/json also escapes U+2028 and
// U+2029, which no option turns off.
func appendText(to []byte, text string) []byte {
	const digits = "0123456789abcdef"
	to = append(to, '"')
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		to = append(to, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			to = append(to, '\\', c)
		default:
			to = append(to, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	to = append(to, text[start:]...)
	return append(to, '"')
}

// withText writes what stands before a text, such as `,"name":`, and the text. Those below do likewise.
func withText(to []byte, before, text string) []byte { return appendText(append(to, before...), text) }

func withInteger(to []byte, before string, number int64) []byte {
	return strconv.AppendInt(append(to, before...), number, 10)
}

func withInstant(to []byte, before string, instant time.Time) []byte {
	to = append(append(to, before...), '"')
	return append(appendInstant(to, instant), '"')
}

// appendInstant writes the 24 characters that an instant is shown by. What is finer is cut off.
func appendInstant(to []byte, instant time.Time) []byte {
	return instant.UTC().AppendFormat(to, "2006-01-02T15:04:05.000Z")
}

// isJSON tells whether it is one value of JSON in UTF-8. encoding/json replaces what is not UTF-8 and
// escapes of lone surrogates, where they are faults here.
func isJSON(text []byte) bool {
	return utf8.Valid(text) && json.Valid(text) && !hasLoneSurrogate(text)
}

// members reads the members of an object by their exact names; encoding/json ignores case where it reads
// into a struct.
func members(value []byte) (map[string]json.RawMessage, bool) {
	if !bytes.HasPrefix(bytes.TrimLeft(value, " \t\r\n"), []byte("{")) {
		return nil, false
	}
	var object map[string]json.RawMessage
	return object, json.Unmarshal(value, &object) == nil
}

// textOf reads a value that is a text, and nothing else that would do for one.
func textOf(value json.RawMessage) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	var text string
	return text, json.Unmarshal(value, &text) == nil
}

// integerOf reads a value that is an integer in digits alone. It is not known to be in 64 bits.
func integerOf(value json.RawMessage) (number int64, isInteger, isKnown bool) {
	digits := strings.TrimPrefix(string(value), "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, false, false
	}
	number, err := strconv.ParseInt(string(value), 10, 64)
	return number, true, err == nil
}

// hasLoneSurrogate looks for an escape of half a character in a value of JSON.
func hasLoneSurrogate(value []byte) bool {
	for i := bytes.IndexByte(value, '\\'); i >= 0 && i < len(value); {
		high, isUnit := unitAt(value, i)
		low, isNext := unitAt(value, i+6)
		switch {
		case value[i] != '\\':
			i++
		case !isUnit:
			i += 2
		case high >= 0xD800 && high < 0xDC00 && isNext && low >= 0xDC00 && low < 0xE000:
			i += 12
		case high >= 0xD800 && high < 0xE000:
			return true
		default:
			i += 6
		}
	}
	return false
}

// unitAt reads the UTF-16 unit that is escaped at a place.
func unitAt(value []byte, i int) (uint64, bool) {
	if i+6 > len(value) || value[i] != '\\' || value[i+1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(value[i+2:i+6]), 16, 16)
	return unit, err == nil
}
