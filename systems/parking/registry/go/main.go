// Command registry knows where the instances of services are. It speaks the part of Eureka's protocol that
// SPEC.md of the system has, and leaves out the rest: XML, deltas, replication, pages for people.
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
	logger := log.New(os.Stderr, "registry: ", 0)
	config, err := readConfig(os.LookupEnv)
	if err != nil {
		logger.Print(err)
		os.Exit(exitConfiguration)
	}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	if err := serve(stop, config); err != nil {
		logger.Print(err)
		os.Exit(exitFailed)
	}
}
