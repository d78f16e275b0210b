package main

import (
	"errors"
	"io"
	"net/http"
	"strings"
)

const bodyLimitBytes = 16_384

// readBody reads a body of JSON to its end. Faults are found in the order of the SPEC: size, type, JSON.
func readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength > bodyLimitBytes {
		return nil, tooLarge // What has been sent is dropped by net/http, up to 256 KiB.
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimitBytes+1))
	switch {
	case len(body) > bodyLimitBytes:
		return nil, tooLarge
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errCallerGone
	case err != nil:
		return nil, malformedBody
	case !isJSONType(r.Header.Get("Content-Type")):
		return nil, unsupportedMediaType
	case !isJSON(body):
		return nil, malformedBody
	}
	return body, nil
}

// isJSONType ignores parameters.
func isJSONType(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "application/json")
}
