package main

import (
	"context"
	"errors"
	"time"
)

// attempts make each look-up, again where it may be made again, and not while the breaker is open.
type attempts struct {
	service  *countryService
	retries  int
	interval time.Duration
	// breaker is nil where there is none.
	breaker *breaker
}

var errOpen = errors.New("too many attempts failed")

func newAttempts(config countryConfig) *attempts {
	a := &attempts{
		service:  newCountryService(config),
		retries:  config.retries,
		interval: config.retryInterval,
	}
	if config.hasBreaker {
		a.breaker = &breaker{}
	}
	return a
}

// lookUp returns the country of a name. Its errors are problems, but that of a caller who went away.
func (a *attempts) lookUp(ctx context.Context, name string) (string, error) {
	var country string
	err := a.make(ctx, func() (err error) {
		country, err = a.service.country(ctx, name)
		return err
	})
	return country, err
}

// lookUpBatch returns the countries of names by position. Its errors are those of lookUp.
func (a *attempts) lookUpBatch(ctx context.Context, names []string) ([]string, error) {
	var countries []string
	err := a.make(ctx, func() (err error) {
		countries, err = a.service.countries(ctx, names)
		return err
	})
	return countries, err
}

func (a *attempts) make(ctx context.Context, ask func() error) error {
	for made := 0; ; made++ {
		err := a.once(ctx, ask)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return errCallerGone
		}
		if errors.Is(err, errOpen) {
			return countryOpen(err)
		}
		var failed *attemptFailure
		if !errors.As(err, &failed) {
			return internal(err)
		}
		if !failed.isPassing || made == a.retries {
			return failed.problem()
		}
		if !pause(ctx, a.interval) {
			return errCallerGone
		}
	}
}

// once makes one attempt, if it may be made.
func (a *attempts) once(ctx context.Context, ask func() error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if a.breaker == nil {
		return ask()
	}
	permit, isGiven := a.breaker.ask(time.Now())
	if !isGiven {
		return errOpen
	}
	err := ask()
	var failed *attemptFailure
	switch {
	case err != nil && ctx.Err() != nil:
		a.breaker.forget(permit)
	case errors.As(err, &failed) && failed.isOutage:
		a.breaker.count(permit, true, time.Now())
	default:
		a.breaker.count(permit, false, time.Now())
	}
	return err
}

// pause tells whether there is still somebody to go on for.
func pause(ctx context.Context, interval time.Duration) bool {
	timer := time.NewTimer(interval)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
