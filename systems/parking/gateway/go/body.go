package main

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	longestBodyBytes = 1 << 20
	// What is read and dropped of a body that is too large, so that the answer arrives, and for how long.
	droppedBytes = 2 << 20
	dropLimit    = time.Second
)

// sentBody is the body of a request on its way. The transport reads it in a goroutine of its own, and what became
// of it is asked in another.
type sentBody struct {
	from       io.Reader
	isBegun    atomic.Bool
	isTooLarge atomic.Bool
	isBroken   atomic.Bool
}

func newSentBody(w http.ResponseWriter, body io.ReadCloser) *sentBody {
	return &sentBody{from: http.MaxBytesReader(w, body, longestBodyBytes)}
}

func (b *sentBody) Read(to []byte) (int, error) {
	b.isBegun.Store(true)
	n, err := b.from.Read(to)
	var limit *http.MaxBytesError
	switch {
	case err == nil || err == io.EOF:
	case errors.As(err, &limit):
		b.isTooLarge.Store(true)
	default:
		b.isBroken.Store(true)
	}
	return n, err
}

// Close leaves the body to the next attempt. ReverseProxy ends it with the request.
func (b *sentBody) Close() error { return nil }

// hasBegun tells whether something of the body is gone. A request without one is nil.
func (b *sentBody) hasBegun() bool { return b != nil && b.isBegun.Load() }

// refusal is what the body itself is refused with, or nil.
func (b *sentBody) refusal() *problem {
	switch {
	case b == nil:
		return nil
	case b.isTooLarge.Load():
		return tooLarge
	case b.isBroken.Load():
		return brokenBody
	}
	return nil
}

// refuseLength answers a request whose body will be too large. On HTTP/1.1 many callers send all of it before they
// look for an answer.
func (g *gateway) refuseLength(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor > 1 || r.Header.Get("Expect") != "" {
		g.refuse(w, tooLarge)
		return
	}
	controller := http.NewResponseController(w)
	w.Header().Set("Connection", "close")
	// Where one of these fails, the caller is gone.
	_ = controller.EnableFullDuplex()
	g.refuse(w, tooLarge)
	_ = controller.Flush()
	_ = controller.SetReadDeadline(time.Now().Add(dropLimit))
	_, _ = io.CopyN(io.Discard, r.Body, droppedBytes)
}
