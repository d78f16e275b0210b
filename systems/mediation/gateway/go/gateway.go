package main

import (
	"log"
	"net/http"
)

// newGateway routes the scenarios, which share their way to the upstream.
func newGateway(upstream upstreamConfig, logger *log.Logger) http.Handler {
	forward := newUpstream(upstream, logger)
	return routes{
		"/passthrough": passThrough(forward),
		"/transform":   transform(forward),
	}
}

// routes are handlers of POST by their exact path. ServeMux would redirect a path such as
// //passthrough, where the SPEC says 404.
type routes map[string]http.Handler

func (routes routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handler, found := routes[r.URL.EscapedPath()]
	switch {
	case !found:
		http.NotFound(w, r)
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "only POST", http.StatusMethodNotAllowed)
	default:
		handler.ServeHTTP(w, r)
	}
}
