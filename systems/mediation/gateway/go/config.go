package main

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
)

const h1c = "h1c"

// config is the environment, validated.
type config struct {
	listen   string
	upstream *url.URL
}

// readConfig reads the variables that every stack takes. The error names the variable.
func readConfig(variable func(string) string) (config, error) {
	port, err := strconv.ParseUint(variable("PORT"), 10, 16)
	if err != nil {
		return config{}, fmt.Errorf("PORT must be a number from 0 to 65535, not %q", variable("PORT"))
	}
	upstream, err := url.Parse(variable("UPSTREAM_URL"))
	if err != nil || !isOrigin(upstream) {
		return config{}, fmt.Errorf(
			"UPSTREAM_URL must be like http://127.0.0.1:8688, not %q", variable("UPSTREAM_URL"))
	}
	for _, name := range []string{"CLIENT_PROTOCOL", "UPSTREAM_PROTOCOL"} {
		if protocol := variable(name); protocol != "" && protocol != h1c {
			return config{}, fmt.Errorf("%s must be %s, not %q", name, h1c, protocol)
		}
	}
	listen := net.JoinHostPort("127.0.0.1", strconv.FormatUint(port, 10))
	return config{listen: listen, upstream: upstream}, nil
}

// isOrigin tells whether the URL is a scheme and an authority, and nothing that would be lost.
func isOrigin(u *url.URL) bool {
	return u.Scheme == "http" && u.Hostname() != "" && (u.Path == "" || u.Path == "/") &&
		u.RawQuery == "" && u.Fragment == "" && u.User == nil
}
