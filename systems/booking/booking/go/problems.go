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
	detail string
	// faults are those of a body that is not valid.
	faults []fault
	// allow lists the methods of the path, where the one that came is not among them.
	allow string
	// hasChallenge says that a token would help.
	hasChallenge bool
	// cause is for the log alone.
	cause error
}

// fault is what is wrong with one member of a body, or with all of it.
type fault struct{ pointer, code string }

const retryAfterSeconds = "1"

var (
	malformed = &problem{status: 400, code: "malformed", title: "Malformed request",
		detail: "The request is not well formed."}
	unauthenticated = &problem{status: 401, code: "unauthenticated", title: "Not authenticated",
		detail: "A valid token is needed.", hasChallenge: true}
	badCredentials = &problem{status: 401, code: "bad-credentials", title: "Bad credentials",
		detail: "The e-mail address or the password is wrong."}
	forbidden = &problem{status: 403, code: "forbidden", title: "Forbidden",
		detail: "The account may not do this."}
	notFound   = &problem{status: 404, code: "not-found", title: "Not found", detail: "Nothing is here."}
	emailTaken = &problem{status: 409, code: "email-taken", title: "E-mail address taken",
		detail: "There is an account of this e-mail address."}
	slotTaken = &problem{status: 409, code: "slot-taken", title: "Slot taken",
		detail: "Another reservation is in this time."}
	facilityRetired = &problem{status: 409, code: "facility-retired", title: "Facility retired",
		detail: "The facility takes no reservations."}
	wrongState = &problem{status: 409, code: "wrong-state", title: "Wrong state",
		detail: "The reservation is in another state."}
	tooLarge = &problem{status: 413, code: "too-large", title: "Body too large",
		detail: "A body has at most 16384 bytes."}
	unsupportedMediaType = &problem{status: 415, code: "unsupported-media-type",
		title: "Unsupported media type", detail: "The body must be application/json."}
	idempotencyMismatch = &problem{status: 422, code: "idempotency-mismatch", title: "Key used before",
		detail: "The key belongs to another request."}
)

func methodNotAllowed(allow string) *problem {
	return &problem{status: 405, code: "method-not-allowed", title: "Method not allowed",
		detail: "The path does not have this method.", allow: allow}
}

func invalid(faults ...fault) *problem {
	return &problem{status: 422, code: "validation", title: "Invalid members",
		detail: "The body is not valid.", faults: faults}
}

func internal(cause error) *problem {
	return &problem{status: 500, code: "internal", title: "Internal error", detail: "The service failed.",
		cause: cause}
}

func unavailable(cause error) *problem {
	return &problem{status: 503, code: "unavailable", title: "Not available",
		detail: "The database is not available.", cause: cause}
}

func (p *problem) Error() string {
	if p.cause != nil {
		return p.code + ": " + p.cause.Error()
	}
	return p.code
}

func (p *problem) Unwrap() error { return p.cause }

func (p *problem) send(w http.ResponseWriter) {
	header := w.Header()
	if p.allow != "" {
		header.Set("Allow", p.allow)
	}
	if p.hasChallenge {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if p.status == http.StatusServiceUnavailable {
		header.Set("Retry-After", retryAfterSeconds)
	}
	send(w, p.status, "application/problem+json", p.body())
}

func (p *problem) body() []byte {
	body := append([]byte(nil), `{"type":"https://booking.example/problems/`...)
	body = append(body, p.code...)
	body = withText(body, `","title":`, p.title)
	body = withInteger(body, `,"status":`, int64(p.status))
	body = withText(body, `,"detail":`, p.detail)
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

// send writes an answer that has a body.
func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// Where it fails, the caller is gone.
	_, _ = w.Write(body)
}
