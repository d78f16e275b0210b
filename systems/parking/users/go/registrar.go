package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
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
func registered(id string, port int, speaks protocol) registration {
	const form = `{"instance":{"instanceId":"%s","hostName":"127.0.0.1","app":"USERS","ipAddr":"127.0.0.1",` +
		`"vipAddress":"users","status":"UP","port":{"$":%d,"@enabled":"%t"},"securePort":{"$":%d,"@enabled":"%t"},` +
		`"dataCenterInfo":{"@class":"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo","name":"MyOwn"},` +
		`"leaseInfo":{"renewalIntervalInSecs":1,"durationInSecs":%d},"metadata":{}}}`
	isSecure := speaks.overTLS()
	return registration{id, fmt.Appendf(nil, form, id, port, !isSecure, port, isSecure, leaseSeconds)}
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
		if err := r.beat(); err != nil {
			r.complaints.printf("the registry does not answer: %v", err)
		}
		select {
		case <-stop.Done():
			// Where it fails, the lease ends by itself.
			_, _ = r.ask(http.MethodDelete, r.instance, nil)
			return
		case <-time.After(beatInterval):
		}
	}
}

// beat sends a heartbeat, or registers where the registry does not know of it.
func (r *registrar) beat() error {
	if r.isRegistered {
		status, err := r.ask(http.MethodPut, r.instance, nil)
		if err != nil || status != http.StatusNotFound {
			return err
		}
		r.isRegistered = false
	}
	status, err := r.ask(http.MethodPost, r.application, r.body)
	if err != nil {
		return err
	}
	r.isRegistered = status/100 == 2
	if !r.isRegistered {
		return fmt.Errorf("it answered %d", status)
	}
	return nil
}

func (r *registrar) ask(method, address string, body []byte) (int, error) {
	request, err := http.NewRequest(method, address, bytes.NewReader(body))
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
