package main

import (
	"crypto/tls"
	"fmt"
)

// serverTLS shows callers the certificate. What ALPN offers follows from the versions of the server.
func serverTLS(certificate *tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{*certificate}}
}

// clientTLS trusts the one authority alone, for the name or address of the upstream's URL.
func clientTLS(upstream upstreamConfig) *tls.Config {
	settings := &tls.Config{RootCAs: upstream.authorities}
	if upstream.protocol == h2 {
		// The transport would speak HTTP/1.1 to a server that answers no protocol, whatever its versions are.
		settings.VerifyConnection = requireHTTP2
	}
	return settings
}

func requireHTTP2(state tls.ConnectionState) error {
	if state.NegotiatedProtocol != "h2" {
		return fmt.Errorf("the upstream does not agree to h2, but to %q", state.NegotiatedProtocol)
	}
	return nil
}
