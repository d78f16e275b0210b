package main

import (
	"context"
	"sync"
	"sync/atomic"
)

// countries looks the countries of conferences up, each time anew.
type countries struct {
	attempts  *attempts
	strategy  string
	width     int
	batchSize int
}

func newCountries(config countryConfig) *countries {
	return &countries{
		attempts:  newAttempts(config),
		strategy:  config.strategy,
		width:     config.width,
		batchSize: config.batchSize,
	}
}

// of returns the country of each name, by position. One that cannot be had fails all of them.
func (c *countries) of(ctx context.Context, names []string) ([]string, error) {
	switch c.strategy {
	case concurrent:
		return c.concurrently(ctx, names)
	case batched:
		return c.inBatches(ctx, names)
	default:
		return c.oneByOne(ctx, names)
	}
}

func (c *countries) oneByOne(ctx context.Context, names []string) ([]string, error) {
	found := make([]string, len(names))
	for i, name := range names {
		country, err := c.attempts.lookUp(ctx, name)
		if err != nil {
			return nil, err
		}
		found[i] = country
	}
	return found, nil
}

// concurrently has as many workers as look-ups may be in flight. The first failure ends the others.
func (c *countries) concurrently(ctx context.Context, names []string) ([]string, error) {
	working, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	found := make([]string, len(names))
	var begun atomic.Int64
	var workers sync.WaitGroup
	for range min(c.width, len(names)) {
		workers.Go(func() {
			for i := begun.Add(1) - 1; i < int64(len(names)); i = begun.Add(1) - 1 {
				country, err := c.attempts.lookUp(working, names[i])
				if err != nil {
					fail(err)
					return
				}
				found[i] = country
			}
		})
	}
	workers.Wait()
	return found, context.Cause(working)
}

func (c *countries) inBatches(ctx context.Context, names []string) ([]string, error) {
	found := make([]string, 0, len(names))
	for len(names) > 0 {
		batch := names[:min(c.batchSize, len(names))]
		countries, err := c.attempts.lookUpBatch(ctx, batch)
		if err != nil {
			return nil, err
		}
		found = append(found, countries...)
		names = names[len(batch):]
	}
	return found, nil
}
