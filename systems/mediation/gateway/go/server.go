package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

const (
	// A client that opens a connection and sends no request must not hold it for ever.
	readHeaderTimeout = 10 * time.Second
	// Longer than any pause between two requests of a load.
	idleTimeout = 60 * time.Second
	// How long requests in flight may still take after the stop was asked for.
	shutdownGrace = 5 * time.Second
)

// serve answers callers until stop is done, then lets requests in flight end.
func serve(stop context.Context, config config, logger *log.Logger) error {
	server := newServer(config, logger)
	listener, err := net.Listen("tcp", config.listen)
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	failed := make(chan error, 1)
	go func() { failed <- accept(server, listener) }()
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

func newServer(config config, logger *log.Logger) *http.Server {
	server := &http.Server{
		Handler:           newGateway(config.upstream, logger),
		Protocols:         config.client.versions(),
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          logger,
	}
	if config.certificate != nil {
		server.TLSConfig = serverTLS(config.certificate)
	}
	return server
}

func accept(server *http.Server, listener net.Listener) error {
	if server.TLSConfig == nil {
		return server.Serve(listener)
	}
	return server.ServeTLS(listener, "", "")
}
