// Command gateway is the mediation system's gateway on net/http. It passes POST /passthrough on to
// its upstream; SPEC.md of the system says how. It leaves out whatever the scenarios do not ask for:
// routing tables, retries, caches, metrics.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	exitFailed        = 1
	exitConfiguration = 2

	// A client that opens a connection and sends no request must not hold it for ever.
	readHeaderTimeout = 10 * time.Second
	// Longer than any pause between two requests of a load.
	idleTimeout = 60 * time.Second
	// How long requests in flight may still take after the stop was asked for.
	shutdownGrace = 5 * time.Second
)

func main() {
	logger := log.New(os.Stderr, "gateway: ", 0)
	config, err := readConfig(os.Getenv)
	if err != nil {
		logger.Print(err)
		os.Exit(exitConfiguration)
	}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	if err := run(stop, config, logger); err != nil {
		logger.Print(err)
		os.Exit(exitFailed)
	}
}

// run serves until stop is done, then lets requests in flight end.
func run(stop context.Context, config config, logger *log.Logger) error {
	server := &http.Server{
		Handler:           newGateway(config.upstream, logger),
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		ErrorLog:          logger,
	}
	listener, err := net.Listen("tcp", config.listen)
	if err != nil {
		return err
	}
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
