package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	discoveryPause = time.Second
	discoveryLimit = time.Second
	longestList    = 8 << 20
)

// discovery asks the registry for instances, again and again.
type discovery struct {
	address string
	speaks  protocol
	client  http.Client
	known   *instances
	// hasList says that one came, whatever comes later.
	hasList atomic.Bool
	logger  *log.Logger
}

func newDiscovery(registry string, speaks protocol, known *instances, logger *log.Logger) *discovery {
	return &discovery{
		address: "http://" + registry + "/eureka/apps",
		speaks:  speaks,
		// Without a proxy, whatever the environment says.
		client: http.Client{Transport: &http.Transport{}, Timeout: discoveryLimit},
		known:  known,
		logger: logger,
	}
}

// run asks until stop is done. While no list comes, the last one stays.
func (d *discovery) run(stop context.Context) {
	isAway := false
	for {
		authorities, err := d.ask(stop)
		switch {
		case stop.Err() != nil:
			return
		case err == nil:
			d.known.replace(authorities)
			d.hasList.Store(true)
		case !isAway:
			d.logger.Printf("no list of instances came: %v", err)
		}
		isAway = err != nil
		select {
		case <-stop.Done():
			return
		case <-time.After(discoveryPause):
		}
	}
}

func (d *discovery) ask(stop context.Context) ([]string, error) {
	request, err := http.NewRequestWithContext(stop, http.MethodGet, d.address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := d.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the registry answered %d", response.StatusCode)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, longestList))
	if err != nil {
		return nil, err
	}
	return authoritiesOf(text, d.speaks)
}
