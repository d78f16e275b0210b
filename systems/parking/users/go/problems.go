package main

import (
	"net/http"
	"strconv"
)

// problem is an answer of 4xx or 5xx (RFC 9457), and the error of what led to it.
type problem struct {
	status int
	code   string
	title  string
	// faults are those of the members of a body.
	faults []fault
	// allow lists the methods of the path, where the one that came is not among them.
	allow string
	// cause is for the log alone.
	cause error
}

// fault is what is wrong with one member of a body.
type fault struct{ pointer, code string }

var (
	malformed            = newProblem(400, "malformed", "Malformed request")
	unknownMember        = newProblem(400, "unknown-member", "Unknown member")
	tokenMissing         = newProblem(401, "token-missing", "Token missing")
	tokenInvalid         = newProblem(401, "token-invalid", "Token not valid")
	wrongCredentials     = newProblem(401, codeOfCredentials, "Wrong e-mail address or password")
	forbidden            = newProblem(403, "forbidden", "Forbidden")
	accountBlocked       = newProblem(403, "account-blocked", "Account blocked")
	notFound             = newProblem(404, "not-found", "Not found")
	duplicateEmail       = newProblem(409, "duplicate-email", "E-mail address taken")
	duplicateNif         = newProblem(409, "duplicate-nif", "Tax number taken")
	duplicatePlate       = newProblem(409, "duplicate-plate", "Plate taken")
	vehicleLimit         = newProblem(409, "vehicle-limit", "Too many vehicles")
	wrongCoins           = newProblem(409, "coins", "Not enough coins, or too many")
	tooLarge             = newProblem(413, "too-large", "Body too large")
	unsupportedMediaType = newProblem(415, "unsupported-media-type", "Unsupported media type")
	idempotencyMismatch  = newProblem(422, "idempotency-mismatch", "Key used before")
)

// codeOfCredentials is of the one 401 that no token would help.
const codeOfCredentials = "credentials"

func newProblem(status int, code, title string) *problem {
	return &problem{status: status, code: code, title: title}
}

func methodNotAllowed(allow string) *problem {
	refusal := newProblem(405, "method-not-allowed", "Method not allowed")
	refusal.allow = allow
	return refusal
}

func invalid(faults ...fault) *problem {
	refusal := newProblem(422, "invalid", "Invalid members")
	refusal.faults = faults
	return refusal
}

func internal(cause error) *problem {
	failure := newProblem(500, "internal", "Internal error")
	failure.cause = cause
	return failure
}

func unavailable(cause error) *problem {
	failure := newProblem(503, "unavailable", "Not available")
	failure.cause = cause
	return failure
}

func (p *problem) Error() string { return p.code }

func (p *problem) Unwrap() error { return p.cause }

func (p *problem) send(w http.ResponseWriter) {
	header := w.Header()
	switch {
	case p.allow != "":
		header.Set("Allow", p.allow)
	case p.status == http.StatusUnauthorized && p.code != codeOfCredentials:
		header.Set("WWW-Authenticate", "Bearer")
	case p.status == http.StatusServiceUnavailable:
		header.Set("Retry-After", "1")
	}
	send(w, p.status, "application/problem+json", p.body())
}

func (p *problem) body() []byte {
	body := append([]byte(nil), `{"type":"urn:park:`...)
	body = append(body, p.code...)
	body = withText(body, `","title":`, p.title)
	body = withInteger(body, `,"status":`, int64(p.status))
	body = withText(body, `,"code":`, p.code)
	for i, fault := range p.faults {
		if i == 0 {
			body = append(body, `,"errors":[`...)
		} else {
			body = append(body, ',')
		}
		body = withText(body, `{"pointer":`, fault.pointer)
		body = withText(body, `,"code":`, fault.code)
		body = append(body, '}')
	}
	if len(p.faults) > 0 {
		body = append(body, ']')
	}
	return append(body, '}')
}

// send writes an answer that has a body, as all have.
func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// Where it fails, the caller is gone.
	_, _ = w.Write(body)
}
