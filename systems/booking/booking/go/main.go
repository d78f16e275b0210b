// Command booking lets players reserve the facilities of clubs, and keeps all of it in PostgreSQL. SPEC.md of
// the system says how. It leaves out whatever no clause asks for: migrations, caches, metrics.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

const (
	exitFailed        = 1
	exitConfiguration = 2
)

func main() {
	config, err := readConfig(os.LookupEnv)
	if err != nil {
		fmt.Fprintln(os.Stderr, "booking:", err)
		os.Exit(exitConfiguration)
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: config.logLevel}))
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	if err := serve(stop, config, logger); err != nil {
		fmt.Fprintln(os.Stderr, "booking:", err)
		os.Exit(exitFailed)
	}
}
