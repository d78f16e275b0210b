package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

const (
	beatInterval = time.Second
	// How long each request to the registry may take.
	registryLimit = time.Second
	leaseSeconds  = 3
)

// registration is what the registry is told of this process.
type registration struct {
	id   string
	body []byte
}

// registered makes the members of an instance that is up.
func registered(id string, address *net.TCPAddr, speaks protocol) registration {
	const form = `{"instance":{"instanceId":"%s","hostName":"%s","app":"USERS","ipAddr":"%s",` +
		`"vipAddress":"users","status":"UP","port":{"$":%d,"@enabled":"%t"},"securePort":{"$":%d,"@enabled":"%t"},` +
		`"dataCenterInfo":{"@class":"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo","name":"MyOwn"},` +
		`"leaseInfo":{"renewalIntervalInSecs":1,"durationInSecs":%d},"metadata":{}}}`
	host, isSecure := address.IP.String(), speaks.overTLS()
	return registration{id, fmt.Appendf(nil, form, id, host, host, address.Port, !isSecure, address.Port, isSecure, leaseSeconds)}
}

// registrar keeps the process in the registry. Nothing that is served depends on it.
type registrar struct {
	// application is the address of all instances, instance that of this one.
	application, instance string
	body                  []byte
	client                *http.Client
	complaints            *complaints
	isRegistered          bool
}

func newRegistrar(registry string, of registration, complaints *complaints) *registrar {
	application := "http://" + registry + "/eureka/apps/USERS"
	return &registrar{
		application: application,
		instance:    application + "/" + of.id,
		body:        of.body,
		// Without a proxy, whatever the environment says.
		client:     &http.Client{Transport: &http.Transport{}, Timeout: registryLimit},
		complaints: complaints,
	}
}

// run registers, and sends heartbeats until stop is done; then it deregisters.
func (r *registrar) run(stop context.Context) {
	for {
		if err := r.beat(stop); err != nil && stop.Err() == nil {
			r.complaints.printf("the registry does not answer: %v", err)
		}
		select {
		case <-stop.Done():
			// Where it fails, the lease ends by itself.
			_, _ = r.ask(context.Background(), http.MethodDelete, r.instance, nil)
			return
		case <-time.After(beatInterval):
		}
	}
}

// beat sends a heartbeat, or registers where the registry does not know of it. What still waits at the end is given up.
func (r *registrar) beat(stop context.Context) error {
	if r.isRegistered {
		status, err := r.ask(stop, http.MethodPut, r.instance, nil)
		if err != nil {
			return err
		}
		if status != http.StatusNotFound {
			return unlessSuccess(status)
		}
		r.isRegistered = false
	}
	status, err := r.ask(stop, http.MethodPost, r.application, r.body)
	if err != nil {
		return err
	}
	err = unlessSuccess(status)
	r.isRegistered = err == nil
	return err
}

func unlessSuccess(status int) error {
	if status/100 != 2 {
		return fmt.Errorf("it answered %d", status)
	}
	return nil
}

func (r *registrar) ask(limit context.Context, method, address string, body []byte) (int, error) {
	request, err := http.NewRequestWithContext(limit, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := r.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	// Read to its end, the connection can be used again.
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}
