package main

import "net/http"

// passThrough streams the request to the upstream and its answer back.
func passThrough(upstream http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// An answer may begin before the request has been read to its end. Without this, HTTP/1.1 of net/http
		// then closes the request under the transport, which breaks off the exchange; HTTP/2 is always so.
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			panic(err)
		}
		// What the transport did not read is then left to the handler; net/http would come too late.
		defer r.Body.Close()
		upstream.ServeHTTP(w, r)
	})
}
