package main

import (
	"net/http"
	"strconv"
)

// answer is one that went well.
type answer struct {
	status int
	body   []byte
	// location is the path of what was made, if it has one.
	location string
	// isReplayed says that it was given before, by the same Idempotency-Key.
	isReplayed bool
}

func ok(body []byte) answer { return answer{status: http.StatusOK, body: body} }

// createdAt is for what is read by its id below a path.
func createdAt(path string, id int64, body []byte) answer {
	return answer{status: http.StatusCreated, body: body, location: path + strconv.FormatInt(id, 10)}
}

func (a answer) send(w http.ResponseWriter) {
	if a.location != "" {
		w.Header().Set("Location", a.location)
	}
	if a.isReplayed {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	send(w, a.status, "application/json", a.body)
}
