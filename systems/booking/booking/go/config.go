package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// config is the environment, validated.
type config struct {
	listen       string
	database     databaseConfig
	tokens       tokensConfig
	passwordCost int
	logLevel     slog.Level
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
	longestMilliseconds = 60_000
	shortestSecret      = 32
	longestSecret       = 256
)

var logLevels = map[string]slog.Level{
	"error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug,
}

// databaseURL has no escapes, so that its parts are what they look like.
var databaseURL = regexp.MustCompile(`^postgres://([^:@/%]+):([^@/%]*)@([^:@/%]+):([0-9]+)/([^/?#%]+)$`)

// environment looks a variable up, and keeps the first error, which names the variable.
type environment struct {
	lookUp func(string) (string, bool)
	err    error
}

// readConfig reads the variables that every stack takes. The error names the first that is wrong.
func readConfig(lookUp func(string) (string, bool)) (config, error) {
	e := &environment{lookUp: lookUp}
	port := e.number("PORT", 0, 65535, -1)
	result := config{
		listen:       net.JoinHostPort(e.host(), strconv.Itoa(port)),
		database:     e.database(),
		tokens:       e.tokens(),
		passwordCost: e.number("PASSWORD_COST", 4, 14, 10),
	}
	e.oneOf("CLIENT_PROTOCOL", "h1c")
	result.logLevel = logLevels[e.oneOf("LOG_LEVEL", "warn", "error", "info", "debug")]
	return result, e.err
}

// host reads the IPv4 address to listen on.
func (e *environment) host() string {
	value, isSet := e.lookUp("HOST")
	if !isSet {
		return "127.0.0.1"
	}
	if address, err := netip.ParseAddr(value); err != nil || !address.Is4() {
		e.fail("HOST must be an IPv4 address, not %q", value)
	}
	return value
}

func (e *environment) database() databaseConfig {
	result := databaseConfig{
		poolSize: e.number("POOL_SIZE", 1, 1000, 10),
		poolWait: e.milliseconds("POOL_WAIT_MS", 1, 1000),
	}
	value, _ := e.lookUp("DATABASE_URL")
	parts := databaseURL.FindStringSubmatch(value)
	if parts == nil || !isNumber(parts[4], 1, 65535) {
		// Its value holds a password, and is not shown.
		e.fail("DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/booking")
		return result
	}
	port, _ := strconv.Atoi(parts[4])
	result.user, result.password, result.host, result.name = parts[1], parts[2], parts[3], parts[5]
	result.port = uint16(port)
	return result
}

func (e *environment) tokens() tokensConfig {
	secret, _ := e.lookUp("JWT_SECRET")
	if len(secret) < shortestSecret || len(secret) > longestSecret || !isVisibleASCII(secret) {
		// Its value signs tokens, and is not shown.
		e.fail("JWT_SECRET must be %d to %d characters of visible ASCII", shortestSecret, longestSecret)
	}
	return tokensConfig{secret: secret, lifetimeSeconds: e.number("JWT_TTL", 1, 86_400, 3600)}
}

// fail keeps the first error.
func (e *environment) fail(format string, arguments ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, arguments...)
	}
}

// number reads a whole number in digits alone. A negative default means that there is none.
func (e *environment) number(name string, least, most, byDefault int) int {
	value, isSet := e.lookUp(name)
	if !isSet && byDefault >= 0 {
		return byDefault
	}
	if !isNumber(value, least, most) {
		e.fail("%s must be a number from %d to %d, not %q", name, least, most, value)
		return 0
	}
	number, _ := strconv.Atoi(value)
	return number
}

func isNumber(text string, least, most int) bool {
	// The parser of the language would take a sign.
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return false
	}
	number, err := strconv.Atoi(text)
	return err == nil && number >= least && number <= most
}

func isVisibleASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

func (e *environment) milliseconds(name string, least, byDefault int) time.Duration {
	return time.Duration(e.number(name, least, longestMilliseconds, byDefault)) * time.Millisecond
}

// oneOf reads a word; the first one is the default.
func (e *environment) oneOf(name string, words ...string) string {
	value, isSet := e.lookUp(name)
	if !isSet {
		return words[0]
	}
	if !slices.Contains(words, value) {
		e.fail("%s must be %s, not %q", name, strings.Join(words, " or "), value)
	}
	return value
}
