package main

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
)

// answer is one that went well.
type answer struct {
	status int
	body   []byte // none where it is nil
	link   string // to the next page, if there is one
}

// operation is one row of the SPEC's table.
type operation struct {
	name string
	// title is that of its answers of 5xx.
	title string
	serve func(r *http.Request) (answer, error)
}

// methods are the operations of a path.
type methods struct {
	allow      string
	operations map[string]operation
}

// routes know every operation by path and method. ServeMux would redirect some paths that are 404.
type routes struct {
	exact  map[string]methods
	one    methods // of a path with an id
	logger *slog.Logger
}

const pathOfOne = "/conferences/"

// errCallerGone says that nobody waits for an answer any more.
var errCallerGone = errors.New("the caller went away")

func newRoutes(c *conferences, logger *slog.Logger) http.Handler {
	const listing = "Error occurred while retrieving conferences"
	list := operation{"list", listing, c.list}
	insert := operation{"insert", "Error occurred while creating conference", c.insert}
	withCountry := operation{"with-country", listing + " with country", c.withCountry}
	get := operation{"get", "Error occurred while retrieving conference", c.get}
	replace := operation{"replace", "Error occurred while updating conference", c.replace}
	remove := operation{"remove", "Error occurred while removing conference", c.remove}
	live := operation{name: "live", serve: c.live}
	ready := operation{"ready", "Error occurred while asking the database", c.ready}
	only := func(o operation) methods { return methods{"GET", map[string]operation{"GET": o}} }
	return &routes{
		exact: map[string]methods{
			"/conferences":            {"GET, POST", map[string]operation{"GET": list, "POST": insert}},
			"/conferenceswithcountry": only(withCountry),
			"/healthz":                only(live),
			"/readyz":                 only(ready),
		},
		one: methods{"GET, PUT, DELETE",
			map[string]operation{"GET": get, "PUT": replace, "DELETE": remove}},
		logger: logger,
	}
}

func (s *routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation, err := s.find(r)
	var answered answer
	if err == nil {
		answered, err = operation.serve(r)
	}
	if err == nil {
		answered.send(w)
		return
	}
	if r.Context().Err() != nil || errors.Is(err, errCallerGone) {
		return // Nobody is there to be answered, and nothing has failed.
	}
	var failed *problem
	if !errors.As(err, &failed) {
		failed = internal(err)
	}
	if failed.status >= 500 {
		s.logger.Warn("request failed", "operation", operation.name, "error", failed)
	}
	failed.send(w, operation.title)
}

func (s *routes) find(r *http.Request) (operation, error) {
	// Escapes stay as they are, and no id has one.
	path := r.URL.EscapedPath()
	found, isExact := s.exact[path]
	if !isExact {
		id, isOne := strings.CutPrefix(path, pathOfOne)
		if !isOne || !isID(id) {
			return operation{}, notFound
		}
		found = s.one
	}
	operation, isAllowed := found.operations[r.Method]
	if !isAllowed {
		return operation, methodNotAllowed(found.allow)
	}
	return operation, nil
}

// idOf is the id in the path of a single row.
func idOf(r *http.Request) string { return r.URL.Path[len(pathOfOne):] }

func (a answer) send(w http.ResponseWriter) {
	if a.link != "" {
		w.Header().Set("Link", a.link)
	}
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	send(w, a.status, "application/json", a.body)
}

func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	// Where it fails, the caller is gone.
	_, _ = w.Write(body)
}
