package main

import "net/http"

// health are the operations that tell how the service is.
type health struct{ pool *pool }

var fine = ok([]byte(`{"status":"ok"}`))

func (h *health) live(*http.Request) (answer, error) { return fine, nil }

func (h *health) ready(r *http.Request) (answer, error) {
	_, err := use(r.Context(), h.pool, func(s *session) (int, error) {
		return first(s, scanOne[int], "SELECT 1")
	})
	return fine, err
}
