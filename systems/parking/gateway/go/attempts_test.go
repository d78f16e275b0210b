package main

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var everyLeg = []protocol{h1c, h1, h2c, h2}

// breaking counts the requests that come, and ends each before an answer.
func breaking(counted *atomic.Int64) http.HandlerFunc {
	return func(http.ResponseWriter, *http.Request) {
		counted.Add(1)
		panic(http.ErrAbortHandler)
	}
}

func TestWhatCannotBeConnectedGoesElsewhere(t *testing.T) {
	for _, speaks := range everyLeg {
		behind := stand(t, speaks, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
		address := gatewayBefore(t, behind.upstream, goneAuthority(t), behind.authority, goneAuthority(t))
		for range 3 {
			if response, body := ask(t, "POST", address+"/users", "whole"); response.StatusCode != 200 || body != "whole" {
				t.Errorf("over %s answered %d %q", speaks, response.StatusCode, body)
			}
		}
	}
}

func TestWhatEndedBeforeAnAnswerGoesElsewhereWhereItMayBeRepeated(t *testing.T) {
	for _, speaks := range everyLeg {
		for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "POST", "OPTIONS", "TRACE"} {
			var first, second atomic.Int64
			one, other := stand(t, speaks, breaking(&first)), stand(t, speaks, breaking(&second))
			address := gatewayBefore(t, one.upstream, one.authority, other.authority) // Their certificate is the same.
			response, _ := ask(t, method, address+"/users", "", "Idempotency-Key", "0123456789abcdef")
			expected := int64(1)
			if isRepeatable(method) {
				expected = 2
			}
			if sum := first.Load() + second.Load(); response.StatusCode != 502 || sum != expected {
				t.Errorf("over %s %s was sent %d times, and answered %d", speaks, method, sum, response.StatusCode)
			}
		}
	}
}

func TestWhereAllAreLeftOutNothingIsAsked(t *testing.T) {
	var counted atomic.Int64
	behind := stand(t, h1c, breaking(&counted))
	address := gatewayBefore(t, behind.upstream, behind.authority)
	for _, status := range []int{502, 503} {
		response, _ := ask(t, "GET", address+"/users", "")
		if response.StatusCode != status || (status == 503) != (response.Header.Get("Retry-After") == "1") {
			t.Errorf("answered %d %v", response.StatusCode, response.Header)
		}
	}
	if counted.Load() != 1 {
		t.Errorf("%d requests arrived", counted.Load())
	}
}

func TestAnInstanceThatDoesNotAnswerIsGivenUp(t *testing.T) {
	for _, speaks := range everyLeg {
		ended := make(chan struct{}, 1)
		behind := stand(t, speaks, func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			ended <- struct{}{}
		})
		behind.upstream.answerLimit = 20 * time.Millisecond
		address := gatewayBefore(t, behind.upstream, behind.authority)
		for range 2 { // The instance is not left out.
			response, body := ask(t, "POST", address+"/users", "{}")
			if response.StatusCode != 504 || !strings.Contains(body, "urn:park:upstream-timeout") {
				t.Errorf("over %s answered %d %s", speaks, response.StatusCode, body)
			}
			<-ended
		}
	}
}

func TestAnAnswerThatBreaksOffIsBroken(t *testing.T) {
	for _, speaks := range everyLeg {
		behind := stand(t, speaks, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "half")
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})
		address := gatewayBefore(t, behind.upstream, behind.authority)
		request, err := http.NewRequest("GET", address+"/users", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+vector)
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(response.Body); err == nil {
			t.Errorf("over %s all of it is %q", speaks, text)
		}
		response.Body.Close()
	}
}

func TestACallerThatLeavesEndsItsRequest(t *testing.T) {
	for _, speaks := range everyLeg {
		begun, ended := make(chan struct{}), make(chan struct{})
		behind := stand(t, speaks, func(_ http.ResponseWriter, r *http.Request) {
			close(begun)
			<-r.Context().Done()
			close(ended)
		})
		address := gatewayBefore(t, behind.upstream, behind.authority)
		stays, leave := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(stays, "GET", address+"/users", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+vector)
		go func() {
			<-begun
			leave()
		}()
		if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
			t.Errorf("answered %d", response.StatusCode)
		}
		<-ended
	}
}

func TestBothDirectionsStream(t *testing.T) {
	for _, speaks := range everyLeg {
		behind := stand(t, speaks, func(w http.ResponseWriter, r *http.Request) {
			controller := http.NewResponseController(w)
			_ = controller.EnableFullDuplex()
			part := make([]byte, 1)
			for {
				if _, err := io.ReadFull(r.Body, part); err != nil {
					return
				}
				w.Write(part)
				controller.Flush()
			}
		})
		address := gatewayBefore(t, behind.upstream, behind.authority)
		sent, body := io.Pipe()
		answers := make(chan *http.Response, 1)
		go func() {
			response, err := http.Post(address+"/users", "text/plain", sent)
			if err != nil {
				t.Error(err)
			}
			answers <- response
		}()
		io.WriteString(body, "a")
		response := <-answers
		if response == nil {
			return
		}
		part := make([]byte, 1)
		for _, next := range []string{"b", "c"} {
			if _, err := io.ReadFull(response.Body, part); err != nil {
				t.Fatalf("over %s: %v", speaks, err)
			}
			io.WriteString(body, next)
		}
		body.Close()
		if rest, err := io.ReadAll(response.Body); err != nil || string(rest) != "c" {
			t.Errorf("over %s the last part is %q, %v", speaks, rest, err)
		}
		response.Body.Close()
	}
}
