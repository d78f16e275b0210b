package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// config is the environment, validated.
type config struct {
	listen   string
	database databaseConfig
	country  countryConfig
	logLevel slog.Level
}

// databaseConfig is what concerns the connections to the database.
type databaseConfig struct {
	user, password, address, name string
	poolSize                      int
	// timeout bounds each wait: for a connection of the pool, for one to be made, for the next bytes.
	timeout time.Duration
}

// countryConfig is what concerns the look-ups.
type countryConfig struct {
	url           string // scheme and authority
	timeout       time.Duration
	connections   int
	strategy      string
	width         int
	batchSize     int
	retries       int
	retryInterval time.Duration
	hasBreaker    bool
}

const (
	sequential = "sequential"
	concurrent = "concurrent"
	batched    = "batched"
)

const longestMilliseconds = 60_000

var logLevels = map[string]slog.Level{
	"error": slog.LevelError, "warn": slog.LevelWarn, "info": slog.LevelInfo, "debug": slog.LevelDebug,
}

// databaseURL has no escapes, so that its parts are what they look like.
var databaseURL = regexp.MustCompile(`^mysql://([^:@/%]+):([^@/%]*)@([^:@/%]+):([0-9]+)/([^/?#%]+)$`)

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
		listen:   net.JoinHostPort(e.host(), strconv.Itoa(port)),
		database: e.database(),
		country:  e.country(),
	}
	e.oneOf("CLIENT_PROTOCOL", "h1c")
	e.oneOf("LOOKUP_PROTOCOL", "h1c")
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
		timeout:  e.milliseconds("DB_TIMEOUT_MS", 1, 1000),
	}
	value, _ := e.lookUp("DATABASE_URL")
	parts := databaseURL.FindStringSubmatch(value)
	if parts == nil || !isNumber(parts[4], 1, 65535) {
		// Its value holds a password, and is not shown.
		e.fail("DATABASE_URL must be like mysql://user:password@127.0.0.1:3306/conferencedb")
		return result
	}
	result.user, result.password, result.name = parts[1], parts[2], parts[5]
	result.address = net.JoinHostPort(parts[3], parts[4])
	return result
}

func (e *environment) country() countryConfig {
	return countryConfig{
		url:           e.origin("COUNTRY_URL"),
		timeout:       e.milliseconds("COUNTRY_TIMEOUT_MS", 1, 2000),
		connections:   e.number("COUNTRY_CONNECTIONS", 1, 1000, 64),
		strategy:      e.oneOf("STRATEGY", sequential, concurrent, batched),
		width:         e.number("WIDTH", 1, 1000, 8),
		batchSize:     e.number("BATCH_SIZE", 1, 1000, 100),
		retries:       e.number("RETRIES", 0, 10, 0),
		retryInterval: e.milliseconds("RETRY_INTERVAL_MS", 0, 100),
		hasBreaker:    e.oneOf("BREAKER", "off", "on") == "on",
	}
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

// origin reads a scheme and an authority, and refuses what would be lost.
func (e *environment) origin(name string) string {
	value, _ := e.lookUp(name)
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" || u.User != nil ||
		(u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "" {
		e.fail("%s must be like http://127.0.0.1:9000, not %q", name, value)
		return ""
	}
	return "http://" + u.Host
}
