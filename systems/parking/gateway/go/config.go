package main

import (
	"crypto/tls"
	"crypto/x509"
	"regexp"
	"strings"
	"time"
)

// config is the environment, validated, and the TLS material that it names.
type config struct {
	listen string
	client protocol
	// certificate is nil where callers do not come over TLS.
	certificate *tls.Certificate
	upstream    upstreamConfig
	instances   instancesConfig
	// secret is the key of the tokens' signatures.
	secret string
	// origin is the one whose pages may read answers; empty where none may.
	origin string
}

// upstreamConfig is what concerns the leg to users.
type upstreamConfig struct {
	protocol protocol
	// authorities is nil where the leg is not over TLS.
	authorities *x509.CertPool
	// answerLimit bounds the wait for the head of an answer.
	answerLimit time.Duration
}

// instancesConfig says where users is.
type instancesConfig struct {
	// static are authorities; none where a registry is asked.
	static []string
	// registry is an authority; empty where none is asked.
	registry string
}

const (
	shortestSecret = 32
	longestSecret  = 256

	mostInstances       = 16
	longestMilliseconds = 60_000
	beforeInstances     = "users="
)

var originShape = regexp.MustCompile(`^https?://[!-~]+$`)

// readConfig reads the variables that every stack takes. The error names the first that is wrong.
func readConfig(lookUp func(string) (string, bool)) (config, error) {
	e := &environment{lookUp: lookUp}
	result := config{
		listen:   e.listen(),
		client:   e.protocol("CLIENT_PROTOCOL"),
		upstream: e.upstream(),
		secret:   e.secret("JWT_SECRET", shortestSecret, longestSecret),
		origin:   e.origin(),
	}
	if result.client.overTLS() {
		result.certificate = e.certificate()
	}
	result.instances = e.instances(result.upstream.protocol.scheme())
	e.word("DISCOVERY_PROTOCOL", string(h1c))
	e.refuseEmpty("TLS_CERT", "TLS_KEY", "TLS_CA", "STATIC_INSTANCES", "REGISTRY_URL")
	return result, e.err
}

func (e *environment) protocol(name string) protocol {
	return protocol(e.word(name, string(h1c), string(h1), string(h2c), string(h2)))
}

func (e *environment) upstream() upstreamConfig {
	result := upstreamConfig{
		protocol:    e.protocol("UPSTREAM_PROTOCOL"),
		answerLimit: time.Duration(e.number("UPSTREAM_TIMEOUT_MS", 1, longestMilliseconds, 5000)) * time.Millisecond,
	}
	if result.protocol.overTLS() {
		result.authorities = e.authorities()
	}
	return result
}

func (e *environment) origin() string {
	value, isSet := e.lookUp("ALLOWED_ORIGIN")
	if !isSet {
		return ""
	}
	_, authority, _ := strings.Cut(value, "://")
	if !originShape.MatchString(value) || strings.ContainsAny(authority, "/?#@") {
		e.fail("ALLOWED_ORIGIN must be like https://park.example, not %q", value)
	}
	return value
}

func (e *environment) instances(scheme string) instancesConfig {
	if e.word("REGISTRY", "static", "eureka") == "eureka" {
		return instancesConfig{registry: e.authority("REGISTRY_URL", "http")}
	}
	value, _ := e.lookUp("STATIC_INSTANCES")
	static, areRight := staticInstances(value, scheme)
	if !areRight {
		e.fail("STATIC_INSTANCES must be %sURL with 1 to %d URLs like %s://127.0.0.1:8090, joined by commas, not %q",
			beforeInstances, mostInstances, scheme, value)
	}
	return instancesConfig{static: static}
}

func staticInstances(text, scheme string) ([]string, bool) {
	addresses, isOfUsers := strings.CutPrefix(text, beforeInstances)
	if !isOfUsers {
		return nil, false
	}
	var found []string
	for address := range strings.SplitSeq(addresses, ",") {
		authority, isRight := authorityOf(address, scheme)
		if !isRight {
			return nil, false
		}
		found = append(found, authority)
	}
	return found, len(found) <= mostInstances
}
