package main

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// serveWithoutDatabase starts the service before a database that accepts connections and never answers, and
// returns its base URL.
func serveWithoutDatabase(t *testing.T) string {
	t.Helper()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	logger := log.New(io.Discard, "", 0)
	complaints := newComplaints(logger)
	pool, err := openPool(databaseConfig{user: "user", password: "secret", host: "127.0.0.1",
		port: uint16(silent.Addr().(*net.TCPAddr).Port), name: "park", poolSize: 1, poolWait: time.Millisecond}, complaints)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.close)
	server := httptest.NewServer(newRoutes(parts{
		name:        "users-1",
		pool:        pool,
		tokens:      newTokens(tokensConfig{secretOfTests, 60}, time.Now),
		passwords:   newPasswords(lowestCost, 1),
		internalKey: keyOfTests,
		logger:      logger,
		complaints:  complaints,
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// asked is a request, of a caller such as "7 CUSTOMER".
type asked struct{ method, path, from, contentType, body string }

func (a asked) of(t *testing.T, address string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(a.method, address+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	if id, role, isSomebody := strings.Cut(a.from, " "); isSomebody {
		request.Header.Set("X-User-Id", id)
		request.Header.Set("X-User-Role", role)
	}
	if a.contentType != "" {
		request.Header.Set("Content-Type", a.contentType)
	}
	response, err := http.DefaultTransport.RoundTrip(request)
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
	address := serveWithoutDatabase(t)
	large := strings.Repeat("x", bodyLimitBytes+1)
	const json = "application/json"
	for _, c := range []struct {
		asked
		status int
	}{
		{asked{"POST", "/Users", "", "text/plain", large}, 404},
		{asked{"POST", "/users/", "", "text/plain", large}, 404},
		{asked{"BREW", "/user", "", "", ""}, 404},
		{asked{"GET", "//users", "1 SUPERVISOR", "", ""}, 404},
		{asked{"GET", "/users//vehicles", "1 SUPERVISOR", "", ""}, 404},
		{asked{"GET", "/users/0", "1 SUPERVISOR", "", ""}, 404},
		{asked{"GET", "/users/01", "1 SUPERVISOR", "", ""}, 404},
		{asked{"GET", "/users/x", "1 SUPERVISOR", "", ""}, 404},
		{asked{"GET", "/users/12345678901234567", "1 SUPERVISOR", "", ""}, 404},
		{asked{"GET", "/users/1/", "1 SUPERVISOR", "", ""}, 404},
		{asked{"GET", "/users/1/coins/", "1 SUPERVISOR", "", ""}, 404},
		{asked{"PUT", "/users/7/vehicles/LA-0001", "7 CUSTOMER", json, "{}"}, 404},
		{asked{"PUT", "/users/7/vehicles/la-00001", "7 CUSTOMER", json, "{}"}, 404},
		{asked{"PUT", "/users", "", "text/plain", large}, 405},
		{asked{"GET", "/users/login", "", "", ""}, 405},
		{asked{"GET", "/users/coins", "", "", ""}, 405},
		{asked{"POST", "/users/top-coins", "", "", ""}, 405},
		{asked{"DELETE", "/users/1", "", "", ""}, 405},
		{asked{"GET", "/users/1/vehicles/LA-00001", "", "", ""}, 405},
		{asked{"BREW", "/health", "", "", ""}, 405},
		{asked{"GET", "/users", "", "", ""}, 401},
		{asked{"PUT", "/users/1/status", "x SUPERVISOR", "text/plain", large}, 401},
		{asked{"PUT", "/users/1/status", "1 CUSTOMER", "text/plain", large}, 403},
		{asked{"GET", "/users", "7 CUSTOMER", "", ""}, 403},
		{asked{"GET", "/users", "7 DEVICE", "", ""}, 403},
		{asked{"GET", "/users/8", "7 CUSTOMER", "", ""}, 403},
		{asked{"GET", "/users/8/vehicles", "1 SUPERVISOR", "", ""}, 403},
		{asked{"GET", "/users/8/coins", "1 SUPERVISOR", "", ""}, 403},
		{asked{"GET", "/users/top-coins", "2 PARK_MANAGER", "", ""}, 403},
		{asked{"PUT", "/users/1/vehicles/LA-00001", "1 SUPERVISOR", "text/plain", large}, 403},
		{asked{"POST", "/users/coins", "1 SUPERVISOR", "text/plain", large}, 403},
		{asked{"POST", "/internal/coins/debits", "1 SUPERVISOR", "text/plain", large}, 403},
		{asked{"POST", "/users", "", "text/plain", large}, 413},
		{asked{"POST", "/users/login", "", "text/plain", "{"}, 415},
		{asked{"POST", "/users", "", "", "{}"}, 415},
		{asked{"POST", "/users", "", "application/jsonl", "{}"}, 415},
		{asked{"POST", "/users", "", "Application/JSON ;charset=latin1", "{"}, 400},
		{asked{"POST", "/users/coins", "3 CUSTOMER_MANAGER", json, "{}"}, 400},
		{asked{"POST", "/users", "", json, ""}, 400},
		{asked{"POST", "/users", "", json, `{"role":"SUPERVISOR"}`}, 400},
		{asked{"POST", "/users", "x y", json, "{}"}, 422},
		{asked{"PUT", "/users/7/payment-method", "7 CUSTOMER", json, `{"paymentMethod":"NOT_DEFINED"}`}, 422},
		{asked{"PUT", "/users/7/vehicles/LA-00001", "7 CUSTOMER", json, "{}"}, 422},
	} {
		response, body := c.of(t, address)
		header := response.Header
		if response.StatusCode != c.status || header.Get("Content-Type") != "application/problem+json" ||
			header.Get("Cache-Control") != "no-store" || header.Get("X-Instance-Id") != "users-1" {
			t.Errorf("%s %s: %d %v %s", c.method, c.path, response.StatusCode, header, body)
		}
		if hasChallenge := header.Get("WWW-Authenticate") == "Bearer"; hasChallenge != (c.status == 401) {
			t.Errorf("%s %s: %v", c.method, c.path, header)
		}
	}
}

func TestAProblemSaysWhatTheTableSays(t *testing.T) {
	address := serveWithoutDatabase(t)
	_, body := asked{"PUT", "/users/1/status", "1 SUPERVISOR", "application/json", `{"userStatus":"x"}`}.of(t, address)
	if body != `{"type":"urn:park:invalid","title":"Invalid members","status":422,"code":"invalid",`+
		`"errors":[{"pointer":"/userStatus","code":"unknown-value"}]}` {
		t.Errorf("answered %s", body)
	}
	response, body := asked{method: "POST", path: "/users/1/payment-method"}.of(t, address)
	if response.Header.Get("Allow") != "GET, PUT" ||
		body != `{"type":"urn:park:method-not-allowed","title":"Method not allowed","status":405,`+
			`"code":"method-not-allowed"}` {
		t.Errorf("answered %v %s", response.Header, body)
	}
}

func TestADatabaseThatDoesNotAnswerIsUnavailable(t *testing.T) {
	address := serveWithoutDatabase(t)
	for _, a := range []asked{
		{"GET", "/health", "", "", ""},
		{"GET", "/users", "1 SUPERVISOR", "text/plain", "{"},
		{"GET", "/users/7", "7 CUSTOMER", "", ""},
		{"GET", "/users/7/coins", "3 CUSTOMER_MANAGER", "", ""},
		{"POST", "/users", "", "application/json", userWith("", "")},
		{"POST", "/users/login", "", "application/json", `{"email":"a@b","password":"p"}`},
		{"PUT", "/users/7/vehicles/LA-00001", "7 CUSTOMER", "application/json; charset=utf-8",
			`{"vehicleType":"AUTOMOBILE","vehicleEnergySource":"FUEL"}`},
	} {
		response, body := a.of(t, address)
		if response.StatusCode != 503 || response.Header.Get("Retry-After") != "1" ||
			body != `{"type":"urn:park:unavailable","title":"Not available","status":503,"code":"unavailable"}` {
			t.Errorf("%s %s: %d %v %s", a.method, a.path, response.StatusCode, response.Header, body)
		}
	}
}

func TestAnAddressThatNoUserCanHaveIsNotAskedFor(t *testing.T) {
	address := serveWithoutDatabase(t)
	for _, email := range []string{"", "a", `\u0000@b`, "é@b", "\u212a@park.example"} {
		a := asked{"POST", "/users/login", "", "application/json", `{"email":"` + email + `","password":"p"}`}
		response, body := a.of(t, address)
		if response.StatusCode != 401 || response.Header.Get("WWW-Authenticate") != "" ||
			!strings.Contains(body, "urn:park:credentials") {
			t.Errorf("%q: %d %s", email, response.StatusCode, body)
		}
	}
}
