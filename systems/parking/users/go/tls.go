package main

import "crypto/tls"

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

// serverTLS shows callers the certificate. What ALPN offers follows from the versions of the server.
func serverTLS(certificate *tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
}
