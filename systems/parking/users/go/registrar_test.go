package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestARegistrationSaysWhatIsSpoken(t *testing.T) {
	const plain = `"port":{"$":8090,"@enabled":"true"},"securePort":{"$":8090,"@enabled":"false"}`
	const secure = `"port":{"$":8090,"@enabled":"false"},"securePort":{"$":8090,"@enabled":"true"}`
	for _, c := range []struct {
		speaks protocol
		ports  string
	}{{h1c, plain}, {h2c, plain}, {h1, secure}, {h2, secure}} {
		told := registered("users-8090", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2), Port: 8090}, c.speaks)
		if !json.Valid(told.body) || !strings.Contains(string(told.body), c.ports) ||
			!strings.Contains(string(told.body), `"instanceId":"users-8090","hostName":"127.0.0.2"`) ||
			!strings.Contains(string(told.body), `"ipAddr":"127.0.0.2"`) {
			t.Errorf("over %s: %s", c.speaks, told.body)
		}
	}
}

// asking answers the requests of a registrar in turn, and keeps what they were.
func asking(t *testing.T, statuses ...int) (*registrar, *[]string) {
	t.Helper()
	var asked []string
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path)
		w.WriteHeader(statuses[len(asked)-1])
	}))
	t.Cleanup(registry.Close)
	logger := newComplaints(log.New(io.Discard, "", 0))
	return newRegistrar(registry.Listener.Addr().String(), registered("users-1", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}, h1c), logger), &asked
}

func TestWhatTheRegistryForgotIsRegisteredAtOnce(t *testing.T) {
	r, asked := asking(t, 500, 204, 200, 404, 204)
	for _, fails := range []bool{true, false, false, false} {
		if err := r.beat(t.Context()); (err != nil) != fails {
			t.Errorf("got error %v", err)
		}
	}
	const application, instance = "/eureka/apps/USERS", "/eureka/apps/USERS/users-1"
	if !slices.Equal(*asked, []string{
		"POST " + application, "POST " + application, "PUT " + instance, "PUT " + instance, "POST " + application,
	}) {
		t.Errorf("asked %q", *asked)
	}
}

func TestARegistrarDeregistersAtItsEnd(t *testing.T) {
	r, asked := asking(t, 204, 200)
	stopped, stop := context.WithCancel(t.Context())
	time.AfterFunc(beatInterval/2, stop)
	r.run(stopped)
	if !slices.Equal(*asked, []string{"POST /eureka/apps/USERS", "DELETE /eureka/apps/USERS/users-1"}) {
		t.Errorf("asked %q", *asked)
	}
}
