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

// service is one under test.
type service struct {
	url           string
	player, owner string // values of Authorization
}

// serveWithoutDatabase starts the service before a database that accepts connections and never answers.
func serveWithoutDatabase(t *testing.T) service {
	t.Helper()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	logger := slog.New(slog.DiscardHandler)
	pool, err := openPool(databaseConfig{user: "user", password: "secret", host: "127.0.0.1",
		port: uint16(silent.Addr().(*net.TCPAddr).Port), name: "booking", poolSize: 1, poolWait: time.Millisecond}, logger)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.close)
	tokens := newTokens(tokensConfig{secretOfTests, 60}, time.Now)
	server := httptest.NewServer(newRoutes(services{pool, tokens, newPasswords(lowestCost, 1), logger}))
	t.Cleanup(server.Close)
	bearer := func(of caller) string {
		token, err := tokens.issue(of)
		if err != nil {
			t.Fatal(err)
		}
		return "bEARER " + token
	}
	return service{server.URL, bearer(caller{7, player}), bearer(caller{8, owner})}
}

// asked is a request.
type asked struct{ method, path, authorization, contentType, body string }

func (s service) ask(t *testing.T, a asked) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(a.method, s.url+a.path, strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": a.authorization, "Content-Type": a.contentType} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
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
	s := serveWithoutDatabase(t)
	large := strings.Repeat("x", bodyLimitBytes+1)
	const json = "application/json"
	for _, c := range []struct {
		asked
		status int
	}{
		{asked{"POST", "/Clubs", "", "text/plain", large}, 404},
		{asked{"POST", "/clubs/", "", "text/plain", large}, 404},
		{asked{"BREW", "/club", "", "", ""}, 404},
		{asked{"GET", "//clubs", s.player, "", ""}, 404},
		{asked{"GET", "/clubs//facilities", s.owner, "", ""}, 404},
		{asked{"POST", "/clubs//facilities", s.owner, "", ""}, 404},
		{asked{"GET", "/%63lubs", s.player, "", ""}, 404},
		{asked{"GET", "/clubs/%31", s.player, "", ""}, 404},
		{asked{"GET", "/clubs/0", s.player, "", ""}, 404},
		{asked{"GET", "/clubs/01", s.player, "", ""}, 404},
		{asked{"GET", "/clubs/12345678901234567", s.player, "", ""}, 404},
		{asked{"GET", "/clubs/1/", s.player, "", ""}, 404},
		{asked{"GET", "/clubs/x/facilities", s.player, "", ""}, 404},
		{asked{"PUT", "/clubs", "", "text/plain", large}, 405},
		{asked{"BREW", "/clubs/1", "", "", ""}, 405},
		{asked{"GET", "/clubs/1/facilities", "", "", ""}, 405},
		{asked{"POST", "/clubs", "", "text/plain", large}, 401},
		{asked{"POST", "/clubs", "Basic dTpw", "text/plain", large}, 401},
		{asked{"POST", "/clubs", "Bearer ", "text/plain", large}, 401},
		{asked{"POST", "/clubs", s.player, "text/plain", large}, 403},
		{asked{"POST", "/reservations", s.owner, "text/plain", large}, 403},
		{asked{"POST", "/reservations/1/cancel", s.owner, "", ""}, 403},
		{asked{"POST", "/reservations/1/accept", s.player, "", ""}, 403},
		{asked{"POST", "/clubs", s.owner, "text/plain", large}, 413},
		{asked{"POST", "/clubs", s.owner, "text/plain", "{"}, 415},
		{asked{"POST", "/clubs", s.owner, "", "{}"}, 415},
		{asked{"POST", "/clubs", s.owner, "application/jsonl", "{}"}, 415},
		{asked{"POST", "/clubs", s.owner, "Application/JSON ;charset=latin1", "{"}, 400},
		{asked{"POST", "/clubs", s.owner, json, ""}, 400},
		{asked{"POST", "/clubs", s.owner, json, "{}"}, 422},
		{asked{"PUT", "/clubs/1", s.owner, json, "{}"}, 422},
		{asked{"GET", "/clubs?limit=0", s.player, "", ""}, 400},
		{asked{"GET", "/facilities?available=true", s.player, "", ""}, 400},
		{asked{"GET", "/facilities/1/slots", s.player, "", ""}, 400},
		{asked{"GET", "/healthz", "", "", ""}, 200},
	} {
		response, body := s.ask(t, c.asked)
		if response.StatusCode != c.status {
			t.Errorf("%s %s: %d %s", c.method, c.path, response.StatusCode, body)
		}
		if hasChallenge := response.Header.Get("WWW-Authenticate") == "Bearer"; hasChallenge != (c.status == 401) {
			t.Errorf("%s %s: %v", c.method, c.path, response.Header)
		}
	}
}

func TestAProblemSaysWhatTheTableSays(t *testing.T) {
	s := serveWithoutDatabase(t)
	response, body := s.ask(t, asked{"POST", "/clubs", s.owner, "application/json", `{"name":""}`})
	if response.Header.Get("Content-Type") != "application/problem+json" ||
		body != `{"type":"https://booking.example/problems/validation","title":"Invalid members","status":422,`+
			`"detail":"The body is not valid.",`+
			`"errors":[{"pointer":"/name","code":"too-short"},{"pointer":"/city","code":"required"}]}` {
		t.Errorf("answered %v %s", response.Header, body)
	}
	response, body = s.ask(t, asked{method: "POST", path: "/facilities/1"})
	if response.Header.Get("Allow") != "GET, PUT, DELETE" ||
		body != `{"type":"https://booking.example/problems/method-not-allowed","title":"Method not allowed",`+
			`"status":405,"detail":"The path does not have this method."}` {
		t.Errorf("answered %v %s", response.Header, body)
	}
}

func TestADatabaseThatDoesNotAnswerIsUnavailable(t *testing.T) {
	s := serveWithoutDatabase(t)
	for _, a := range []asked{
		{"GET", "/readyz", "", "", ""},
		{"GET", "/accounts/me", s.player, "", ""},
		{"GET", "/facilities?available=true&at=2040-03-10T10:00:00Z", s.player, "", ""},
		{"POST", "/reservations/1/accept", s.owner, "text/plain", "{"},
		{"POST", "/auth/login", "", "application/json", `{"email":"a@b.org","password":"p"}`},
		{"POST", "/reservations", s.player, "application/json", `{"facility_id":1,"starts_at":"2090-03-01T06:00:00Z"}`},
	} {
		response, body := s.ask(t, a)
		if response.StatusCode != 503 || response.Header.Get("Retry-After") != "1" ||
			!strings.Contains(body, "/unavailable") {
			t.Errorf("%s: %d %v %s", a.path, response.StatusCode, response.Header, body)
		}
	}
}
