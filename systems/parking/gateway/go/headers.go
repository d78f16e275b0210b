package main

import (
	"net/http"
	"net/http/httputil"
	"strings"
)

// endingHere are fields that ReverseProxy passes on, and that end at this gateway. It takes out the hop-by-hop
// ones, but sets three of them again for upgrades and trailers; net/http has met Expect already.
var endingHere = []string{
	"Authorization", "X-User-Id", "X-User-Role", "Connection", "Upgrade", "Te", "Expect",
}

// setFields makes the fields of the request to users.
func setFields(r *httputil.ProxyRequest, x *exchange) {
	header := r.Out.Header
	for _, name := range endingHere {
		header.Del(name)
	}
	// ReverseProxy has taken it out, as it has those that are set below; here it is end-to-end.
	if values, isThere := r.In.Header["Forwarded"]; isThere && !isNamed("Forwarded", r.In.Header["Connection"]) {
		header["Forwarded"] = values
	}
	r.SetXForwarded()
	header.Set("X-Request-Id", x.id)
	if x.caller.id != "" {
		header.Set("X-User-Id", x.caller.id)
		header.Set("X-User-Role", x.caller.role)
	}
}

// isNamed tells whether a field is among those that Connection names.
func isNamed(name string, connection []string) bool {
	for _, names := range connection {
		for one := range strings.SplitSeq(names, ",") {
			if strings.EqualFold(strings.TrimSpace(one), name) {
				return true
			}
		}
	}
	return false
}

// leaveOwnFields takes out of an answer of users what the gateway has set already.
func leaveOwnFields(response *http.Response) error {
	response.Header.Del("X-Request-Id")
	leaveToGateway(response.Header)
	response.Trailer = nil // Its names would become a field Trailer.
	return nil
}
