package main

import (
	"regexp"
	"strings"
	"time"
)

// The years that reservations and days may be of, in UTC.
const (
	firstYear = 2020
	lastYear  = 2099
)

// instantShape is an instant of RFC 3339 but for the calendar; its one group is the fraction. time.Parse
// alone takes hours of one digit, a comma before a fraction, and offsets of 24 hours.
var instantShape = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}` +
	`T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.([0-9]+))?` +
	`(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$`)

// instantOf reads an instant in any offset, and returns it in UTC.
func instantOf(text string) (time.Time, bool) {
	parts := instantShape.FindStringSubmatch(text)
	if parts == nil {
		return time.Time{}, false
	}
	instant, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, false
	}
	if instant.Nanosecond() == 0 && strings.Trim(parts[1], "0") != "" {
		// Nine digits are kept, but an instant beside the grid must not come to lie on it.
		instant = instant.Add(time.Nanosecond)
	}
	return instant.UTC(), true
}

// dayOf reads a day of the years above, and returns its midnight.
func dayOf(text string) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, text)
	return day, err == nil && isOfTheYears(day)
}

func isOfTheYears(instant time.Time) bool {
	return instant.Year() >= firstYear && instant.Year() <= lastYear
}

// midnightOf is the beginning of the day of an instant in UTC.
func midnightOf(instant time.Time) time.Time {
	year, month, day := instant.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// appendInstant writes the 20 characters that an instant is shown by.
func appendInstant(to []byte, instant time.Time) []byte {
	return instant.UTC().AppendFormat(to, "2006-01-02T15:04:05Z")
}
