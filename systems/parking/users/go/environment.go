package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// environment looks variables up, and keeps the first error, which names its variable.
type environment struct {
	lookUp func(string) (string, bool)
	err    error
}

// fail keeps the first error.
func (e *environment) fail(format string, arguments ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, arguments...)
	}
}

// listen reads the IPv4 address and the port to listen on.
func (e *environment) listen() string {
	host, isSet := e.lookUp("HOST")
	if !isSet {
		host = "127.0.0.1"
	}
	if address, err := netip.ParseAddr(host); err != nil || !address.Is4() {
		e.fail("HOST must be an IPv4 address, not %q", host)
	}
	return net.JoinHostPort(host, strconv.Itoa(e.number("PORT", 0, 65535, -1)))
}

// number reads a whole number in digits alone. A negative default means that there is none.
func (e *environment) number(name string, least, most, byDefault int) int {
	value, isSet := e.lookUp(name)
	if !isSet && byDefault >= 0 {
		return byDefault
	}
	if !isNumber(value, least, most) {
		e.fail("%s must be a number from %d to %d, not %q", name, least, most, value)
		return 0
	}
	number, _ := strconv.Atoi(value)
	return number
}

func isNumber(text string, least, most int) bool {
	// The parser of the language would take a sign.
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return false
	}
	number, err := strconv.Atoi(text)
	return err == nil && number >= least && number <= most
}

// word reads one of some words; the first one is the default.
func (e *environment) word(name string, words ...string) string {
	value, isSet := e.lookUp(name)
	if !isSet {
		return words[0]
	}
	if !slices.Contains(words, value) {
		e.fail("%s must be %s, not %q", name, strings.Join(words, " or "), value)
	}
	return value
}

// secret reads a text whose value is not shown.
func (e *environment) secret(name string, least, most int) string {
	value, _ := e.lookUp(name)
	if len(value) < least || len(value) > most || !isVisibleASCII(value) {
		e.fail("%s must be %d to %d characters of visible ASCII", name, least, most)
	}
	return value
}

func isVisibleASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// authority reads a scheme and an authority, and returns the second.
func (e *environment) authority(name, scheme string) string {
	value, _ := e.lookUp(name)
	authority, isRight := authorityOf(value, scheme)
	if !isRight {
		e.fail("%s must be like %s://127.0.0.1:8761, not %q", name, scheme, value)
	}
	return authority
}

// authorityOf tells whether a text is the scheme and an authority, and nothing that would be lost.
func authorityOf(text, scheme string) (string, bool) {
	address, err := url.Parse(text)
	if err != nil || address.Hostname() == "" || text != scheme+"://"+address.Host {
		return "", false
	}
	hasNoPort := address.Port() == "" && !strings.HasSuffix(address.Host, ":")
	return address.Host, hasNoPort || isNumber(address.Port(), 1, 65535)
}

// refuseEmpty is for variables that nothing else may have looked at.
func (e *environment) refuseEmpty(names ...string) {
	for _, name := range names {
		if value, isSet := e.lookUp(name); isSet && value == "" {
			e.fail("%s must be set to something or not at all, not %q", name, value)
		}
	}
}
