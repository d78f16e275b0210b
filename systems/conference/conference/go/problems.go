package main

import (
	"net/http"
	"strconv"
)

// problem is an answer of 4xx or 5xx (RFC 9457), and the error of what led to it.
type problem struct {
	status int
	code   string
	// title is empty where it is that of the operation.
	title  string
	detail string
	// faults are those of a body that is not a conference.
	faults []fault
	// allow lists the methods of the path, where the one that came is not among them.
	allow string
	// cause is for the log alone.
	cause error
}

// fault is what is wrong with one member of a body, or with all of it.
type fault struct{ pointer, code string }

const retryAfterSeconds = "1"

var (
	malformedBody = &problem{status: 400, code: "malformed", title: "Malformed request",
		detail: "The body must be one JSON value in UTF-8."}
	malformedPage = &problem{status: 400, code: "malformed", title: "Malformed request",
		detail: "The limit must be 1 to 1000, and after an id beside it."}
	notFound    = &problem{status: 404, code: "not-found", title: "Not found", detail: "Nothing is here."}
	duplicateID = &problem{status: 409, code: "duplicate-id", title: "Duplicate id", detail: "The id exists."}
	tooLarge    = &problem{status: 413, code: "too-large", title: "Body too large",
		detail: "A body has at most 16384 bytes."}
	unsupportedMediaType = &problem{status: 415, code: "unsupported-media-type",
		title: "Unsupported media type", detail: "The body must be application/json."}
)

func methodNotAllowed(allow string) *problem {
	return &problem{status: 405, code: "method-not-allowed", title: "Method not allowed",
		detail: "The path does not have this method.", allow: allow}
}

func invalid(faults []fault) *problem {
	return &problem{status: 422, code: "invalid", title: "Invalid conference",
		detail: "The conference is not valid.", faults: faults}
}

func internal(cause error) *problem {
	return &problem{status: 500, code: "internal", detail: "The service failed.", cause: cause}
}

func countryFailed(cause error) *problem {
	return &problem{status: 502, code: "country-failed", detail: "The country service failed.", cause: cause}
}

func countryTimeout(cause error) *problem {
	return &problem{status: 504, code: "country-timeout",
		detail: "The country service did not answer in time.", cause: cause}
}

func countryOpen(cause error) *problem {
	return &problem{status: 503, code: "country-open",
		detail: "The country service is not asked for now.", cause: cause}
}

func unavailable(cause error) *problem {
	return &problem{status: 503, code: "unavailable", detail: "The database is not available.", cause: cause}
}

func (p *problem) Error() string {
	if p.cause != nil {
		return p.code + ": " + p.cause.Error()
	}
	return p.code
}

func (p *problem) Unwrap() error { return p.cause }

// send writes the answer; operationTitle is that of failures of the operation.
func (p *problem) send(w http.ResponseWriter, operationTitle string) {
	if p.allow != "" {
		w.Header().Set("Allow", p.allow)
	}
	if p.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", retryAfterSeconds)
	}
	title := p.title
	if title == "" {
		title = operationTitle
	}
	send(w, p.status, "application/problem+json", p.body(title))
}

func (p *problem) body(title string) []byte {
	body := append([]byte(nil), `{"type":"urn:conference:`...)
	body = append(body, p.code...)
	body = append(body, `","title":`...)
	body = appendText(body, title)
	body = append(body, `,"status":`...)
	body = strconv.AppendInt(body, int64(p.status), 10)
	body = append(body, `,"detail":`...)
	body = appendText(body, p.detail)
	for i, fault := range p.faults {
		if i == 0 {
			body = append(body, `,"errors":[`...)
		} else {
			body = append(body, ',')
		}
		body = append(body, `{"pointer":`...)
		body = appendText(body, fault.pointer)
		body = append(body, `,"code":`...)
		body = appendText(body, fault.code)
		body = append(body, '}')
	}
	if len(p.faults) > 0 {
		body = append(body, ']')
	}
	return append(body, '}')
}
