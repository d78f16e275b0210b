package main

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
)

// services are what the operations need.
type services struct {
	pool      *pool
	tokens    *tokens
	passwords *passwords
	logger    *slog.Logger
}

// operation answers a request, or says by its error why it cannot. What is returned beside an error is not
// sent.
type operation func(r *http.Request) (answer, error)

// errCallerGone says that nobody waits for an answer any more.
var errCallerGone = errors.New("the caller went away")

// anID is an id in a path; a path with another text there is unknown.
const anID = "/{id:[1-9][0-9]{0,15}}"

// newRoutes looks for faults in the order of the SPEC: chi finds path and method, then the middleware of a
// group looks at the token and the role, and the operation at all else.
func newRoutes(s services) http.Handler {
	accounts := &accounts{s.pool, s.tokens, s.passwords}
	clubs := &clubs{s.pool}
	facilities := &facilities{s.pool}
	reservations := &reservations{s.pool}
	ratings := &ratings{s.pool}
	health := &health{s.pool}

	router := chi.NewRouter()
	router.Use(refuseEmptyParts)
	router.NotFound(func(w http.ResponseWriter, _ *http.Request) { notFound.send(w) })
	router.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { refuseMethod(router, w, r) })

	router.Get("/healthz", s.handle("live", health.live))
	router.Get("/readyz", s.handle("ready", health.ready))
	router.Post("/accounts", s.handle("sign-up", accounts.signUp))
	router.Post("/auth/login", s.handle("log-in", accounts.logIn))

	router.Group(func(all chi.Router) {
		all.Use(s.tokens.authenticate)
		all.Get("/accounts/me", s.handle("me", accounts.me))
		all.Get("/clubs", s.handle("list-clubs", clubs.list))
		all.Get("/clubs"+anID, s.handle("get-club", clubs.get))
		all.Get("/facilities", s.handle("list-facilities", facilities.list))
		all.Get("/facilities"+anID, s.handle("get-facility", facilities.get))
		all.Get("/facilities"+anID+"/slots", s.handle("list-slots", facilities.listSlots))
		all.Get("/facilities"+anID+"/ratings", s.handle("list-ratings", ratings.list))
		all.Get("/reservations", s.handle("list-reservations", reservations.list))
		all.Get("/reservations"+anID, s.handle("get-reservation", reservations.get))
	})
	router.Group(func(owners chi.Router) {
		owners.Use(s.tokens.authenticate, only(owner))
		owners.Post("/clubs", s.handle("create-club", clubs.create))
		owners.Put("/clubs"+anID, s.handle("replace-club", clubs.replace))
		owners.Post("/clubs"+anID+"/facilities", s.handle("add-facility", facilities.add))
		owners.Put("/facilities"+anID, s.handle("replace-facility", facilities.replace))
		owners.Delete("/facilities"+anID, s.handle("retire-facility", facilities.retire))
		owners.Post("/reservations"+anID+"/accept", s.handle("accept", reservations.accept))
		owners.Post("/reservations"+anID+"/reject", s.handle("reject", reservations.reject))
	})
	router.Group(func(players chi.Router) {
		players.Use(s.tokens.authenticate, only(player))
		players.Post("/reservations", s.handle("reserve", reservations.reserve))
		players.Post("/reservations"+anID+"/cancel", s.handle("cancel", reservations.cancel))
		players.Put("/reservations"+anID+"/rating", s.handle("rate", ratings.rate))
	})
	return router
}

func (s services) handle(name string, serve operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answered, err := serve(r)
		if err == nil {
			answered.send(w)
			return
		}
		if errors.Is(err, errCallerGone) {
			// Nobody is there to be answered, and nothing has failed. To return would send an empty 200.
			panic(http.ErrAbortHandler)
		}
		var failed *problem
		if !errors.As(err, &failed) {
			failed = internal(err)
		}
		if failed.status >= 500 {
			s.logger.Warn("request failed", "operation", name, "error", failed)
		}
		failed.send(w)
	}
}

// refuseEmptyParts is the middleware before chi looks at the path. No path has an empty part, but chi 5.5 takes
// one for an id where the path goes on behind it, although the pattern of an id does not match it.
func refuseEmptyParts(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "//") {
			notFound.send(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refuseMethod is also asked for methods that chi does not know, before it has looked at the path.
func refuseMethod(router chi.Routes, w http.ResponseWriter, r *http.Request) {
	// Escapes stay as they are, as chi compares paths, and no path has one.
	path := r.URL.EscapedPath()
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		if router.Match(chi.NewRouteContext(), method, path) {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		notFound.send(w)
		return
	}
	methodNotAllowed(strings.Join(allowed, ", ")).send(w)
}

// pathID is the id in the path of a request that was routed by one.
func pathID(r *http.Request) int64 {
	id, _ := strconv.ParseInt(chi.URLParam(r, "id"), 10, 64)
	return id
}
