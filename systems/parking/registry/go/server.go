package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

const (
	// How long a connection is kept that nothing is on; a minute is asked for.
	idleTimeout = 75 * time.Second
	// How long requests in flight may still take after the stop was asked for.
	shutdownGrace = 5 * time.Second
)

// serve answers callers until stop is done, then lets requests in flight end.
func serve(stop context.Context, config config) error {
	listener, err := net.Listen("tcp", config.listen)
	if err != nil {
		return err
	}
	known := newLeases(time.Now)
	go known.watch(stop)
	server := &http.Server{
		Handler: newRoutes(known),
		// It runs from the first byte of a request, and where none has come yet, from the connection on.
		ReadHeaderTimeout: idleTimeout,
		IdleTimeout:       idleTimeout,
		// What it has to say is about callers that go away or speak something else.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	endUnused(server)
	fmt.Println("listening on", listener.Addr())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-stop.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(grace); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	// The grace is spent: what is still open is cut off.
	return server.Close()
}
