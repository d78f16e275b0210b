package main

import (
	"crypto/tls"
	"regexp"
	"strconv"
	"time"
)

// config is the environment, validated, and the TLS material that it names.
type config struct {
	listen string
	// speaks is what callers speak.
	speaks protocol
	// certificate is nil where they do not come over TLS.
	certificate *tls.Certificate
	database    databaseConfig
	tokens      tokensConfig
	// internalKey is what other services send.
	internalKey string
	// registry is the authority of the one to register at; empty where there is none.
	registry string
}

// databaseConfig is what concerns the connections to the database.
type databaseConfig struct {
	user, password, host, name string
	port                       uint16
	poolSize                   int
	// poolWait bounds the wait for a connection of the pool.
	poolWait time.Duration
}

// tokensConfig is what concerns the tokens.
type tokensConfig struct {
	secret          string
	lifetimeSeconds int
}

const (
	shortestSecret = 32
	longestSecret  = 256
	shortestKey    = 16
	longestKey     = 256

	poolWait = time.Second
)

// databaseURL has no escapes, so that its parts are what they look like.
var databaseURL = regexp.MustCompile(`^postgres://([^:@/%]+):([^@/%]*)@([^:@/%]+):([0-9]+)/([^/?#%]+)$`)

// readConfig reads the variables that every stack takes. The error names the first that is wrong.
func readConfig(lookUp func(string) (string, bool)) (config, error) {
	e := &environment{lookUp: lookUp}
	result := config{
		listen:      e.listen(),
		speaks:      protocol(e.word("UPSTREAM_PROTOCOL", string(h1c), string(h1), string(h2c), string(h2))),
		database:    e.database(),
		tokens:      e.tokens(),
		internalKey: e.secret("INTERNAL_KEY", shortestKey, longestKey),
	}
	if result.speaks.overTLS() {
		result.certificate = e.certificate()
	}
	if e.word("REGISTRY", "static", "eureka") == "eureka" {
		result.registry = e.authority("REGISTRY_URL", "http")
	}
	e.word("DISCOVERY_PROTOCOL", string(h1c))
	e.refuseEmpty("TLS_CERT", "TLS_KEY", "REGISTRY_URL")
	return result, e.err
}

func (e *environment) database() databaseConfig {
	result := databaseConfig{poolSize: e.number("POOL_SIZE", 1, 1000, 10), poolWait: poolWait}
	value, _ := e.lookUp("DATABASE_URL")
	parts := databaseURL.FindStringSubmatch(value)
	if parts == nil || !isNumber(parts[4], 1, 65535) {
		// Its value holds a password, and is not shown.
		e.fail("DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/park")
		return result
	}
	port, _ := strconv.Atoi(parts[4])
	result.user, result.password, result.host, result.name = parts[1], parts[2], parts[3], parts[5]
	result.port = uint16(port)
	return result
}

func (e *environment) tokens() tokensConfig {
	return tokensConfig{
		secret:          e.secret("JWT_SECRET", shortestSecret, longestSecret),
		lifetimeSeconds: e.number("TOKEN_SECONDS", 1, 86_400, 600),
	}
}
