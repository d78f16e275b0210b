package main

import "net/http"

// protocol is what one leg speaks, in the words of the SPEC.
type protocol string

const (
	h1c         protocol = "h1c"
	h1          protocol = "h1"
	h2c         protocol = "h2c"
	h2          protocol = "h2"
	h2Downgrade protocol = "h2-downgrade"
)

var protocols = []protocol{h1c, h1, h2c, h2, h2Downgrade}

func (p protocol) overTLS() bool { return p == h1 || p == h2 || p == h2Downgrade }

func (p protocol) scheme() string {
	if p.overTLS() {
		return "https"
	}
	return "http"
}

// versions are those that net/http may use on the leg; over TLS they are also what ALPN offers.
func (p protocol) versions() *http.Protocols {
	versions := new(http.Protocols)
	versions.SetHTTP1(p == h1c || p == h1 || p == h2Downgrade)
	versions.SetHTTP2(p == h2 || p == h2Downgrade)
	versions.SetUnencryptedHTTP2(p == h2c)
	return versions
}
