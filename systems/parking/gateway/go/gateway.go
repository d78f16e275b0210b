package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"strconv"
	"time"
)

// gateway finds what is wrong with a request in the order of the SPEC, and hands on what is right.
type gateway struct {
	// name is what X-Instance-Id says.
	name    string
	tokens  *tokens
	pages   pages
	isReady func() bool
	forward http.Handler
	logger  *log.Logger
}

func newGateway(
	name string, config config, known *instances, isReady func() bool, logger *log.Logger,
) *gateway {
	g := &gateway{
		name:    name,
		tokens:  newTokens(config.secret, time.Now),
		pages:   pages{config.origin},
		isReady: isReady,
		logger:  logger,
	}
	g.forward = newForward(newAttempts(config.upstream, known, newComplaints(logger)), g.fail)
	return g
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer g.answerPanic(w)
	x := newExchange(w, r)
	w.Header().Set("X-Request-Id", x.id)
	if g.pages.isFrom(r) {
		if isPreflight(r) {
			g.answerPreflight(w)
			return
		}
		g.pages.allow(w.Header())
	}
	if x.path == "/health" {
		g.answerHealth(w, r)
		return
	}
	switch refusal := g.refusalOf(x); refusal {
	case nil:
		g.forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
	case tooLarge:
		g.refuseLength(w, r)
	default:
		g.refuse(w, refusal)
	}
}

// refusalOf looks at path, token and size. It is nil where the request may pass.
func (g *gateway) refusalOf(x *exchange) *problem {
	switch {
	case hasDotSegment(x.path):
		return malformed
	case !isOfUsers(x.path):
		return notFound
	}
	if !isOpen(x.request.Method, x.path) {
		from, refusal := g.tokens.authenticate(x.request.Header["Authorization"])
		if refusal != nil {
			return refusal
		}
		x.caller = from
	}
	if x.request.ContentLength > longestBodyBytes {
		return tooLarge
	}
	return nil
}

func (g *gateway) answerPreflight(w http.ResponseWriter) {
	g.pages.answerPreflight(w.Header())
	g.mark(w.Header())
	w.WriteHeader(http.StatusNoContent)
}

func (g *gateway) answerHealth(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		g.refuse(w, methodNotAllowed)
	case !g.isReady():
		g.refuse(w, unavailable)
	default:
		g.answer(w, http.StatusOK, "application/json", []byte(`{"status":"up"}`))
	}
}

// fail answers where no answer came from an instance.
func (g *gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r)
	if x.request.Context().Err() != nil {
		panic(http.ErrAbortHandler) // The caller is gone: nobody to answer, and nothing has failed.
	}
	refusal := upstreamFailed
	errors.As(err, &refusal)
	if refusal == brokenBody && x.request.ProtoMajor == 1 {
		w.Header().Set("Connection", "close") // Whatever comes behind it is no request.
	}
	g.refuse(w, refusal)
	if x.body != nil {
		// What is left of the body is waited for before the handler ends. Where this fails, the caller is gone.
		_ = http.NewResponseController(w).Flush()
	}
}

func (g *gateway) refuse(w http.ResponseWriter, refusal *problem) {
	refusal.mark(w.Header())
	g.answer(w, refusal.status, "application/problem+json", refusal.body)
}

// answer sends what the gateway says itself.
func (g *gateway) answer(w http.ResponseWriter, status int, contentType string, body []byte) {
	header := w.Header()
	g.mark(header)
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// Where it fails, the caller is gone.
	_, _ = w.Write(body)
}

// mark sets the fields that all answers of the gateway itself have.
func (g *gateway) mark(header http.Header) {
	header.Set("Cache-Control", "no-store")
	header.Set("X-Instance-Id", g.name)
}

// answerPanic answers for what should never happen.
func (g *gateway) answerPanic(w http.ResponseWriter) {
	switch cause := recover(); cause {
	case nil:
	case http.ErrAbortHandler:
		panic(cause)
	default:
		g.logger.Printf("a request failed: %v", cause)
		g.refuse(w, internal)
	}
}
