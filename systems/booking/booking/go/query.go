package main

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// query is the query of a request, whose parameters are read one by one. Its error says that one of them
// is wrong; those that nobody reads are ignored.
type query struct {
	// raw has the values as they came, by names without escapes.
	raw map[string]string
	err error
}

// queryOf does not use net/url for the pairs, which drops those that have a semicolon.
func queryOf(r *http.Request) *query {
	q := &query{}
	if r.URL.RawQuery == "" {
		return q
	}
	q.raw = make(map[string]string)
	for parameter := range strings.SplitSeq(r.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if name, err := url.QueryUnescape(name); err == nil {
			q.raw[name] = value
		}
	}
	return q
}

// value tells whether a parameter is there.
func (q *query) value(name string) (string, bool) {
	raw, isThere := q.raw[name]
	if !isThere {
		return "", false
	}
	value, err := url.QueryUnescape(raw)
	if err != nil {
		q.err = malformed
	}
	return value, err == nil
}

// parameter reads a parameter that may be missing: what is returned then is the zero value.
func parameter[T any](q *query, name string, parse func(string) (T, bool)) T {
	var nothing T
	value, isThere := q.value(name)
	if !isThere {
		return nothing
	}
	parsed, isRight := parse(value)
	if !isRight {
		q.err = malformed
		return nothing
	}
	return parsed
}

// text is empty where it is missing, as no text of a query may be.
func (q *query) text(name string, mostCharacters int) string {
	return parameter(q, name, func(text string) (string, bool) {
		length := utf8.RuneCountInString(text)
		return text, utf8.ValidString(text) && !strings.ContainsRune(text, 0) && length >= 1 && length <= mostCharacters
	})
}

func (q *query) word(name string, known []string) string {
	return parameter(q, name, func(text string) (string, bool) { return text, slices.Contains(known, text) })
}

func (q *query) isTrue(name string) bool {
	return q.word(name, []string{"true", "false"}) == "true"
}

// id is 0 where it is missing.
func (q *query) id(name string) int64 { return parameter(q, name, idOf) }

func (q *query) instant(name string) time.Time { return parameter(q, name, instantOf) }

func (q *query) day(name string) time.Time { return parameter(q, name, dayOf) }

// require refuses a query without the parameter.
func (q *query) require(name string) {
	if _, isThere := q.raw[name]; !isThere {
		q.err = malformed
	}
}

// idOf reads an id, which is [1-9][0-9]{0,15}.
func idOf(text string) (int64, bool) {
	const longestID = 16
	if text == "" || len(text) > longestID || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil
}
