package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
)

// The largest body that the SPEC asks to convert.
const maximumBodyBytes = 1 << 20

// transform sends the XML form of a JSON body to the upstream, as a request of its own, and its answer back.
func transform(upstream http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maximumBodyBytes))
		if err != nil {
			refuseBody(w, r, err)
			return
		}
		document, err := convert(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, r.URL.Path, bytes.NewReader(document))
		if err != nil {
			panic(err) // The path is a constant of the routes.
		}
		request.Header.Set("Content-Type", "application/xml")
		upstream.ServeHTTP(w, request)
	})
}

// refuseBody answers for a body that is too large; one that broke off has nobody to answer.
func refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		http.Error(w, "the body is larger than 1 MiB", http.StatusRequestEntityTooLarge)
		return
	}
	http.Error(w, "the body cannot be read", http.StatusBadRequest)
}
