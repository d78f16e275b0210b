package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// unreached fails where a request comes through.
func unreached(t *testing.T) string {
	behind := stand(t, h1c, func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s arrived", r.Method, r.URL)
	})
	return gatewayBefore(t, behind.upstream, behind.authority)
}

func TestTheFirstFaultIsAnswered(t *testing.T) {
	address := unreached(t)
	for _, c := range []struct {
		method, target, authorization string
		status                        int
	}{
		{"GET", "/users/%2e%2e/x", "", 400},
		{"GET", "/usersx", "", 404},
		{"GET", "/internal/coins/debits", "Bearer " + vector, 404},
		{"GET", "/users", "", 401},
		{"POST", "/users/", "", 401},
		{"OPTIONS", "/users", "", 401},
		{"GET", "/users", "Bearer " + vector + "x", 401},
		{"POST", "/health", "", 405},
	} {
		response, body := ask(t, c.method, address+c.target, "", "Authorization", c.authorization)
		header := response.Header
		if response.StatusCode != c.status || header.Get("Content-Type") != "application/problem+json" ||
			header.Get("Cache-Control") != "no-store" || header.Get("X-Instance-Id") != "gateway-1" ||
			!requestIDShape.MatchString(header.Get("X-Request-Id")) {
			t.Errorf("%s %s: %d %v %s", c.method, c.target, response.StatusCode, header, body)
		}
		if hasChallenge := header.Get("WWW-Authenticate") == "Bearer"; hasChallenge != (c.status == 401) {
			t.Errorf("%s %s: %v", c.method, c.target, header)
		}
	}
	_, body := ask(t, "GET", address+"/users", "", "Authorization", "Basic dTpw")
	if body != `{"type":"urn:park:token-missing","title":"Token missing","status":401,"code":"token-missing"}` {
		t.Errorf("answered %s", body)
	}
}

func TestABodyIsLimited(t *testing.T) {
	response, body := ask(t, "POST", unreached(t)+"/users", strings.Repeat("x", longestBodyBytes+1))
	if response.StatusCode != 413 || !strings.Contains(body, "urn:park:too-large") {
		t.Errorf("answered %d %s", response.StatusCode, body)
	}
	isWhole := make(chan bool, 1)
	behind := stand(t, h1c, func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		isWhole <- err == nil
	})
	address := gatewayBefore(t, behind.upstream, behind.authority)
	for size, status := range map[int]int{longestBodyBytes: 200, longestBodyBytes + 1: 413} {
		// A reader of no known type has no length, and is sent in chunks.
		chunks := io.MultiReader(strings.NewReader(strings.Repeat("x", size)))
		response, err := http.Post(address+"/users", "text/plain", chunks)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != status || <-isWhole != (status == 200) {
			t.Errorf("%d bytes: %d", size, response.StatusCode)
		}
	}
}

func TestTheServiceSeesTheIdentityOfTheToken(t *testing.T) {
	seen := make(chan http.Header, 1)
	behind := stand(t, h1c, func(_ http.ResponseWriter, r *http.Request) { seen <- r.Header })
	address := gatewayBefore(t, behind.upstream, behind.authority)
	fields := []string{
		"X-User-Id", "7", "x-user-role", "DEVICE", "X-Forwarded-For", "192.0.2.1", "X-Forwarded-Host", "other",
		"X-Forwarded-Proto", "https", "X-Request-Id", "request-1", "Forwarded", "for=192.0.2.1", "Connection", "X-Hop",
		"X-Hop", "1", "Te", "trailers", "Keep-Alive", "5", "Proxy-Authorization", "x", "X-Other", "stays",
	}
	for _, c := range []struct{ method, target, id, role string }{
		{"GET", "/users", "1", "SUPERVISOR"}, {"PUT", "/users/1/status", "1", "SUPERVISOR"}, {"POST", "/users", "", ""},
	} {
		response, _ := ask(t, c.method, address+c.target, "", fields...)
		header := <-seen
		for name, expected := range map[string]string{
			"X-User-Id": c.id, "X-User-Role": c.role, "X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "http",
			"X-Forwarded-Host": strings.TrimPrefix(address, "http://"), "X-Request-Id": "request-1",
			"Forwarded": "for=192.0.2.1", "X-Other": "stays", "Authorization": "", "Connection": "", "X-Hop": "",
			"Te": "", "Keep-Alive": "", "Proxy-Authorization": "",
		} {
			if values := header[name]; strings.Join(values, "|") != expected {
				t.Errorf("%s %s: %s is %q", c.method, c.target, name, values)
			}
		}
		if response.Header.Get("X-Request-Id") != "request-1" {
			t.Errorf("%s %s: answered %v", c.method, c.target, response.Header)
		}
	}
}

func TestAnAnswerComesBackAsItIs(t *testing.T) {
	behind := stand(t, h1c, func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		header["X-Repeated"] = []string{"1", "2"}
		header["Content-Type"] = nil
		header.Set("Location", "/users/7")
		header.Set("Content-Encoding", "gzip")
		header.Set("Keep-Alive", "timeout=5")
		header.Set("X-Request-Id", "another-1")
		w.WriteHeader(http.StatusFound)
		io.WriteString(w, "<html>")
	})
	address := gatewayBefore(t, behind.upstream, behind.authority)
	response, body := ask(t, "GET", address+"/users", "", "X-Request-Id", "request-1", "Accept-Encoding", "gzip")
	header := response.Header
	if response.StatusCode != 302 || body != "<html>" || header.Get("Location") != "/users/7" ||
		header.Get("Content-Encoding") != "gzip" || header.Get("Keep-Alive") != "" || len(header["X-Repeated"]) != 2 ||
		header["Content-Type"] != nil || strings.Join(header["X-Request-Id"], "|") != "request-1" {
		t.Errorf("answered %d %v %q", response.StatusCode, header, body)
	}
}

func TestPagesOfOneOriginMayRead(t *testing.T) {
	behind := stand(t, h1c, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Method", r.Method)
	})
	address := gatewayBefore(t, behind.upstream, behind.authority)
	const asks = "Access-Control-Request-Method"
	response, _ := ask(t, "OPTIONS", address+"/any/../where", "", "Origin", originOfTests, asks, "PUT")
	header := response.Header
	if response.StatusCode != 204 || header.Get("Access-Control-Allow-Origin") != originOfTests ||
		header.Get("Access-Control-Allow-Methods") != "GET, POST, PUT" || header.Get("Vary") != "Origin" ||
		header.Get("Access-Control-Allow-Headers") != "authorization, content-type, idempotency-key" ||
		header.Get("Access-Control-Max-Age") != "600" || header.Get("Content-Type") != "" {
		t.Errorf("answered %d %v", response.StatusCode, header)
	}
	for _, target := range []string{"/users", "/nothing", "/health"} {
		response, _ := ask(t, "GET", address+target, "", "Origin", originOfTests)
		if header := response.Header; header.Get("Access-Control-Allow-Origin") != originOfTests ||
			header.Get("Access-Control-Expose-Headers") != "location, idempotency-replayed, x-request-id" ||
			header.Get("Vary") != "Origin" {
			t.Errorf("%s: answered %v", target, header)
		}
	}
	response, _ = ask(t, "OPTIONS", address+"/users", "", "Origin", "https://other.example", asks, "PUT")
	header = response.Header
	if header.Get("X-Method") != "OPTIONS" || header.Get("Access-Control-Allow-Origin") != "" || header.Get("Vary") != "" {
		t.Errorf("answered %d %v", response.StatusCode, header)
	}
}

func TestHealthWaitsForAList(t *testing.T) {
	for isReady, status := range map[bool]int{true: 200, false: 503} {
		known := newInstances(nil, func() time.Duration { return 0 })
		g := newGateway("gateway-1", config{secret: secretOfTests}, known, func() bool { return isReady },
			log.New(io.Discard, "", 0))
		recorder := httptest.NewRecorder()
		g.ServeHTTP(recorder, httptest.NewRequest("GET", "/health?x", nil))
		if recorder.Code != status || (status == 200) != (recorder.Body.String() == `{"status":"up"}`) ||
			(status == 503) != (recorder.Header().Get("Retry-After") == "1") {
			t.Errorf("answered %d %v %s", recorder.Code, recorder.Header(), recorder.Body)
		}
	}
}

func TestARequestIDIsKeptOrMade(t *testing.T) {
	for _, id := range []string{"12345678", strings.Repeat("a-Z", 21)} {
		if requestIDOf([]string{id}) != id {
			t.Errorf("%s was not kept", id)
		}
	}
	for _, values := range [][]string{
		nil, {""}, {"1234567"}, {strings.Repeat("a", 65)}, {"with_underscore"}, {"12345678", "12345678"},
	} {
		made := requestIDOf(values)
		if !requestIDShape.MatchString(made) || made == requestIDOf(values) {
			t.Errorf("%q became %s", values, made)
		}
	}
}
