package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

var (
	errNotConnected = errors.New("no connection was made in time")
	errUnprocessed  = errors.New("it did not process the request")
	errNoAnswer     = errors.New("it ended before an answer")
	errOver         = errors.New("the attempt is over")
)

// attempt is one try of a request at one instance, as its trace tells.
type attempt struct {
	request *http.Request
	cancel  context.CancelCauseFunc
	isHTTP2 bool
	// waiting ends the attempt where it has no connection in time. On HTTP/2 it may wait for others' dials.
	waiting *time.Timer
	// first is the connection on which the request was sent first.
	first httptrace.GotConnInfo
	// mayRepeat says that the transport may send the request once more.
	mayRepeat     bool
	isConnected   bool
	isUnprocessed bool
	// The goroutines of a connection set these two.
	isSent     atomic.Bool
	isAnswered atomic.Bool
}

func newAttempt(ctx context.Context, r *http.Request, isHTTP2 bool) *attempt {
	ctx, cancel := context.WithCancelCause(ctx)
	a := &attempt{cancel: cancel, isHTTP2: isHTTP2, mayRepeat: isRepeatable(r.Method)}
	a.request = r.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              a.gotConnection,
		WroteHeaders:         func() { a.isSent.Store(true) },
		GotFirstResponseByte: func() { a.isAnswered.Store(true) },
	}))
	return a
}

// send leaves the context of an answer to its body: it ends with that of the caller.
func (a *attempt) send(through http.RoundTripper) (*http.Response, error) {
	a.waiting = time.AfterFunc(connectLimit, func() { a.cancel(errNotConnected) })
	response, err := through.RoundTrip(a.request)
	if err != nil {
		a.waiting.Stop()
		a.cancel(errOver)
	}
	return response, err
}

// gotConnection is called before a request is sent. The transport calls it again where it is to send the request
// again to the same instance.
func (a *attempt) gotConnection(info httptrace.GotConnInfo) {
	a.waiting.Stop()
	a.isConnected = true
	switch {
	case !a.isHTTP2:
		// It does so where a connection broke that had been in use before, or where nothing was written on it.
	case !a.isSent.Load():
		a.first = info
	case a.mayRepeat && a.first.Reused && a.first.Conn != info.Conn:
		a.mayRepeat = false
	default:
		// The service refused the stream, or left it out as it ended the connection: the transport would try again
		// up to seven times, later and later. Before it writes, it looks whether the request was cancelled.
		a.isUnprocessed = true
		a.cancel(errUnprocessed)
	}
}

// refusalOf tells what is answered where the instance has not failed, or gave a part of an answer. It is nil where
// the attempt has failed, and no problem where the caller is gone.
func (a *attempt) refusalOf(x *exchange, err error) error {
	if gone := x.request.Context().Err(); gone != nil {
		return gone
	}
	if refusal := x.body.refusal(); refusal != nil {
		return refusal
	}
	switch {
	case a.isConnected && isTimeout(err):
		return upstreamTimeout
	case a.isAnswered.Load():
		return upstreamFailed
	}
	return nil
}

// mayGoElsewhere tells whether a request whose attempt has failed may be sent to another instance.
func (a *attempt) mayGoElsewhere() bool {
	return !a.isConnected || a.isUnprocessed || isRepeatable(a.request.Method)
}

// cause is what is said of a failure. Where there was a connection, the error may have a part of what came.
func (a *attempt) cause(err error) error {
	switch {
	case !a.isConnected:
		return err
	case a.isUnprocessed:
		return errUnprocessed
	}
	return errNoAnswer
}
