package main

import (
	"math"
	"net"
	"net/http"
	"time"
)

const (
	// How long a connection may take to be made.
	connectLimit = time.Second
	// The service keeps its connections longer, so that none is written on that it is just ending.
	upstreamIdleTimeout = 30 * time.Second
	// On HTTP/2 the transport counts only connections with a free stream, so this bounds how many it dials
	// for requests that come at once, and not how many it has.
	dialsAtOnce = 4
)

func newTransport(upstream upstreamConfig) *http.Transport {
	transport := &http.Transport{
		Protocols:             upstream.protocol.versions(),
		DialContext:           (&net.Dialer{Timeout: connectLimit}).DialContext,
		TLSHandshakeTimeout:   connectLimit,
		DisableCompression:    true,
		MaxIdleConnsPerHost:   math.MaxInt,
		IdleConnTimeout:       upstreamIdleTimeout,
		ResponseHeaderTimeout: upstream.answerLimit,
	}
	if upstream.protocol.isHTTP2() {
		transport.MaxConnsPerHost = dialsAtOnce
	}
	if upstream.protocol.overTLS() {
		transport.TLSClientConfig = clientTLS(upstream)
	}
	return transport
}
