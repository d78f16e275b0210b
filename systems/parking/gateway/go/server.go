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
	// How long a connection of a caller is kept that nothing is on; a minute is asked for.
	idleTimeout = 75 * time.Second
	// How long requests in flight may still take after the stop was asked for.
	shutdownGrace = 5 * time.Second
	// net/http reads 4 KiB more of a head on HTTP/1.1, and takes 320 bytes more on HTTP/2: 15 KiB pass, 24 KiB
	// do not.
	longestHeadBytes = 19_968
)

// serve answers callers until stop is done, then lets requests in flight end.
func serve(stop context.Context, config config, logger *log.Logger) error {
	listener, err := net.Listen("tcp", config.listen)
	if err != nil {
		return err
	}
	known := newInstances(config.instances.static, sinceNow())
	isReady := func() bool { return true }
	if config.instances.registry != "" {
		found := newDiscovery(config.instances.registry, config.upstream.protocol, known, logger)
		isReady = found.hasList.Load
		go found.run(stop)
	}
	name := fmt.Sprintf("gateway-%d", listener.Addr().(*net.TCPAddr).Port)
	server := newServer(newGateway(name, config, known, isReady, logger), config)
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

func newServer(handler http.Handler, config config) *http.Server {
	versions := config.client.versions()
	if config.client == h2 {
		versions.SetHTTP1(true) // For callers that offer nothing else.
	}
	server := &http.Server{
		Handler:   handler,
		Protocols: versions,
		// It runs from the first byte of a request, and where none has come yet, from the connection on.
		ReadHeaderTimeout: idleTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    longestHeadBytes,
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

func accept(server *http.Server, listener net.Listener) error {
	if server.TLSConfig == nil {
		return server.Serve(listener)
	}
	return server.ServeTLS(listener, "", "")
}

// sinceNow makes a clock that starts now, and that no change of the time of day disturbs.
func sinceNow() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
