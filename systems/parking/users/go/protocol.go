package main

import "net/http"

// protocol is what one leg speaks, in the words of the SPEC.
type protocol string

const (
	h1c protocol = "h1c"
	h1  protocol = "h1"
	h2c protocol = "h2c"
	h2  protocol = "h2"
)

func (p protocol) overTLS() bool { return p == h1 || p == h2 }

func (p protocol) isHTTP2() bool { return p == h2c || p == h2 }

func (p protocol) scheme() string {
	if p.overTLS() {
		return "https"
	}
	return "http"
}

// versions are those that net/http may use on the leg; over TLS they are also what ALPN offers.
func (p protocol) versions() *http.Protocols {
	versions := new(http.Protocols)
	versions.SetHTTP1(!p.isHTTP2())
	versions.SetHTTP2(p == h2)
	versions.SetUnencryptedHTTP2(p == h2c)
	return versions
}
