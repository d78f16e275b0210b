// Command users has the accounts, vehicles and wallets of the parking system, and keeps all of it in PostgreSQL.
// SPEC.md of the system says how. It leaves out whatever no clause asks for: migrations, caches, metrics.
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
	logger := log.New(os.Stderr, "users: ", 0)
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
