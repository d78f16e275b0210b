package main

import (
	"io"
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

	// Connection and handshake together stay within the 10 s of the SPEC.
	connectTimeout   = 5 * time.Second
	handshakeTimeout = 5 * time.Second
	// The wait for the head of an answer, as long as the published gateways waited.
	answerTimeout = 30 * time.Second
	// Above the users of any workload: an idle connection that is closed is dialled again.
	idleUpstreamConnections = 1024
	upstreamIdleTimeout     = 60 * time.Second
	// On HTTP/2 the transport counts only connections with a free stream, so this bounds how many it dials
	// for requests that come at once, and not how many it has.
	dialsAtOnce     = 4
	copyBufferBytes = 32 << 10
)

// newUpstream hands requests to the upstream and its answers back; a request it is given keeps body,
// query and end-to-end fields.
func newUpstream(upstream upstreamConfig, logger *log.Logger) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { rewrite(r, upstream.url) },
		Transport:    newTransport(upstream),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) { fail(w, r, err, logger) },
		ErrorLog:     logger,
		BufferPool:   &bufferPool{},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A nil entry stops net/http from guessing a type that the upstream did not send.
		w.Header()["Content-Type"] = nil
		proxy.ServeHTTP(w, r)
	})
}

// rewrite addresses the outgoing request.
func rewrite(r *httputil.ProxyRequest, upstream *url.URL) {
	r.Out.Host = ""
	r.Out.URL = &url.URL{
		Scheme:   upstream.Scheme,
		Host:     upstream.Host,
		Path:     upstreamPath,
		RawQuery: r.In.URL.RawQuery,
	}
	correctHeaders(r.Out.Header, r.In.Header)
	sendOnce(r.Out)
}

// sendOnce keeps the transport from sending a request again, which it does where it can get the body a
// second time: after a stream that was refused, or where a field calls the request idempotent.
func sendOnce(r *http.Request) {
	r.GetBody = nil
	if r.Body == nil {
		r.Body = io.NopCloser(emptyBody{})
	}
}

// emptyBody is http.NoBody without being known to the transport.
type emptyBody struct{}

func (emptyBody) Read([]byte) (int, error) { return 0, io.EOF }

func newTransport(upstream upstreamConfig) *http.Transport {
	transport := &http.Transport{
		Protocols:             upstream.protocol.versions(),
		DialContext:           (&net.Dialer{Timeout: connectTimeout}).DialContext,
		TLSHandshakeTimeout:   handshakeTimeout,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   idleUpstreamConnections,
		IdleConnTimeout:       upstreamIdleTimeout,
		ResponseHeaderTimeout: answerTimeout,
	}
	if upstream.protocol == h2 || upstream.protocol == h2c {
		transport.MaxConnsPerHost = dialsAtOnce
	}
	if upstream.protocol.overTLS() {
		transport.TLSClientConfig = clientTLS(upstream)
	}
	return transport
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
