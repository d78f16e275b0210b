package main

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// registryOfTests is one whose clock stands until it is set.
type registryOfTests struct {
	now   time.Time
	known *leases
}

func newRegistryOfTests() *registryOfTests {
	r := &registryOfTests{now: time.Unix(2_000_000_000, 0)}
	r.known = newLeases(func() time.Time { return r.now })
	return r
}

func (r *registryOfTests) ask(method, target, body string) (int, string) {
	recorder := httptest.NewRecorder()
	newRoutes(r.known).ServeHTTP(recorder, httptest.NewRequest(method, target, strings.NewReader(body)))
	return recorder.Code, recorder.Body.String()
}

// register registers one as users does.
func (r *registryOfTests) register(t *testing.T, application, id string) {
	t.Helper()
	body := fmt.Sprintf(`{"instance":{"instanceId":"%s","hostName":"127.0.0.1","app":"any","status":"UP",`+
		`"port":{"$":1,"@enabled":"true"},"leaseInfo":{"renewalIntervalInSecs":1,"durationInSecs":3}}}`, id)
	if status, _ := r.ask("POST", "/eureka/apps/"+application, body); status != 204 {
		t.Fatalf("%s: %d", id, status)
	}
}

const shownOfTests = `{"app":"USERS","hostName":"127.0.0.1","instanceId":"%s",` +
	`"leaseInfo":{"renewalIntervalInSecs":1,"durationInSecs":3},"port":{"$":1,"@enabled":"true"},"status":"%s"}`

func TestWhatIsRegisteredIsListed(t *testing.T) {
	r := newRegistryOfTests()
	if _, body := r.ask("GET", "/eureka/apps", ""); body != `{"applications":{"application":[]}}` {
		t.Errorf("answered %s", body)
	}
	r.register(t, "Users", "users-2")
	r.register(t, "uSERS", "users-1")
	r.register(t, "users", "users-2")
	application := fmt.Sprintf(`{"name":"USERS","instance":[`+shownOfTests+`,`+shownOfTests+`]}`,
		"users-1", "UP", "users-2", "UP")
	for _, target := range []string{"/eureka/apps", "/eureka/apps/"} {
		if _, body := r.ask("GET", target, ""); body != `{"applications":{"application":[`+application+`]}}` {
			t.Errorf("%s: answered %s", target, body)
		}
	}
	if _, body := r.ask("GET", "/eureka/apps/users", ""); body != `{"application":`+application+`}` {
		t.Errorf("answered %s", body)
	}
}

func TestWhatIsNotKnownIs404(t *testing.T) {
	r := newRegistryOfTests()
	r.register(t, "USERS", "users-1")
	for _, c := range []struct {
		method, target string
		status         int
	}{
		{"PUT", "/eureka/apps/USERS/users-1?status=UP&lastDirtyTimestamp=1", 200},
		{"PUT", "/eureka/apps/users/users-1/status?value=OUT_OF_SERVICE", 200},
		{"DELETE", "/eureka/apps/users/users-1/status?value=UP", 200},
		{"PUT", "/eureka/apps/users/users-1/status?value=odd", 400},
		{"GET", "/eureka/apps/OTHER", 404},
		{"PUT", "/eureka/apps/USERS/users-2", 404},
		{"PUT", "/eureka/apps/OTHER/users-1", 404},
		{"PUT", "/eureka/apps/USERS/users-2/status?value=UP", 404},
		{"DELETE", "/eureka/apps/USERS/users-2/status?value=UP", 404},
		{"DELETE", "/eureka/apps/USERS/users-2", 404},
		{"DELETE", "/eureka/apps/users/users-1", 200},
		{"DELETE", "/eureka/apps/USERS/users-1", 404},
		{"GET", "/eureka/apps/USERS", 404},
		{"GET", "/eureka/apps", 200},
		{"PATCH", "/eureka/apps", 405},
		{"GET", "/", 404},
	} {
		if status, body := r.ask(c.method, c.target, ""); status != c.status {
			t.Errorf("%s %s: %d %s", c.method, c.target, status, body)
		}
	}
}

func TestASilentLeaseEnds(t *testing.T) {
	r := newRegistryOfTests()
	r.register(t, "USERS", "silent")
	r.register(t, "USERS", "beating")
	for _, later := range []struct {
		after time.Duration
		isIn  bool
	}{{3 * time.Second, true}, {3 * time.Second, true}, {time.Second, false}} {
		r.now = r.now.Add(later.after)
		if status, _ := r.ask("PUT", "/eureka/apps/USERS/beating", ""); status != 200 {
			t.Errorf("a heartbeat: %d", status)
		}
		r.known.endSilent()
		_, body := r.ask("GET", "/eureka/apps/USERS", "")
		if strings.Contains(body, "silent") != later.isIn || !strings.Contains(body, "beating") {
			t.Errorf("after %v: %s", later.after, body)
		}
	}
}

func TestAnOverrideStandsUntilItIsTakenAway(t *testing.T) {
	r := newRegistryOfTests()
	r.register(t, "USERS", "users-1")
	for _, c := range []struct{ method, target, expected string }{
		{"PUT", "/status?value=OUT_OF_SERVICE", "OUT_OF_SERVICE"}, {"PUT", "", "OUT_OF_SERVICE"},
		{"DELETE", "/status?value=UP", "UP"}, {"PUT", "/status?value=DOWN", "DOWN"}, {"DELETE", "/status", "UP"},
	} {
		if status, _ := r.ask(c.method, "/eureka/apps/USERS/users-1"+c.target, ""); status != 200 {
			t.Errorf("%s %s: %d", c.method, c.target, status)
		}
		_, body := r.ask("GET", "/eureka/apps/USERS", "")
		if !strings.Contains(body, `"status":"`+c.expected+`"`) {
			t.Errorf("after %s %s: %s", c.method, c.target, body)
		}
	}
	r.ask("PUT", "/eureka/apps/USERS/users-1/status?value=OUT_OF_SERVICE", "")
	r.register(t, "USERS", "users-1")
	if _, body := r.ask("GET", "/eureka/apps/USERS", ""); !strings.Contains(body, "OUT_OF_SERVICE") {
		t.Errorf("after another registration: %s", body)
	}
}

func TestWhatIsNoInstanceRegistersNothing(t *testing.T) {
	r := newRegistryOfTests()
	for _, body := range []string{
		"", "{", "[]", "null", "{}", `{"instance":null}`, `{"instance":5}`, `{"instance":{}}`,
		`{"instance":{"instanceId":"a b"}}`, `{"instance":{"instanceId":5}}`,
		`{"instance":{"instanceId":"a","status":"odd"}}`, `{"instance":{"instanceId":"a"}} x`,
	} {
		if status, _ := r.ask("POST", "/eureka/apps/USERS", body); status != 400 {
			t.Errorf("%s: %d", body, status)
		}
	}
	if _, body := r.ask("GET", "/eureka/apps", ""); body != `{"applications":{"application":[]}}` {
		t.Errorf("answered %s", body)
	}
}
