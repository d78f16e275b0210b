package main

import (
	"fmt"
	"net/http"
)

// problem is an answer of 4xx or 5xx (RFC 9457), and the error of what led to it.
type problem struct {
	status int
	code   string
	body   []byte
}

var (
	malformed        = newProblem(400, "malformed", "Malformed request")
	brokenBody       = newProblem(400, "malformed", "Malformed request")
	tokenMissing     = newProblem(401, "token-missing", "Token missing")
	tokenInvalid     = newProblem(401, "token-invalid", "Token not valid")
	notFound         = newProblem(404, "not-found", "Not found")
	methodNotAllowed = newProblem(405, "method-not-allowed", "Method not allowed")
	tooLarge         = newProblem(413, "too-large", "Body too large")
	internal         = newProblem(500, "internal", "Internal error")
	upstreamFailed   = newProblem(502, "upstream", "Service failed")
	unavailable      = newProblem(503, "unavailable", "Not available")
	upstreamTimeout  = newProblem(504, "upstream-timeout", "Service did not answer in time")
)

func newProblem(status int, code, title string) *problem {
	const form = `{"type":"urn:park:%s","title":"%s","status":%d,"code":"%s"}`
	return &problem{status, code, fmt.Appendf(nil, form, code, title, status, code)}
}

func (p *problem) Error() string { return p.code }

// mark sets the fields that go with the status.
func (p *problem) mark(header http.Header) {
	switch p.status {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		header.Set("Retry-After", "1")
	}
}
