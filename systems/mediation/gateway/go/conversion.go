package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

const (
	rootName      = "root"
	itemName      = "item"
	attributeMark = "@"
	contentKey    = "#content"
)

var (
	errNoDocument    = errors.New("only an array, or an object with members, makes a document")
	errNoCharacter   = errors.New("XML does not have every character of the body")
	errTextWanted    = errors.New("an attribute or " + contentKey + " is an object or an array")
	errBadNamespace  = errors.New("a namespace declaration is not allowed")
	errSameAttribute = errors.New("an element has one attribute twice")
)

// convert makes the XML document of a JSON body. Whatever it cannot make one of is an error with a
// message for the caller.
func convert(body []byte) ([]byte, error) {
	value, err := parse(body)
	if err != nil {
		return nil, err
	}
	var document bytes.Buffer
	writer := documentWriter{xml.NewEncoder(&document)}
	if err := writer.document(value); err != nil {
		return nil, err
	}
	if err := writer.encoder.Close(); err != nil {
		return nil, err
	}
	return document.Bytes(), nil
}

// documentWriter gives the encoder names with their prefixes, as if they were local ones: it would invent
// prefixes of its own for namespaces.
type documentWriter struct{ encoder *xml.Encoder }

func (w documentWriter) document(value any) error {
	switch value := value.(type) {
	case object:
		if len(value) == 0 {
			return errNoDocument
		}
		if name, ok := onlyElement(value); ok {
			return w.element(name, value[0].value, documentScope)
		}
	case array:
	default:
		return errNoDocument
	}
	return w.element(rootName, value, documentScope)
}

// onlyElement returns the name of an object's only member where that is one element.
func onlyElement(members object) (name string, ok bool) {
	if len(members) != 1 {
		return "", false
	}
	_, several := members[0].value.(array)
	name = trimKey(members[0].key)
	return name, !several && name != contentKey && !strings.HasPrefix(name, attributeMark)
}

func (w documentWriter) element(name string, value any, outer *scope) error {
	members, _ := value.(object)
	attributes, inner, err := readAttributes(members, outer)
	if err != nil {
		return err
	}
	prefix, _, ok := splitName(name)
	if !ok {
		return noName(name)
	}
	if _, declared := inner.find(prefix); !declared {
		return undeclared(prefix)
	}
	start := xml.StartElement{Name: xml.Name{Local: name}, Attr: attributes}
	if err := w.encoder.EncodeToken(start); err != nil {
		return err
	}
	if err := w.content(value, inner); err != nil {
		return err
	}
	return w.encoder.EncodeToken(start.End())
}

func (w documentWriter) content(value any, scope *scope) error {
	switch value := value.(type) {
	case object:
		for _, member := range value {
			if err := w.member(trimKey(member.key), member.value, scope); err != nil {
				return err
			}
		}
		return nil
	case array:
		return w.repeated(itemName, value, scope)
	default:
		return w.text(value)
	}
}

func (w documentWriter) member(key string, value any, scope *scope) error {
	if strings.HasPrefix(key, attributeMark) {
		return nil // It is in the element's beginning.
	}
	if key == contentKey {
		return w.text(value)
	}
	if entries, several := value.(array); several {
		return w.repeated(key, entries, scope)
	}
	return w.element(key, value, scope)
}

func (w documentWriter) repeated(name string, entries array, scope *scope) error {
	for _, entry := range entries {
		if err := w.element(name, entry, scope); err != nil {
			return err
		}
	}
	return nil
}

func (w documentWriter) text(value any) error {
	text, err := textOf(value)
	if err != nil {
		return err
	}
	return w.encoder.EncodeToken(xml.CharData(text))
}

// readAttributes collects those of an object's element, and what they declare.
func readAttributes(members object, outer *scope) ([]xml.Attr, *scope, error) {
	var attributes []xml.Attr
	inner := outer
	for _, member := range members {
		name, is := strings.CutPrefix(trimKey(member.key), attributeMark)
		if !is {
			continue
		}
		text, err := textOf(member.value)
		if err != nil {
			return nil, nil, err
		}
		if prefix, declares := declaredPrefix(name); declares {
			if !mayDeclare(prefix, text) {
				return nil, nil, errBadNamespace
			}
			inner = &scope{prefix, text, inner}
		}
		attributes = append(attributes, xml.Attr{Name: xml.Name{Local: name}, Value: text})
	}
	return attributes, inner, checkNames(attributes, inner)
}

// checkNames holds the names of attributes against the declarations, also of those behind them.
func checkNames(attributes []xml.Attr, scope *scope) error {
	seen := make(map[xml.Name]bool, len(attributes))
	for _, attribute := range attributes {
		prefix, local, ok := splitName(attribute.Name.Local)
		if !ok {
			return noName(attribute.Name.Local)
		}
		expanded := xml.Name{Local: local} // Without prefix it is in no namespace.
		switch {
		case prefix == "xmlns":
			expanded.Space = xmlnsNamespace
		case prefix != "":
			if expanded.Space, ok = scope.find(prefix); !ok {
				return undeclared(prefix)
			}
		}
		if seen[expanded] {
			return errSameAttribute
		}
		seen[expanded] = true
	}
	return nil
}

func textOf(value any) (string, error) {
	text, ok := value.(string)
	if !ok {
		return "", errTextWanted
	}
	if !isText(text) {
		return "", errNoCharacter
	}
	return text, nil
}

func trimKey(key string) string { return strings.Trim(key, " ") }

// The messages show the beginning of a name: a key may be as long as the body.
func noName(name string) error { return fmt.Errorf("XML does not have the name %.40q", name) }

func undeclared(prefix string) error { return fmt.Errorf("nothing declares the prefix %.40q", prefix) }
