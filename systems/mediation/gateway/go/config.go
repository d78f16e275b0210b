package main

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
)

// config is the environment, validated, and the TLS material that it names.
type config struct {
	listen string
	client protocol
	// certificate is nil where callers do not come over TLS.
	certificate *tls.Certificate
	upstream    upstreamConfig
}

// upstreamConfig is what concerns the upstream leg.
type upstreamConfig struct {
	url      *url.URL
	protocol protocol
	// authorities is nil where the leg is not over TLS.
	authorities *x509.CertPool
}

// readConfig reads the variables that every stack takes. The error names the variable.
func readConfig(variable func(string) string) (config, error) {
	port, err := strconv.ParseUint(variable("PORT"), 10, 16)
	if err != nil {
		return config{}, fmt.Errorf("PORT must be a number from 0 to 65535, not %q", variable("PORT"))
	}
	client, err := readProtocol(variable, "CLIENT_PROTOCOL")
	if err != nil {
		return config{}, err
	}
	upstream, err := readUpstream(variable)
	if err != nil {
		return config{}, err
	}
	host := cmp.Or(variable("HOST"), "127.0.0.1")
	if address, err := netip.ParseAddr(host); err != nil || !address.Is4() {
		return config{}, fmt.Errorf("HOST must be an IPv4 address, not %q", host)
	}
	listen := net.JoinHostPort(host, strconv.FormatUint(port, 10))
	result := config{listen: listen, client: client, upstream: upstream}
	if client.overTLS() {
		result.certificate, err = readCertificate(variable)
	}
	return result, err
}

func readProtocol(variable func(string) string, name string) (protocol, error) {
	value := protocol(variable(name))
	if value == "" {
		return h1c, nil
	}
	if !slices.Contains(protocols, value) {
		return "", fmt.Errorf("%s must be one of %v, not %q", name, protocols, value)
	}
	return value, nil
}

func readUpstream(variable func(string) string) (upstreamConfig, error) {
	protocol, err := readProtocol(variable, "UPSTREAM_PROTOCOL")
	if err != nil {
		return upstreamConfig{}, err
	}
	address, err := url.Parse(variable("UPSTREAM_URL"))
	if err != nil || address.Scheme != protocol.scheme() || !isOrigin(address) {
		return upstreamConfig{}, fmt.Errorf("UPSTREAM_URL must be like %s://127.0.0.1:8688 on %s, not %q",
			protocol.scheme(), protocol, variable("UPSTREAM_URL"))
	}
	upstream := upstreamConfig{url: address, protocol: protocol}
	if protocol.overTLS() {
		upstream.authorities, err = readAuthorities(variable)
	}
	return upstream, err
}

// isOrigin tells whether the URL is a scheme and an authority, and nothing that would be lost.
func isOrigin(u *url.URL) bool {
	return u.Hostname() != "" && (u.Path == "" || u.Path == "/") &&
		u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

func readCertificate(variable func(string) string) (*tls.Certificate, error) {
	certificate, err := tls.LoadX509KeyPair(variable("TLS_CERT"), variable("TLS_KEY"))
	if err != nil {
		return nil, fmt.Errorf("TLS_CERT and TLS_KEY must be a chain and its key in PEM: %w", err)
	}
	return &certificate, nil
}

func readAuthorities(variable func(string) string) (*x509.CertPool, error) {
	text, err := os.ReadFile(variable("TLS_CA"))
	if err != nil {
		return nil, fmt.Errorf("TLS_CA must be a certificate in PEM: %w", err)
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("TLS_CA must be a certificate in PEM: %s has none", variable("TLS_CA"))
	}
	return authorities, nil
}
