package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// serveBefore starts the gateway in front of an upstream and returns its address.
func serveBefore(t *testing.T, upstream http.Handler, logs io.Writer) string {
	t.Helper()
	behind := httptest.NewServer(upstream)
	t.Cleanup(behind.Close)
	address, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	gateway := start(newGateway(upstreamConfig{url: address, protocol: h1c}, log.New(logs, "", 0)), logs)
	t.Cleanup(gateway.Close)
	return gateway.URL
}

// start lets a handler serve; whatever the server has to complain of goes to the same logs.
func start(handler http.Handler, logs io.Writer) *httptest.Server {
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(logs, "server: ", 0)
	server.Start()
	return server
}

func TestForwardedHeadersAreEndToEnd(t *testing.T) {
	seen := make(chan http.Header, 1)
	address := serveBefore(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen <- r.Header
	}), io.Discard)
	request, err := http.NewRequest(http.MethodPost, address+"/passthrough", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Forwarded-For", "192.0.2.1")
	request.Header.Set("Connection", "upgrade")
	request.Header.Set("Upgrade", "h2c")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	headers := <-seen
	if headers.Get("X-Forwarded-For") != "192.0.2.1" || headers.Get("Upgrade") != "" {
		t.Errorf("the upstream saw %v", headers)
	}
}

func TestAnAnswerMayBeginBeforeTheRequestHasEnded(t *testing.T) {
	address := serveBefore(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		controller := http.NewResponseController(w)
		if err := controller.EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		if err := controller.Flush(); err != nil {
			t.Error(err)
		}
		io.Copy(w, r.Body)
	}), io.Discard)
	sent, body := io.Pipe()
	response, err := http.Post(address+"/passthrough", "text/plain", sent)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	io.WriteString(body, "last")
	body.Close()
	if answer, err := io.ReadAll(response.Body); err != nil || string(answer) != "last" {
		t.Errorf("answered %q, %v", answer, err)
	}
}

func TestAFailedUpstreamIsLoggedAndAnsweredPlainly(t *testing.T) {
	var logs strings.Builder
	address := serveBefore(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}), &logs)
	response, err := http.Post(address+"/passthrough", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusBadGateway || string(body) != "the upstream failed\n" {
		t.Errorf("answered %d %q", response.StatusCode, body)
	}
	if !strings.HasPrefix(logs.String(), "upstream failed: ") {
		t.Errorf("logged %q", logs.String())
	}
}

func TestARequestThatNobodyReadsLeavesTheConnectionInOrder(t *testing.T) {
	away := httptest.NewServer(http.NotFoundHandler())
	address, err := url.Parse(away.URL)
	if err != nil {
		t.Fatal(err)
	}
	away.Close()
	var logs strings.Builder
	gateway := start(newGateway(upstreamConfig{url: address, protocol: h1c}, log.New(&logs, "", 0)), &logs)
	for range 2 { // on one connection
		response, err := http.Post(gateway.URL+"/passthrough", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusBadGateway {
			t.Errorf("answered %d", response.StatusCode)
		}
	}
	gateway.Close() // and with it every line is written
	if lines := strings.Split(strings.TrimSpace(logs.String()), "\n"); len(lines) != 2 {
		t.Errorf("logged %q", lines)
	}
}
