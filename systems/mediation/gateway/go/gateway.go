package main

import (
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

const (
	upstreamPath = "/service/EchoService"

	connectTimeout = 10 * time.Second
	// The wait for the head of an answer, as long as the published gateways waited.
	answerTimeout = 30 * time.Second
	// Above the users of any workload: an idle connection that is closed is dialled again.
	idleUpstreamConnections = 1024
	upstreamIdleTimeout     = 60 * time.Second
	copyBufferBytes         = 32 << 10
)

// newGateway routes POST /passthrough to the upstream; the mux answers 404 and 405 to all else.
func newGateway(upstream *url.URL, logger *log.Logger) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { rewrite(r, upstream) },
		Transport:    newTransport(),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) { fail(w, r, err, logger) },
		ErrorLog:     logger,
		BufferPool:   &bufferPool{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /passthrough", func(w http.ResponseWriter, r *http.Request) {
		// A nil entry stops net/http from guessing a type that the upstream did not send.
		w.Header()["Content-Type"] = nil
		// An answer may begin before the request has been read to its end. Without this, net/http then
		// closes the request under the transport, which breaks off the exchange.
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			panic(err)
		}
		// What the transport did not read is then left to the handler; net/http would come too late.
		defer r.Body.Close()
		proxy.ServeHTTP(w, r)
	})
	return mux
}

// rewrite addresses the outgoing request, and undoes what ReverseProxy does beyond the SPEC.
func rewrite(r *httputil.ProxyRequest, upstream *url.URL) {
	r.Out.Host = ""
	r.Out.URL = &url.URL{
		Scheme:   upstream.Scheme,
		Host:     upstream.Host,
		Path:     upstreamPath,
		RawQuery: r.In.URL.RawQuery,
	}
	// ReverseProxy takes these out, so that a client cannot forge them; here they are end-to-end.
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, sent := r.In.Header[name]; sent {
			r.Out.Header[name] = values
		}
	}
	// ReverseProxy supports upgrades and trailers, which end at this gateway; net/http has
	// answered Expect already.
	for _, name := range []string{"Connection", "Upgrade", "Te", "Expect"} {
		r.Out.Header.Del(name)
	}
}

func newTransport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Protocols:             protocols,
		DialContext:           (&net.Dialer{Timeout: connectTimeout}).DialContext,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   idleUpstreamConnections,
		IdleConnTimeout:       upstreamIdleTimeout,
		ResponseHeaderTimeout: answerTimeout,
	}
}

// fail answers for an upstream that gave no answer.
func fail(w http.ResponseWriter, r *http.Request, err error, logger *log.Logger) {
	if r.Context().Err() != nil {
		return // The client is gone: nobody to answer, and no failure of the upstream.
	}
	logger.Printf("upstream failed: %v", err)
	http.Error(w, "the upstream failed", http.StatusBadGateway)
}

// bufferPool spares an allocation of 32 KiB for every answer.
type bufferPool struct{ pool sync.Pool }

func (b *bufferPool) Get() []byte {
	if buffer, ok := b.pool.Get().(*[]byte); ok {
		return *buffer
	}
	return make([]byte, copyBufferBytes)
}

func (b *bufferPool) Put(buffer []byte) { b.pool.Put(&buffer) }
