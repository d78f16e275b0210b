package main

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// config is the environment, validated.
type config struct{ listen string }

const onlyProtocol = "h1c"

// readConfig reads the variables that every stack takes. The error names the first that is wrong.
func readConfig(lookUp func(string) (string, bool)) (config, error) {
	port, _ := lookUp("PORT")
	if !isPort(port) {
		return config{}, fmt.Errorf("PORT must be a number from 0 to 65535, not %q", port)
	}
	if speaks, isSet := lookUp("DISCOVERY_PROTOCOL"); isSet && speaks != onlyProtocol {
		return config{}, fmt.Errorf("DISCOVERY_PROTOCOL must be %s, not %q", onlyProtocol, speaks)
	}
	host, isSet := lookUp("HOST")
	if !isSet {
		host = "127.0.0.1"
	}
	if address, err := netip.ParseAddr(host); err != nil || !address.Is4() {
		return config{}, fmt.Errorf("HOST must be an IPv4 address, not %q", host)
	}
	return config{net.JoinHostPort(host, port)}, nil
}

func isPort(text string) bool {
	// The parser of the language would take a sign.
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return false
	}
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}
