package main

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// conference is a row.
type conference struct{ id, name string }

const (
	longestID   = 64
	longestName = 191
)

// readConference reads the body of an insert; every member must be there.
func readConference(body []byte) (conference, error) {
	var read conference
	err := readMembers(body, func(object map[string]json.RawMessage) []fault {
		var faults []fault
		read.id, faults = readMember(faults, object, "id", idFault)
		read.name, faults = readMember(faults, object, "name", nameFault)
		return faults
	})
	return read, err
}

// readReplacement reads the body of a replace, whose id may be left out but is no other.
func readReplacement(body []byte, id string) (conference, error) {
	read := conference{id: id}
	err := readMembers(body, func(object map[string]json.RawMessage) []fault {
		var faults []fault
		if _, isThere := object["id"]; isThere {
			_, faults = readMember(faults, object, "id", func(other string) string {
				if other != id {
					return "mismatch"
				}
				return ""
			})
		}
		read.name, faults = readMember(faults, object, "name", nameFault)
		return faults
	})
	return read, err
}

func readMembers(body []byte, read func(map[string]json.RawMessage) []fault) error {
	object, isObject := members(body)
	if !isObject {
		return invalid([]fault{{pointer: "", code: "type"}})
	}
	if faults := read(object); len(faults) > 0 {
		return invalid(faults)
	}
	return nil
}

// readMember reads a text, and adds the first fault that it has.
func readMember(
	faults []fault, object map[string]json.RawMessage, name string, faultOf func(string) string,
) (string, []fault) {
	value, isThere := object[name]
	text, isText := textOf(value)
	code := ""
	switch {
	case !isThere:
		code = "required"
	case !isText:
		code = "type"
	default:
		code = faultOf(text)
	}
	if code != "" {
		faults = append(faults, fault{pointer: "/" + name, code: code})
	}
	return text, faults
}

func idFault(id string) string {
	switch {
	case id == "":
		return "too-short"
	case utf8.RuneCountInString(id) > longestID:
		return "too-long"
	case !isID(id):
		return "pattern"
	}
	return ""
}

func nameFault(name string) string {
	switch {
	case name == "":
		return "too-short"
	case utf8.RuneCountInString(name) > longestName:
		return "too-long"
	case strings.ContainsFunc(name, isControl):
		return "characters"
	}
	return ""
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7F }

// isID tells whether it is [A-Za-z0-9][A-Za-z0-9._~-]{0,63}.
func isID(text string) bool {
	if text == "" || len(text) > longestID || !isAlphanumeric(text[0]) {
		return false
	}
	for i := range len(text) {
		if !isUnreserved(text[i]) {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// isUnreserved tells whether a byte goes unescaped in a path (RFC 3986, 2.3).
func isUnreserved(c byte) bool {
	return isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~'
}
