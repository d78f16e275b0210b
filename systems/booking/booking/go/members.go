package main

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// object is the object of a body, whose members are read one by one. It keeps the first fault of each.
type object struct {
	members map[string]json.RawMessage
	faults  []fault
}

// readObject reads a body that is JSON; what is returned beside an error is of no use.
func readObject[T any](body []byte, read func(*object) T) (T, error) {
	members, isObject := members(body)
	if !isObject {
		var nothing T
		return nothing, invalid(fault{pointer: "", code: "type"})
	}
	o := &object{members: members}
	result := read(o)
	if len(o.faults) > 0 {
		return result, invalid(o.faults...)
	}
	return result, nil
}

// has tells whether a member is there; null is as if it were missing.
func (o *object) has(name string) bool {
	value, isThere := o.members[name]
	return isThere && string(value) != "null"
}

func (o *object) refuse(name, code string) {
	o.faults = append(o.faults, fault{pointer: "/" + name, code: code})
}

// text reads a text that must be there. faultOf names what is wrong with it, if anything is.
func (o *object) text(name string, faultOf func(string) string) (string, bool) {
	return read(o, name, func(value json.RawMessage) (string, string) {
		text, isText := textOf(value)
		if !isText {
			return "", "type"
		}
		if strings.ContainsRune(text, 0) {
			return "", "format"
		}
		return text, faultOf(text)
	})
}

// textOr reads a text that may be missing.
func (o *object) textOr(name, byDefault string, faultOf func(string) string) string {
	if !o.has(name) {
		return byDefault
	}
	text, _ := o.text(name, faultOf)
	return text
}

// integer reads an integer that must be there. faultOf is as that of a text.
func (o *object) integer(name string, faultOf func(int64) string) (int64, bool) {
	return read(o, name, func(value json.RawMessage) (int64, string) {
		number, code := integerOf(value)
		if code != "" {
			return 0, code
		}
		return number, faultOf(number)
	})
}

// integerOr reads an integer that may be missing.
func (o *object) integerOr(name string, byDefault int64, faultOf func(int64) string) int64 {
	if !o.has(name) {
		return byDefault
	}
	number, _ := o.integer(name, faultOf)
	return number
}

// read tells whether the member has no fault.
func read[T any](o *object, name string, parse func(json.RawMessage) (T, string)) (T, bool) {
	if !o.has(name) {
		var nothing T
		o.refuse(name, "required")
		return nothing, false
	}
	value, code := parse(o.members[name])
	if code != "" {
		o.refuse(name, code)
	}
	return value, code == ""
}

// characters is for texts of so many code points.
func characters(least, most int) func(string) string {
	return func(text string) string { return lengthFault(utf8.RuneCountInString(text), least, most) }
}

func lengthFault(length, least, most int) string {
	switch {
	case length < least:
		return "too-short"
	case length > most:
		return "too-long"
	}
	return ""
}

func between(least, most int64) func(int64) string {
	return func(number int64) string {
		if number < least || number > most {
			return "range"
		}
		return ""
	}
}

// among is for texts and integers that are in a list.
func among[T comparable](known []T) func(T) string {
	return func(value T) string {
		if !slices.Contains(known, value) {
			return "unknown-value"
		}
		return ""
	}
}

func anyText(string) string { return "" }
