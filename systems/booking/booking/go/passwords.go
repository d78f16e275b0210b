package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/bcrypt"
)

// Bytes of UTF-8. bcrypt does not look at those behind the last.
const (
	shortestPassword = 8
	longestPassword  = 72
)

// passwords computes hashes on threads of its own. All others wait for one.
type passwords struct {
	cost int
	// dummy has the form of a hash, and is that of no password.
	dummy string
	jobs  chan func()
}

// roomForHashes returns on how many threads hashes may be computed: as many as the process has CPUs. The
// scheduler of the language lets no more goroutines run at once than that, so that hashes would keep all
// others waiting, some 10 ms each time; with as many again it is the system that shares out the CPUs.
func roomForHashes() int {
	threads := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(2 * threads)
	return threads
}

func newPasswords(cost, threads int) *passwords {
	p := &passwords{
		cost:  cost,
		dummy: fmt.Sprintf("$2b$%02d$%s", cost, strings.Repeat(".", 53)),
		jobs:  make(chan func()),
	}
	for range threads {
		go p.work()
	}
	return p
}

func (p *passwords) work() {
	runtime.LockOSThread()
	for job := range p.jobs {
		job()
	}
}

// do returns when the job is done, or when the caller went away before it began.
func (p *passwords) do(ctx context.Context, job func()) error {
	done := make(chan struct{})
	select {
	case p.jobs <- func() { job(); close(done) }:
		<-done
		return nil
	case <-ctx.Done():
		return errCallerGone
	}
}

func (p *passwords) hash(ctx context.Context, password string) (string, error) {
	var hash []byte
	var failed error
	err := p.do(ctx, func() { hash, failed = bcrypt.GenerateFromPassword([]byte(password), p.cost) })
	if err == nil {
		err = failed
	}
	return string(hash), err
}

// verify costs as much for an account that is not there, whose hash is empty.
func (p *passwords) verify(ctx context.Context, hash, password string) (bool, error) {
	isThere := hash != ""
	if !isThere {
		hash = p.dummy
	}
	isRight := false
	err := p.do(ctx, func() { isRight = bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil })
	return isThere && isRight && len(password) <= longestPassword, err
}
