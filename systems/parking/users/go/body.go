package main

import (
	"io"
	"net/http"
	"strings"
)

const bodyLimitBytes = 65_536

// bodyOf reads a body of JSON to its end. Faults are found in the order of the SPEC: size, type, JSON.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.ContentLength > bodyLimitBytes {
		return nil, tooLarge // What has been sent is dropped by net/http, up to 256 KiB.
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimitBytes+1))
	switch {
	case len(body) > bodyLimitBytes:
		return nil, tooLarge
	case !isJSONType(r.Header.Get("Content-Type")):
		return nil, unsupportedMediaType
	case err != nil || !isJSON(body): // An error says that the body is cut off, or its chunks are none.
		return nil, malformed
	}
	return body, nil
}

// isJSONType ignores parameters.
func isJSONType(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "application/json")
}

// readBody reads the members of a body; a fault in one of them is its error.
func readBody[T any](r *http.Request, read func(*object) T) (T, error) {
	body, err := bodyOf(r)
	if err != nil {
		var nothing T
		return nothing, err
	}
	return readObject(body, read)
}
