package main

import (
	"crypto/tls"
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

// pem reads a file that is needed; what it has is looked at later.
func (e *environment) pem(name string) []byte {
	path := e.file(name)
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		e.fail("%s must be a file that can be read: %w", name, err)
	}
	return text
}

func (e *environment) certificate() *tls.Certificate {
	chain, key := e.pem("TLS_CERT"), e.pem("TLS_KEY")
	if chain == nil || key == nil {
		return nil
	}
	certificate, err := tls.X509KeyPair(chain, key)
	if err != nil {
		e.fail("TLS_CERT and TLS_KEY must be a chain and its key in PEM: %w", err)
	}
	return &certificate
}

// serverTLS shows callers the certificate. What ALPN offers follows from the versions of the server.
func serverTLS(certificate *tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
}
