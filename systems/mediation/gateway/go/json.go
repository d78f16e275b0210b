package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSON value as the conversion needs it: object, array, or the text of all else. encoding/json has no
// value that keeps the order of members.
type (
	object []member
	array  []any
	member struct {
		key   string
		value any
	}
)

var (
	errNotJSON       = errors.New("the body is not JSON")
	errHalfCharacter = errors.New("the body has half a surrogate pair")
)

// parse reads one value and refuses whatever stands behind it. encoding/json sets the limit of nesting.
func parse(body []byte) (any, error) {
	// The decoder would put U+FFFD in place of what is not UTF-8, and not look behind the value.
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, errNotJSON
	}
	tokens := &tokenReader{decoder: json.NewDecoder(bytes.NewReader(body)), body: body}
	tokens.decoder.UseNumber()
	return tokens.value()
}

type tokenReader struct {
	decoder *json.Decoder
	body    []byte
}

func (r *tokenReader) value() (any, error) {
	token, err := r.next()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return r.object()
		}
		return r.array()
	case string:
		return token, nil
	case json.Number:
		return token.String(), nil
	case bool:
		return strconv.FormatBool(token), nil
	case nil:
		return "", nil
	default:
		return nil, fmt.Errorf("encoding/json has a new token %T", token)
	}
}

func (r *tokenReader) object() (object, error) {
	members := object{}
	for r.decoder.More() {
		key, err := r.next()
		if err != nil {
			return nil, err
		}
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		members = append(members, member{key.(string), value})
	}
	_, err := r.next()
	return members, err
}

func (r *tokenReader) array() (array, error) {
	entries := array{}
	for r.decoder.More() {
		value, err := r.value()
		if err != nil {
			return nil, err
		}
		entries = append(entries, value)
	}
	_, err := r.next()
	return entries, err
}

func (r *tokenReader) next() (json.Token, error) {
	from := r.decoder.InputOffset()
	token, err := r.decoder.Token()
	// Where half a surrogate pair was written, the decoder leaves U+FFFD.
	if text, ok := token.(string); ok && strings.ContainsRune(text, utf8.RuneError) {
		if hasHalfPair(r.body[from:r.decoder.InputOffset()]) {
			return nil, errHalfCharacter
		}
	}
	return token, err
}

// hasHalfPair looks for an escaped surrogate without its other half in what is known to be valid JSON.
func hasHalfPair(text []byte) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		i++ // the letter of the escape
		first, _ := escapedUnit(text[i-1:])
		if !utf16.IsSurrogate(first) {
			continue
		}
		second, found := escapedUnit(text[i+5:])
		if !found || utf16.DecodeRune(first, second) == utf8.RuneError {
			return true
		}
		i += 10 // to the end of the second half
	}
	return false
}

// escapedUnit reads an escape of the form \uXXXX at the beginning of the text.
func escapedUnit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(unit), err == nil
}
