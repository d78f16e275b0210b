package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
)

// mostAttempts are one and two others.
const mostAttempts = 3

// repeatable are the methods of requests that may be sent again.
var repeatable = []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete}

func isRepeatable(method string) bool { return slices.Contains(repeatable, method) }

// attempts send a request to an instance, and to others where that fails.
type attempts struct {
	through    http.RoundTripper
	upstream   upstreamConfig
	instances  *instances
	complaints *complaints
}

func newAttempts(upstream upstreamConfig, known *instances, complaints *complaints) *attempts {
	return &attempts{newTransport(upstream), upstream, known, complaints}
}

// RoundTrip returns an error that is a problem, or any where the caller went away.
func (s *attempts) RoundTrip(r *http.Request) (*http.Response, error) {
	x := exchangeOf(r)
	failure := unavailable
	tried := make([]*instance, 0, mostAttempts)
	for len(tried) < mostAttempts {
		to := s.instances.next(tried)
		if to == nil {
			break
		}
		tried = append(tried, to)
		a := s.begin(r, x, to)
		response, err := a.send(s.through)
		if err == nil {
			return response, nil
		}
		if refusal := a.refusalOf(x, err); refusal != nil {
			return nil, refusal
		}
		s.instances.leaveOut(to)
		s.complaints.printf("instance %s failed: %v", to.authority, a.cause(err))
		failure = upstreamFailed
		if x.body.hasBegun() || !a.mayGoElsewhere() {
			break
		}
	}
	return nil, failure
}

func (s *attempts) begin(r *http.Request, x *exchange, to *instance) *attempt {
	// That of the caller, not of ReverseProxy: no answer of 1xx is passed on, and one trace is enough.
	a := newAttempt(x.request.Context(), r, s.upstream.protocol.isHTTP2())
	address := *r.URL
	address.Scheme, address.Host = s.upstream.protocol.scheme(), to.authority
	a.request.URL = &address
	if !a.isHTTP2 {
		sendOnce(a.request)
	}
	return a
}

// sendOnce keeps the transport from sending a request again on HTTP/1.1 that is none of the four. It does so where
// there is no body, and the method or a field calls the request idempotent.
func sendOnce(r *http.Request) {
	if r.Body != nil || isRepeatable(r.Method) {
		return
	}
	_, hasKey := r.Header["Idempotency-Key"]
	_, hasOtherKey := r.Header["X-Idempotency-Key"]
	if hasKey || hasOtherKey || r.Method == http.MethodOptions || r.Method == http.MethodTrace {
		r.Body = io.NopCloser(emptyBody{})
	}
}

// emptyBody is http.NoBody without being known to the transport.
type emptyBody struct{}

func (emptyBody) Read([]byte) (int, error) { return 0, io.EOF }

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}
