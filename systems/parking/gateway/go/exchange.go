package main

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// exchange is what the gateway knows of a request.
type exchange struct {
	writer  http.ResponseWriter
	request *http.Request
	// id is what X-Request-Id says on both sides.
	id string
	// path and query are as they were sent; hasQuery tells an empty query from none.
	path, query string
	hasQuery    bool
	// caller is whom the token names; nobody where none is needed.
	caller caller
	// body is nil where nothing of one was handed on.
	body *sentBody
}

type exchangeKey struct{}

var requestIDShape = regexp.MustCompile(`^[A-Za-z0-9-]{8,64}$`)

func newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{writer: w, request: r, id: requestIDOf(r.Header["X-Request-Id"])}
	// The path of net/url is decoded, and its RawPath is not always what was sent.
	x.path, x.query, x.hasQuery = strings.Cut(r.RequestURI, "?")
	return x
}

// exchangeOf is for requests that were handed on.
func exchangeOf(r *http.Request) *exchange { return r.Context().Value(exchangeKey{}).(*exchange) }

// requestIDOf keeps the caller's, where there is one alone, and else makes one.
func requestIDOf(values []string) string {
	if len(values) == 1 && requestIDShape.MatchString(values[0]) {
		return values[0]
	}
	return rand.Text()
}

// target is what is asked of an instance, byte for byte.
func (x *exchange) target() *url.URL {
	return &url.URL{Opaque: x.path, RawQuery: x.query, ForceQuery: x.hasQuery}
}
