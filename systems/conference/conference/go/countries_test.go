package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"sync/atomic"
	"testing"
	"time"
)

// configOf has no waits in it but the limit of an attempt.
func configOf(url string) countryConfig {
	return countryConfig{url: url, timeout: time.Minute, connections: 4, strategy: sequential, width: 2, batchSize: 2}
}

func serving(t *testing.T, handler http.HandlerFunc) countryConfig {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return configOf(server.URL)
}

// echo says that the country of each name is the name.
func echo(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `{"name":%q}`, r.URL.Path[len("/conferences/"):len(r.URL.Path)-len("/country")])
		return
	}
	var batch struct{ Names []string }
	text, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(text, &batch); err != nil || len(batch.Names) > 2 {
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	answered, _ := json.Marshal(map[string][]string{"countries": batch.Names})
	_, _ = w.Write(answered)
}

func statusOf(err error) int {
	var failed *problem
	if errors.As(err, &failed) {
		return failed.status
	}
	return 0
}

func TestCountriesComeByPosition(t *testing.T) {
	names := []string{"QCon", "Google I/O", "QCon", "a?b#c%d+e", "é"}
	for _, strategy := range []string{sequential, concurrent, batched} {
		config := serving(t, echo)
		config.strategy = strategy
		found, err := newCountries(config).of(t.Context(), names)
		if err != nil || !reflect.DeepEqual(found, names) {
			t.Errorf("%s: found %v, %v", strategy, found, err)
		}
	}
}

func TestEveryByteButTheUnreservedIsEscaped(t *testing.T) {
	if escaped := string(appendEscaped(nil, "Google I/O é~-._:@")); escaped != "Google%20I%2FO%20%C3%A9~-._%3A%40" {
		t.Errorf("escaped to %s", escaped)
	}
}

func TestOneFailureFailsAll(t *testing.T) {
	for _, strategy := range []string{sequential, concurrent, batched} {
		for status, body := range map[int]string{
			200: `{"name":1,"countries":[1,"a"]}`, 201: `{"name":"a","countries":["a","b"]}`, 302: "", 404: "{}", 500: "",
		} {
			config := serving(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(status)
				_, _ = io.WriteString(w, body)
			})
			config.strategy = strategy
			if _, err := newCountries(config).of(t.Context(), []string{"a", "b"}); statusOf(err) != 502 {
				t.Errorf("%s, %d: got error %v", strategy, status, err)
			}
		}
	}
}

func TestAnAnswerThatIsLateIsTheTimeout(t *testing.T) {
	config := serving(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	config.timeout = time.Millisecond
	config.retries = 3
	if _, err := newCountries(config).of(t.Context(), []string{"a"}); statusOf(err) != 504 {
		t.Errorf("got error %v", err)
	}
}

func TestOnlyWhatMayPassIsTriedAgain(t *testing.T) {
	for status, expected := range map[int]int32{502: 4, 503: 4, 504: 4, 500: 1, 404: 1, 302: 1} {
		var made atomic.Int32
		config := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			made.Add(1)
			w.WriteHeader(status)
		})
		config.retries = 3
		_, err := newCountries(config).of(t.Context(), []string{"a", "b"})
		if statusOf(err) != 502 || made.Load() != expected {
			t.Errorf("%d: %d attempts, error %v", status, made.Load(), err)
		}
	}
}

func TestALaterAttemptMayGoWell(t *testing.T) {
	var made atomic.Int32
	config := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if made.Add(1) == 1 {
			panic(http.ErrAbortHandler)
		}
		echo(w, r)
	})
	config.retries = 1
	if found, err := newCountries(config).of(t.Context(), []string{"a"}); err != nil || found[0] != "a" {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestNothingIsSentWhileTheBreakerIsOpen(t *testing.T) {
	var made atomic.Int32
	config := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		made.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	})
	config.hasBreaker = true
	countries := newCountries(config)
	for range breakerFailures {
		if _, err := countries.of(t.Context(), []string{"a"}); statusOf(err) != 502 {
			t.Errorf("got error %v", err)
		}
	}
	if _, err := countries.of(t.Context(), []string{"a"}); statusOf(err) != 503 {
		t.Errorf("got error %v", err)
	}
	if made.Load() != breakerFailures {
		t.Errorf("%d attempts were made", made.Load())
	}
}
