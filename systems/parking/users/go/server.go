package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"time"
)

const (
	// How long a connection is kept that nothing is on; a minute is asked for.
	idleTimeout = 75 * time.Second
	// How long requests in flight may still take after the stop was asked for.
	shutdownGrace = 5 * time.Second
)

// serve answers callers until stop is done, then lets requests in flight end.
func serve(stop context.Context, config config, logger *log.Logger) error {
	listener, err := net.Listen("tcp", config.listen)
	if err != nil {
		return err
	}
	complaints := newComplaints(logger)
	pool, err := openPool(config.database, complaints)
	if err != nil {
		return err
	}
	defer pool.close()
	address := listener.Addr().(*net.TCPAddr)
	name := fmt.Sprintf("users-%d", address.Port)
	server := newServer(newRoutes(parts{
		name:        name,
		pool:        pool,
		tokens:      newTokens(config.tokens, time.Now),
		passwords:   newPasswords(passwordCost, runtime.GOMAXPROCS(0)),
		internalKey: config.internalKey,
		logger:      logger,
		complaints:  complaints,
	}), config)
	fmt.Println("listening on", address)
	isDeregistered := make(chan struct{})
	go func() {
		defer close(isDeregistered)
		if config.registry != "" {
			newRegistrar(config.registry, registered(name, address, config.speaks), complaints).run(stop)
		}
	}()
	if err := serveUntil(stop, server, listener); err != nil {
		return err
	}
	<-isDeregistered
	return nil
}

func newServer(handler http.Handler, config config) *http.Server {
	server := &http.Server{
		Handler:   handler,
		Protocols: config.speaks.versions(),
		// It runs from the first byte of a request, and where none has come yet, from the connection on.
		ReadHeaderTimeout: idleTimeout,
		IdleTimeout:       idleTimeout,
		// What it has to say is about callers that go away or speak something else.
		ErrorLog:                     log.New(io.Discard, "", 0),
		DisableGeneralOptionsHandler: true,
	}
	if config.certificate != nil {
		server.TLSConfig = serverTLS(config.certificate)
	}
	endUnused(server)
	return server
}

func serveUntil(stop context.Context, server *http.Server, listener net.Listener) error {
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

func accept(server *http.Server, listener net.Listener) error {
	if server.TLSConfig == nil {
		return server.Serve(listener)
	}
	return server.ServeTLS(listener, "", "")
}
