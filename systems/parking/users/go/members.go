package main

import (
	"encoding/json"
	"unicode/utf8"
)

// object is the object of a body, whose members are read one by one. It keeps the first fault of each.
type object struct {
	members map[string]json.RawMessage
	// known counts those that were asked for and are there.
	known  int
	faults []fault
	// isMalformed says that one is of another type than it should be.
	isMalformed bool
}

// readObject reads a body that is JSON; what is returned beside an error is of no use.
func readObject[T any](body []byte, read func(*object) T) (T, error) {
	var nothing T
	members, isObject := members(body)
	if !isObject {
		return nothing, malformed
	}
	o := &object{members: members}
	result := read(o)
	switch {
	case o.isMalformed:
		return nothing, malformed
	case o.known < len(members):
		return nothing, unknownMember
	case len(o.faults) > 0:
		return nothing, invalid(o.faults...)
	}
	return result, nil
}

func (o *object) refuse(name, code string) {
	o.faults = append(o.faults, fault{pointer: "/" + name, code: code})
}

// value reads a member that must be there; null is as if it were missing. It is asked for once.
func (o *object) value(name string) (json.RawMessage, bool) {
	value, isThere := o.members[name]
	if isThere {
		o.known++
	}
	if !isThere || string(value) == "null" {
		o.refuse(name, "required")
		return nil, false
	}
	return value, true
}

// text reads a text. faultOf names what is wrong with it, if anything is.
func (o *object) text(name string, faultOf func(string) string) string {
	value, isThere := o.value(name)
	if !isThere {
		return ""
	}
	text, isText := textOf(value)
	if !isText {
		o.isMalformed = true
		return ""
	}
	if code := faultOf(text); code != "" {
		o.refuse(name, code)
	}
	return text
}

// integer reads an integer. faultOf is as that of a text.
func (o *object) integer(name string, faultOf func(int64) string) int64 {
	value, isThere := o.value(name)
	if !isThere {
		return 0
	}
	number, isInteger, isKnown := integerOf(value)
	switch {
	case !isInteger:
		o.isMalformed = true
	case !isKnown:
		o.refuse(name, "range")
	default:
		if code := faultOf(number); code != "" {
			o.refuse(name, code)
		}
	}
	return number
}

// integers reads an array of integers. One that is beyond 64 bits is 0 in it.
func (o *object) integers(name string, faultOf func([]int64) string) []int64 {
	value, isThere := o.value(name)
	if !isThere {
		return nil
	}
	var elements []json.RawMessage
	if value[0] != '[' || json.Unmarshal(value, &elements) != nil {
		o.isMalformed = true
		return nil
	}
	numbers := make([]int64, len(elements))
	for i, element := range elements {
		number, isInteger, isKnown := integerOf(element)
		if !isInteger {
			o.isMalformed = true
			return nil
		}
		if isKnown {
			numbers[i] = number
		}
	}
	if code := faultOf(numbers); code != "" {
		o.refuse(name, code)
	}
	return numbers
}

// characters is for texts of so many code points, none of which is a control.
func characters(least, most int) func(string) string {
	return func(text string) string {
		if code := lengthFault(utf8.RuneCountInString(text), least, most); code != "" {
			return code
		}
		for _, r := range text {
			if r <= 0x1F || r >= 0x7F && r <= 0x9F {
				return "characters"
			}
		}
		return ""
	}
}

// visible is for texts of so many characters of visible ASCII.
func visible(least, most int) func(string) string {
	return func(text string) string {
		if code := lengthFault(utf8.RuneCountInString(text), least, most); code != "" {
			return code
		}
		if !isVisibleASCII(text) {
			return "characters"
		}
		return ""
	}
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

func anyText(string) string { return "" }

// word reads a word of a list, and returns its place.
func (o *object) word(name string, list words) int16 { return list.placeOf(o.text(name, list.faultOf)) }
