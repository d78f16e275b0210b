package main

import "net/http"

// ReverseProxy takes these out, so that a client cannot forge them; here they are end-to-end.
var forwarding = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// ReverseProxy supports upgrades and trailers, which end at this gateway; net/http has answered
// Expect already.
var endingHere = []string{"Connection", "Upgrade", "Te", "Expect"}

// correctHeaders undoes what ReverseProxy does to the fields of a request beyond the SPEC.
func correctHeaders(out, in http.Header) {
	for _, name := range forwarding {
		if values, sent := in[name]; sent {
			out[name] = values
		}
	}
	for _, name := range endingHere {
		out.Del(name)
	}
}
