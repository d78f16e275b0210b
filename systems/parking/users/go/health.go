package main

import "net/http"

// health is the operation that tells how the service is.
type health struct{ pool *pool }

func (h *health) get(r *http.Request, _ caller) (answer, error) {
	_, err := use(r.Context(), h.pool, func(s *session) (int, error) {
		return first(s, scanOne[int], "SELECT 1")
	})
	return ok([]byte(`{"status":"up"}`)), err
}
