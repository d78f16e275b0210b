// Command gateway is the one entry of the parking system: it checks tokens and passes requests on to users.
// SPEC.md of the system says how. It leaves out whatever no clause asks for: rate limits, breakers, metrics.
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
	config, err := readConfig(os.LookupEnv)
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
