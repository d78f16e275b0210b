package main

import (
	"errors"
	"log"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"
)

// parts are what the operations need.
type parts struct {
	// name is what X-Instance-Id says.
	name        string
	pool        *pool
	tokens      *tokens
	passwords   *passwords
	internalKey string
	logger      *log.Logger
	complaints  *complaints
}

// operation answers a request, or says by its error why it cannot. What is returned beside an error is not
// sent. The caller is nobody where its guard looks at no identity.
type operation func(r *http.Request, from caller) (answer, error)

// errCallerGone says that nobody waits for an answer any more.
var errCallerGone = errors.New("the caller went away")

// These are parts of a path; a path with another text there is unknown.
const (
	anID   = "/{id:[1-9][0-9]{0,15}}"
	aPlate = "/{plate:" + plateForm + "}"
)

// newRoutes looks for faults in the order of the SPEC: chi finds path and method, then the guard looks at the
// identity and what it may do, and the operation at all else.
func newRoutes(p parts) http.Handler {
	users := &users{p.pool, p.passwords}
	logins := &logins{p.pool, p.passwords, p.tokens}
	vehicles := &vehicles{p.pool}
	payments := &payments{p.pool}
	coins := &coins{p.pool}
	health := &health{p.pool}
	managers := only(supervisor, customerManager)

	router := chi.NewRouter()
	router.Use(p.mark, refuseEmptyParts)
	router.NotFound(func(w http.ResponseWriter, _ *http.Request) { notFound.send(w) })
	router.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { refuseMethod(router, w, r) })

	router.Get("/health", p.handle("health", anyone, health.get))
	router.Post("/users", p.handle("create-user", anyone, users.create))
	router.Post("/users/login", p.handle("login", anyone, logins.login))
	router.Get("/users", p.handle("list-users", callers(managers), users.list))
	router.Get("/users/top-coins", p.handle("top-coins", callers(managers), coins.top))
	router.Post("/users/coins", p.handle("grant-coins", callers(only(customerManager)), coins.grant))
	router.Post("/internal/coins/debits", p.handle("debit", services(p.internalKey), coins.debit))

	const one = "/users" + anID
	router.Get(one, p.handle("get-user", callers(either(own, managers)), users.get))
	router.Put(one+"/status", p.handle("set-status", callers(only(supervisor)), users.setStatus))
	router.Get(one+"/vehicles", p.handle("vehicles", callers(own), vehicles.list))
	router.Put(one+"/vehicles"+aPlate, p.handle("put-vehicle", callers(both(own, only(customer))), vehicles.put))
	router.Get(one+"/payment-method", p.handle("payment-method", callers(own), payments.get))
	router.Put(one+"/payment-method", p.handle("set-payment-method", callers(own), payments.set))
	router.Get(one+"/coins", p.handle("wallet", callers(either(own, only(customerManager))), coins.wallet))
	return router
}

func (p parts) handle(name string, guard guard, serve operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		from, err := guard(r)
		if err != nil {
			p.refuse(w, name, err)
			return
		}
		answered, err := serve(r, from)
		if err != nil {
			p.refuse(w, name, err)
			return
		}
		answered.send(w)
	}
}

func (p parts) refuse(w http.ResponseWriter, operation string, err error) {
	if errors.Is(err, errCallerGone) {
		// Nobody is there to be answered, and nothing has failed. To return would send an empty 200.
		panic(http.ErrAbortHandler)
	}
	var refusal *problem
	if !errors.As(err, &refusal) {
		refusal = internal(err)
	}
	switch {
	case refusal.status == http.StatusServiceUnavailable:
		p.complaints.printf("%s was not available: %q", operation, causeOf(refusal.cause))
	case refusal.status >= http.StatusInternalServerError:
		p.logger.Printf("%s failed: %q", operation, causeOf(refusal.cause))
	}
	refusal.send(w)
}

// mark is the middleware that sets the fields of all answers, and answers for what should never happen.
func (p parts) mark(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Instance-Id", p.name)
		defer p.answerPanic(w)
		next.ServeHTTP(w, r)
	})
}

func (p parts) answerPanic(w http.ResponseWriter) {
	switch cause := recover(); cause {
	case nil:
	case http.ErrAbortHandler:
		panic(cause)
	default:
		p.logger.Printf("a request failed: %q", cause)
		internal(nil).send(w)
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
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
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
