package main

import (
	"log"
	"sync"
	"time"
)

// complaints are lines about what stays away, of which there is one a second at most.
type complaints struct {
	logger *log.Logger
	mu     sync.Mutex
	last   time.Time
}

func newComplaints(logger *log.Logger) *complaints { return &complaints{logger: logger} }

func (c *complaints) printf(format string, arguments ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.last) >= time.Second {
		c.last = now
		c.logger.Printf(format, arguments...)
	}
}
