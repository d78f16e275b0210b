package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"
)

const (
	copyBufferBytes = 32 << 10
	// A part of an answer whose length is known waits as long for the next one. Others are passed on at once.
	partLimit = time.Millisecond
)

// newForward hands requests to an instance and its answers back. They were exchanges before; fail answers where
// there is no answer.
func newForward(through http.RoundTripper, fail func(http.ResponseWriter, *http.Request, error)) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:        rewrite,
		Transport:      through,
		FlushInterval:  partLimit,
		ErrorLog:       log.New(io.Discard, "", 0), // It has nothing to say but that an answer broke off.
		BufferPool:     &bufferPool{},
		ModifyResponse: leaveOwnFields,
		ErrorHandler:   fail,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			// An answer may begin before the request has been read to its end. Without this, HTTP/1.1 of net/http
			// then closes the request under the transport, which breaks off the exchange; HTTP/2 is always so.
			if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
				panic(err)
			}
			// What the transport did not read is then left to the handler; net/http would come too late.
			defer r.Body.Close()
		}
		// A nil entry stops net/http from guessing a type that the service did not send.
		w.Header()["Content-Type"] = nil
		// No protocol is switched to, whatever the caller wishes.
		r.Header.Del("Upgrade")
		proxy.ServeHTTP(w, r)
		if r.ContentLength != 0 {
			// An answer does not wait for a caller that still sends.
			_ = http.NewResponseController(w).Flush()
		}
	})
}

// rewrite makes the request to users; to which instance it goes is chosen later.
func rewrite(r *httputil.ProxyRequest) {
	x := exchangeOf(r.In)
	r.Out.Host = ""
	r.Out.URL = x.target()
	r.Out.Trailer = nil
	setFields(r, x)
	if r.Out.Body != nil {
		x.body = newSentBody(x.writer, r.Out.Body)
		r.Out.Body = x.body
	}
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
