package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
func serve(stop context.Context, config config, logger *slog.Logger) error {
	listener, err := net.Listen("tcp", config.listen)
	if err != nil {
		return err
	}
	pool, err := openPool(config.database, logger)
	if err != nil {
		return err
	}
	defer pool.close()
	fmt.Println("listening on", listener.Addr())
	server := &http.Server{
		Handler: newRoutes(services{
			pool:      pool,
			tokens:    newTokens(config.tokens, time.Now),
			passwords: newPasswords(config.passwordCost, runtime.GOMAXPROCS(0)),
			logger:    logger,
		}),
		// It runs from the first byte of a request, and where none has come yet, from the connection on.
		ReadHeaderTimeout:            idleTimeout,
		IdleTimeout:                  idleTimeout,
		ErrorLog:                     slog.NewLogLogger(logger.Handler(), slog.LevelError),
		DisableGeneralOptionsHandler: true,
	}
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
