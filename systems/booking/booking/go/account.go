package main

import (
	"regexp"
	"strings"
	"time"
)

// account is a row but for its hash, which no answer shows.
type account struct {
	id                int64
	email, name, role string
	createdAt         time.Time
}

// newAccount is what is asked for.
type newAccount struct{ email, name, password, role string }

const (
	shortestEmail      = 6
	longestEmail       = 254
	longestAccountName = 100
)

var emailShape = regexp.MustCompile(`^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{3,189}$`)

func readAccount(o *object) newAccount {
	var read newAccount
	email, _ := o.text("email", func(email string) string { return emailFault(lowerASCII(email)) })
	read.email = lowerASCII(email)
	read.name, _ = o.text("name", characters(1, longestAccountName))
	read.password, _ = o.text("password", passwordFault)
	read.role = o.textOr("role", player, among(roles))
	return read
}

func emailFault(email string) string {
	if !emailShape.MatchString(email) {
		return "format"
	}
	return lengthFault(len(email), shortestEmail, longestEmail)
}

func passwordFault(password string) string {
	return lengthFault(len(password), shortestPassword, longestPassword)
}

// lowerASCII leaves all other letters, so that none becomes one of ASCII.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, text)
}

// credentials are what a log-in has.
type credentials struct{ email, password string }

func readCredentials(o *object) credentials {
	email, _ := o.text("email", anyText)
	password, _ := o.text("password", anyText)
	return credentials{lowerASCII(email), password}
}

func (a account) appendTo(to []byte) []byte {
	to = withInteger(to, `{"id":`, a.id)
	to = withText(to, `,"email":`, a.email)
	to = withText(to, `,"name":`, a.name)
	to = withText(to, `,"role":`, a.role)
	to = withInstant(to, `,"created_at":`, a.createdAt)
	return append(to, '}')
}
