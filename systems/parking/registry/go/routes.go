package main

import (
	"io"
	"net/http"
	"strconv"
)

const longestBodyBytes = 1 << 20

// routes are the operations of Eureka's protocol.
type routes struct{ known *leases }

func newRoutes(known *leases) http.Handler {
	r := &routes{known}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /eureka/apps", r.listAll)
	mux.HandleFunc("GET /eureka/apps/{$}", r.listAll)
	mux.HandleFunc("GET /eureka/apps/{application}", r.listOne)
	mux.HandleFunc("POST /eureka/apps/{application}", r.register)
	mux.HandleFunc("PUT /eureka/apps/{application}/{id}", r.renew)
	mux.HandleFunc("DELETE /eureka/apps/{application}/{id}", r.deregister)
	mux.HandleFunc("PUT /eureka/apps/{application}/{id}/status", r.override)
	mux.HandleFunc("DELETE /eureka/apps/{application}/{id}/status", r.endOverride)
	return mux
}

func (r *routes) listAll(w http.ResponseWriter, _ *http.Request) {
	body := r.known.appendAll([]byte(`{"applications":{"application":[`))
	send(w, append(body, `]}}`...))
}

func (r *routes) listOne(w http.ResponseWriter, request *http.Request) {
	body, isKnown := r.known.appendApplication([]byte(`{"application":`), request.PathValue("application"))
	if !isKnown {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	send(w, append(body, '}'))
}

func (r *routes) register(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, longestBodyBytes))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	registered, err := readInstance(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.known.register(request.PathValue("application"), registered)
	w.WriteHeader(http.StatusNoContent)
}

func (r *routes) renew(w http.ResponseWriter, request *http.Request) {
	tell(w, r.known.renew(namesIn(request)))
}

func (r *routes) deregister(w http.ResponseWriter, request *http.Request) {
	tell(w, r.known.deregister(namesIn(request)))
}

func (r *routes) override(w http.ResponseWriter, request *http.Request) {
	status := request.URL.Query().Get("value")
	if !isStatus(status) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	application, id := namesIn(request)
	tell(w, r.known.override(application, id, status))
}

func (r *routes) endOverride(w http.ResponseWriter, request *http.Request) {
	status := request.URL.Query().Get("value")
	if status != "" && !isStatus(status) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	application, id := namesIn(request)
	tell(w, r.known.endOverride(application, id, status))
}

func namesIn(request *http.Request) (application, id string) {
	return request.PathValue("application"), request.PathValue("id")
}

// tell answers whether the instance was known.
func tell(w http.ResponseWriter, isKnown bool) {
	if isKnown {
		w.WriteHeader(http.StatusOK)
	} else {
		w.WriteHeader(http.StatusNotFound)
	}
}

func send(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	// Where it fails, the caller is gone.
	_, _ = w.Write(body)
}
