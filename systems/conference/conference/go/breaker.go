package main

import (
	"sync"
	"time"
)

const (
	// breakerWindow is how many of the last attempts count.
	breakerWindow = 20
	// breakerFailures of them open it.
	breakerFailures = 10
	// breakerRest is how long it then stays open.
	breakerRest = 5 * time.Second
)

// breaker lets no attempt through for a while once too many have failed, then one: where that one does not
// fail, all is as at the start. It never reads a clock itself.
type breaker struct {
	mutex sync.Mutex
	// period grows whenever it opens or closes. Attempts of a period that is over do not count.
	period int
	failed [breakerWindow]bool
	made   int
	isOpen bool
	until  time.Time
	// isProbing says that the one attempt after the rest is under way.
	isProbing bool
}

// permit is one attempt, by the period that it began in.
type permit int

// ask tells whether an attempt may be made. Each that is made must be counted or forgotten.
func (b *breaker) ask(now time.Time) (permit, bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.isOpen && (b.isProbing || now.Before(b.until)) {
		return 0, false
	}
	b.isProbing = b.isOpen
	return permit(b.period), true
}

// count takes how an attempt ended.
func (b *breaker) count(p permit, hasFailed bool, now time.Time) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	switch {
	case int(p) != b.period:
	case b.isOpen && hasFailed:
		b.turn(true, now)
	case b.isOpen:
		b.turn(false, now)
	default:
		b.failed[b.made%breakerWindow] = hasFailed
		b.made++
		if b.failures() >= breakerFailures {
			b.turn(true, now)
		}
	}
}

// forget takes an attempt that was broken off, and says nothing of the service.
func (b *breaker) forget(p permit) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if int(p) == b.period {
		b.isProbing = false
	}
}

func (b *breaker) failures() int {
	failures := 0
	for _, hasFailed := range b.failed {
		if hasFailed {
			failures++
		}
	}
	return failures
}

func (b *breaker) turn(open bool, now time.Time) {
	b.period++
	b.failed = [breakerWindow]bool{}
	b.made = 0
	b.isOpen = open
	b.until = now.Add(breakerRest)
	b.isProbing = false
}
