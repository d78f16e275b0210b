package main

import (
	"crypto/tls"
	"encoding/pem"
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

// textOf reads a file that is needed; it is nil where there is nothing of PEM in it.
func (e *environment) textOf(name string) []byte {
	path := e.file(name)
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		e.fail("%s must be a file in PEM: %w", name, err)
		return nil
	}
	if part, _ := pem.Decode(text); part == nil {
		e.fail("%s must be a file in PEM: it has none", name)
		return nil
	}
	return text
}

func (e *environment) certificate() *tls.Certificate {
	chain, key := e.textOf("TLS_CERT"), e.textOf("TLS_KEY")
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
