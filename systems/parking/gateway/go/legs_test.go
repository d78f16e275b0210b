package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const originOfTests = "https://park.example"

// standing is an instance that stands, and how it is reached.
type standing struct {
	upstream  upstreamConfig
	authority string
}

// stand starts an instance that speaks a protocol.
func stand(t *testing.T, speaks protocol, handler http.HandlerFunc) standing {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.Protocols = speaks.versions()
	server.EnableHTTP2 = speaks == h2
	return start(t, server, speaks)
}

// start starts one that is made, and trusts it.
func start(t *testing.T, server *httptest.Server, speaks protocol) standing {
	t.Helper()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	upstream := upstreamConfig{protocol: speaks, answerLimit: 5 * time.Second}
	if speaks.overTLS() {
		server.StartTLS()
		upstream.authorities = x509.NewCertPool()
		upstream.authorities.AddCert(server.Certificate())
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return standing{upstream, server.Listener.Addr().String()}
}

// goneAuthority is that of an instance that went away.
func goneAuthority(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// gatewayBefore starts a gateway before instances, and returns its base URL.
func gatewayBefore(t *testing.T, upstream upstreamConfig, authorities ...string) string {
	t.Helper()
	known := newInstances(authorities, sinceNow())
	settings := config{client: h1c, upstream: upstream, secret: secretOfTests, origin: originOfTests}
	ready := func() bool { return true }
	server := httptest.NewUnstartedServer(
		newGateway("gateway-1", settings, known, ready, log.New(io.Discard, "", 0)))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// ask sends a request with fields in pairs, and with the token of the SPEC, and returns answer and body.
func ask(t *testing.T, method, url, body string, fields ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+vector)
	for i := 0; i < len(fields); i += 2 {
		request.Header.Set(fields[i], fields[i+1])
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

func TestEveryUpstreamLegIsSpoken(t *testing.T) {
	for speaks, version := range map[protocol]string{
		h1c: "HTTP/1.1", h1: "HTTP/1.1", h2c: "HTTP/2.0", h2: "HTTP/2.0",
	} {
		behind := stand(t, speaks, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			io.WriteString(w, r.Proto+" "+r.Host+" "+r.Method+" "+r.RequestURI+" "+string(body))
		})
		address := gatewayBefore(t, behind.upstream, behind.authority)
		for _, target := range []string{"/users", "/users/7?a=1&a=%2F;b&c", "/users?", `/users/"%41`, "/users/a?b?c#d"} {
			request, err := http.NewRequest("PUT", address, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			request.URL.Opaque = target
			request.Header.Set("Authorization", "Bearer "+vector)
			response, err := http.DefaultTransport.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if expected := version + " " + behind.authority + " PUT " + target + " {}"; string(text) != expected {
				t.Errorf("over %s the answer is %q", speaks, text)
			}
		}
	}
}

func TestAServiceThatDoesNotAgreeToHTTP2GetsNoRequest(t *testing.T) {
	silent := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a request arrived")
	}))
	silent.TLS = &tls.Config{NextProtos: []string{}} // It answers nothing to what ALPN offers.
	behind := start(t, silent, h1)
	behind.upstream.protocol = h2
	address := gatewayBefore(t, behind.upstream, behind.authority)
	if response, _ := ask(t, "GET", address+"/users", ""); response.StatusCode != 502 {
		t.Errorf("answered %d", response.StatusCode)
	}
}

func TestAServiceOfAnotherAuthorityGetsNoRequest(t *testing.T) {
	for _, speaks := range []protocol{h1, h2} {
		behind := stand(t, speaks, func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") })
		behind.upstream.authorities = x509.NewCertPool()
		address := gatewayBefore(t, behind.upstream, behind.authority)
		if response, _ := ask(t, "POST", address+"/users", "{}"); response.StatusCode != 502 {
			t.Errorf("over %s answered %d", speaks, response.StatusCode)
		}
	}
}

func TestRequestsAtOnceShareConnectionsOfHTTP2(t *testing.T) {
	const requests = 100
	arrived := make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Add(requests)
	behind := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		waiting.Done()
		<-arrived
	}))
	opened := make(chan struct{}, requests)
	behind.EnableHTTP2 = true
	behind.Config.Protocols = h2.versions()
	behind.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened <- struct{}{}
		}
	}
	reached := start(t, behind, h2)
	address := gatewayBefore(t, reached.upstream, reached.authority)
	var done sync.WaitGroup
	for range requests {
		done.Go(func() {
			answer, err := http.Post(address+"/users", "", strings.NewReader("a"))
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
		})
	}
	waiting.Wait() // All of them are in flight.
	close(arrived)
	done.Wait()
	if len(opened) > dialsAtOnce {
		t.Errorf("%d connections were opened", len(opened))
	}
}

func TestCallersGetTheVersionOfTheirLeg(t *testing.T) {
	source := httptest.NewTLSServer(http.NotFoundHandler())
	defer source.Close()
	both := []string{"h2", "http/1.1"}
	for _, c := range []struct {
		speaks protocol
		offer  []string
		want   string
	}{{h1, both, "http/1.1"}, {h2, both, "h2"}, {h2, both[1:], "http/1.1"}} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := newServer(http.NotFoundHandler(), config{client: c.speaks, certificate: &source.TLS.Certificates[0]})
		go accept(server, listener)
		offer := &tls.Config{NextProtos: c.offer, InsecureSkipVerify: true}
		connection, err := tls.Dial("tcp", listener.Addr().String(), offer)
		if err != nil {
			t.Fatal(err)
		}
		state := connection.ConnectionState()
		if state.NegotiatedProtocol != c.want || state.Version != tls.VersionTLS13 {
			t.Errorf("on %s, %v is answered by %q of %s", c.speaks, c.offer,
				state.NegotiatedProtocol, tls.VersionName(state.Version))
		}
		connection.Close()
		server.Close()
	}
}
