// Command gateway is the mediation system's gateway on net/http. It passes requests on to its
// upstream, as they are or as XML; SPEC.md of the system says how. It leaves out whatever the scenarios
// do not ask for: routing tables, retries, caches, metrics.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"
)

const (
	exitFailed        = 1
	exitConfiguration = 2
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
	if err := serve(stop, config, logger); err != nil {
		logger.Print(err)
		os.Exit(exitFailed)
	}
}
