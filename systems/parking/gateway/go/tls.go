package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// file reads the name of a file that is needed.
func (e *environment) file(name string) string {
	value, _ := e.lookUp(name)
	if value == "" {
		e.fail("%s must be a file in PEM, not %q", name, value)
	}
	return value
}

func (e *environment) certificate() *tls.Certificate {
	chain, key := e.file("TLS_CERT"), e.file("TLS_KEY")
	if chain == "" || key == "" {
		return nil
	}
	certificate, err := tls.LoadX509KeyPair(chain, key)
	if err != nil {
		e.fail("TLS_CERT and TLS_KEY must be a chain and its key in PEM: %w", err)
	}
	return &certificate
}

func (e *environment) authorities() *x509.CertPool {
	name := e.file("TLS_CA")
	if name == "" {
		return nil
	}
	authorities := x509.NewCertPool()
	text, err := os.ReadFile(name)
	switch {
	case err != nil:
		e.fail("TLS_CA must be a certificate in PEM: %w", err)
	case !authorities.AppendCertsFromPEM(text):
		e.fail("TLS_CA must be a certificate in PEM: %s has none", name)
	}
	return authorities
}

// serverTLS shows callers the certificate. What ALPN offers follows from the versions of the server.
func serverTLS(certificate *tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
}

// clientTLS trusts the one authority alone, for the name or address of the instance.
func clientTLS(upstream upstreamConfig) *tls.Config {
	settings := &tls.Config{RootCAs: upstream.authorities, MinVersion: tls.VersionTLS12}
	if upstream.protocol == h2 {
		// The transport would speak HTTP/1.1 to a server that answers no protocol, whatever its versions are.
		settings.VerifyConnection = requireHTTP2
	}
	return settings
}

func requireHTTP2(state tls.ConnectionState) error {
	if state.NegotiatedProtocol != "h2" {
		return fmt.Errorf("the service does not agree to h2, but to %q", state.NegotiatedProtocol)
	}
	return nil
}
