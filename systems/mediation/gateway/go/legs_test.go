package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// startUpstream starts one that speaks a protocol, and tells how to reach it.
func startUpstream(t *testing.T, speaks protocol, handler http.Handler) upstreamConfig {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.Protocols = speaks.versions()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2 = speaks.versions().HTTP2()
	if speaks.overTLS() {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return reach(server, speaks)
}

// reach tells how to reach a server, and trusts it.
func reach(server *httptest.Server, speaks protocol) upstreamConfig {
	address, err := url.Parse(server.URL)
	if err != nil {
		panic(err)
	}
	upstream := upstreamConfig{url: address, protocol: speaks}
	if speaks.overTLS() {
		upstream.authorities = x509.NewCertPool()
		upstream.authorities.AddCert(server.Certificate())
	}
	return upstream
}

// post sends a request through a gateway before the upstream, and returns status and body of the answer.
func post(t *testing.T, upstream upstreamConfig, path, body string) (int, string) {
	t.Helper()
	gateway := start(newGateway(upstream, log.New(io.Discard, "", 0)), io.Discard)
	defer gateway.Close()
	answer, err := http.Post(gateway.URL+path, "", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func echoVersion(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	io.WriteString(w, r.Proto+" "+r.URL.String()+" "+string(body))
}

func TestEveryUpstreamLegIsSpoken(t *testing.T) {
	for speaks, version := range map[protocol]string{
		h1c: "HTTP/1.1", h1: "HTTP/1.1", h2c: "HTTP/2.0", h2: "HTTP/2.0", h2Downgrade: "HTTP/2.0",
	} {
		upstream := startUpstream(t, speaks, http.HandlerFunc(echoVersion))
		if _, text := post(t, upstream, "/passthrough?a", "{}"); text != version+" "+upstreamPath+"?a {}" {
			t.Errorf("over %s the answer is %q", speaks, text)
		}
		if _, text := post(t, upstream, "/transform?a", `{"a":1}`); text != version+" "+upstreamPath+" <a>1</a>" {
			t.Errorf("over %s the answer is %q", speaks, text)
		}
	}
}

func TestOnDowngradeHTTP1IsSpokenToAnUpstreamWithoutHTTP2(t *testing.T) {
	upstream := startUpstream(t, h1, http.HandlerFunc(echoVersion))
	upstream.protocol = h2Downgrade
	if _, text := post(t, upstream, "/passthrough", ""); !strings.HasPrefix(text, "HTTP/1.1 ") {
		t.Errorf("the answer is %q", text)
	}
}

func TestAnUpstreamThatDoesNotAgreeToHTTP2ReceivesNoRequest(t *testing.T) {
	silent := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a request arrived")
	}))
	silent.TLS = &tls.Config{NextProtos: []string{}} // It answers nothing to what ALPN offers.
	silent.StartTLS()
	t.Cleanup(silent.Close)
	if status, _ := post(t, reach(silent, h2), "/passthrough", ""); status != http.StatusBadGateway {
		t.Errorf("answered %d", status)
	}
}

func TestAnUpstreamOfAnotherAuthorityReceivesNoRequest(t *testing.T) {
	for _, speaks := range []protocol{h1, h2, h2Downgrade} {
		upstream := startUpstream(t, speaks, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			t.Error("a request arrived")
		}))
		upstream.authorities = x509.NewCertPool()
		if status, _ := post(t, upstream, "/passthrough", ""); status != http.StatusBadGateway {
			t.Errorf("over %s answered %d", speaks, status)
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
	behind.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened <- struct{}{}
		}
	}
	behind.StartTLS()
	t.Cleanup(behind.Close)
	gateway := start(newGateway(reach(behind, h2), log.New(io.Discard, "", 0)), io.Discard)
	t.Cleanup(gateway.Close)
	var done sync.WaitGroup
	for range requests {
		done.Add(1)
		go func() {
			defer done.Done()
			answer, err := http.Post(gateway.URL+"/passthrough", "", strings.NewReader("a"))
			if err != nil {
				t.Error(err)
				return
			}
			answer.Body.Close()
		}()
	}
	waiting.Wait() // All of them are in flight.
	close(arrived)
	done.Wait()
	if len(opened) > dialsAtOnce {
		t.Errorf("%d connections were opened", len(opened))
	}
}

func TestARefusedStreamIsNotSentAgain(t *testing.T) {
	for _, body := range []string{"", "a"} {
		request := httptest.NewRequest(http.MethodPost, "/passthrough", strings.NewReader(body))
		sendOnce(request)
		if request.GetBody != nil || request.Body == nil || request.Body == http.NoBody {
			t.Errorf("the transport can send the body %q again", body)
		}
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
	}{{h1, both, "http/1.1"}, {h2, both, "h2"}, {h2Downgrade, both, "h2"}, {h2Downgrade, both[1:], "http/1.1"}} {
		config := config{client: c.speaks, certificate: &source.TLS.Certificates[0], upstream: reach(source, h1)}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := newServer(config, log.New(io.Discard, "", 0))
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
