package main

import (
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

const listOfTests = `{"applications":{"versions__delta":"1","apps__hashcode":"UP_2_","application":[
	{"name":"OTHER","instance":[
		{"hostName":"127.0.0.1","status":"UP","port":{"$":1,"@enabled":"true"},"securePort":{"$":1,"@enabled":"true"}}]},
	{"name":"USERS","instance":[
		{"hostName":"127.0.0.1","status":"UP","port":{"$":2,"@enabled":"true"},"securePort":{"$":3,"@enabled":"false"}},
		{"hostName":"127.0.0.1","status":"UP","port":{"$":4,"@enabled":"false"},"securePort":{"$":5,"@enabled":"true"}},
		{"hostName":"127.0.0.1","status":"DOWN","port":{"$":6,"@enabled":"true"},"securePort":{"$":7,"@enabled":"true"}},
		{"hostName":"::1","status":"UP","port":{"$":"8","@enabled":true}},
		{"hostName":"","status":"UP","port":{"$":9,"@enabled":"true"}},
		{"hostName":"127.0.0.1","status":"UP"}]}]}}`

func TestInstancesThatAreUpAreRead(t *testing.T) {
	for _, c := range []struct {
		speaks   protocol
		expected []string
	}{
		{h1c, []string{"127.0.0.1:2", "[::1]:8"}},
		{h2c, []string{"127.0.0.1:2", "[::1]:8"}},
		{h1, []string{"127.0.0.1:5"}},
		{h2, []string{"127.0.0.1:5"}},
	} {
		found, err := authoritiesOf([]byte(listOfTests), c.speaks)
		if err != nil || !slices.Equal(found, c.expected) {
			t.Errorf("%s: read %v, %v", c.speaks, found, err)
		}
	}
}

func TestAListMayBeEmpty(t *testing.T) {
	for _, text := range []string{
		`{"applications":{"application":[]}}`, `{"applications":{}}`, `{"applications":{"application":[{"name":"USERS"}]}}`,
	} {
		if found, err := authoritiesOf([]byte(text), h1c); err != nil || len(found) != 0 {
			t.Errorf("%s: read %v, %v", text, found, err)
		}
	}
	for _, text := range []string{``, `{}`, `null`, `[]`, `<applications/>`} {
		if found, err := authoritiesOf([]byte(text), h1c); err == nil {
			t.Errorf("%s: read %v", text, found)
		}
	}
}

func TestDiscoveryKeepsTheLastList(t *testing.T) {
	status := http.StatusOK
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/eureka/apps" || r.Header.Get("Accept") != "application/json" {
			t.Errorf("asked for %s with %v", r.URL, r.Header)
		}
		w.WriteHeader(status)
		w.Write([]byte(listOfTests))
	}))
	defer registry.Close()
	var logs strings.Builder
	known := newInstances(nil, func() time.Duration { return 0 })
	found := newDiscovery(registry.Listener.Addr().String(), h1c, known, log.New(&logs, "", 0))
	if authorities, err := found.ask(t.Context()); err != nil || len(authorities) != 2 {
		t.Errorf("read %v, %v", authorities, err)
	}
	status = http.StatusServiceUnavailable
	if authorities, err := found.ask(t.Context()); err == nil {
		t.Errorf("read %v", authorities)
	}
}
