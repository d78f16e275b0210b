package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// serveWithoutDatabase starts the service before a database that accepts connections and never greets.
func serveWithoutDatabase(t *testing.T) string {
	t.Helper()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	logger := slog.New(slog.DiscardHandler)
	pool, err := openPool(databaseConfig{user: "user", password: "secret", address: silent.Addr().String(),
		name: "conferencedb", poolSize: 1, timeout: time.Millisecond}, logger)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.close)
	service := &conferences{rows: rows{pool}, countries: newCountries(configOf("http://127.0.0.1:1"))}
	server := httptest.NewServer(newRoutes(service, logger))
	t.Cleanup(server.Close)
	return server.URL
}

func ask(t *testing.T, method, url, contentType, body string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

func TestTheFirstFaultIsAnswered(t *testing.T) {
	url := serveWithoutDatabase(t)
	large := strings.Repeat("x", bodyLimitBytes+1)
	for _, asked := range []struct {
		method, path, contentType, body string
		status                          int
	}{
		{"POST", "/Conferences", "text/plain", large, 404},
		{"POST", "/conferences/", "text/plain", large, 404},
		{"GET", "//conferences", "", "", 404},
		{"GET", "/conferences/a%20b", "", "", 404},
		{"GET", "/conferences/" + strings.Repeat("a", 65), "", "", 404},
		{"PUT", "/conferences", "text/plain", large, 405},
		{"POST", "/conferences/a", "text/plain", large, 405},
		{"POST", "/conferences", "text/plain", large, 413},
		{"POST", "/conferences", "text/plain", "{", 415},
		{"POST", "/conferences", "application/jsonl", "{}", 415},
		{"POST", "/conferences", "Application/JSON ;charset=latin1", "{", 400},
		{"POST", "/conferences", "application/json", "{}", 422},
		{"PUT", "/conferences/a", "application/json", "{}", 422},
		{"GET", "/conferences?limit=0", "", "", 400},
		{"GET", "/healthz", "", "", 200},
	} {
		response, body := ask(t, asked.method, url+asked.path, asked.contentType, asked.body)
		if response.StatusCode != asked.status {
			t.Errorf("%s %s: %d %s", asked.method, asked.path, response.StatusCode, body)
		}
	}
}

func TestAProblemSaysWhatTheTableSays(t *testing.T) {
	url := serveWithoutDatabase(t)
	response, body := ask(t, "POST", url+"/conferences", "application/json", `{"id":"a/b"}`)
	if response.Header.Get("Content-Type") != "application/problem+json" || body != `{"type":"urn:conference:invalid",`+
		`"title":"Invalid conference","status":422,"detail":"The conference is not valid.",`+
		`"errors":[{"pointer":"/id","code":"pattern"},{"pointer":"/name","code":"required"}]}` {
		t.Errorf("answered %v %s", response.Header, body)
	}
	response, body = ask(t, "DELETE", url+"/healthz", "", "")
	if response.Header.Get("Allow") != "GET" || body != `{"type":"urn:conference:method-not-allowed",`+
		`"title":"Method not allowed","status":405,"detail":"The path does not have this method."}` {
		t.Errorf("answered %v %s", response.Header, body)
	}
}

func TestADatabaseThatDoesNotGreetIsUnavailable(t *testing.T) {
	url := serveWithoutDatabase(t)
	for path, title := range map[string]string{
		"/conferences":   "Error occurred while retrieving conferences",
		"/conferences/a": "Error occurred while retrieving conference",
		"/readyz":        "Error occurred while asking the database",
	} {
		response, body := ask(t, "GET", url+path, "", "")
		if response.StatusCode != 503 || response.Header.Get("Retry-After") != "1" || !strings.Contains(body, `"`+title+`"`) {
			t.Errorf("%s: %d %v %s", path, response.StatusCode, response.Header, body)
		}
	}
}
