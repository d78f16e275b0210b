package main

import "net/http"

// pages are those of the one origin that may read answers.
type pages struct{ origin string }

func (p pages) isFrom(r *http.Request) bool {
	origins := r.Header["Origin"]
	return p.origin != "" && len(origins) == 1 && origins[0] == p.origin
}

// isPreflight is for requests of the origin.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && len(r.Header["Access-Control-Request-Method"]) > 0
}

// allow lets the page read an answer.
func (p pages) allow(header http.Header) {
	header.Set("Access-Control-Allow-Origin", p.origin)
	header.Set("Access-Control-Expose-Headers", "location, idempotency-replayed, x-request-id")
	header.Set("Vary", "Origin")
}

func (p pages) answerPreflight(header http.Header) {
	header.Set("Access-Control-Allow-Origin", p.origin)
	header.Set("Access-Control-Allow-Methods", "GET, POST, PUT")
	header.Set("Access-Control-Allow-Headers", "authorization, content-type, idempotency-key")
	header.Set("Access-Control-Max-Age", "600")
	header.Set("Vary", "Origin")
}

// leaveToGateway takes out what a service has to say to pages.
func leaveToGateway(header http.Header) {
	header.Del("Access-Control-Allow-Origin")
	header.Del("Access-Control-Expose-Headers")
}
