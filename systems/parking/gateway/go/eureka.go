package main

import (
	"encoding/json"
	"errors"
	"net"
	"slices"
)

const (
	applicationOfUsers = "USERS"
	statusUp           = "UP"
)

var errNoList = errors.New("the registry's answer has no applications")

// eurekaList is the part of the registry's answer that is looked at.
type eurekaList struct {
	Applications *struct {
		Application []struct {
			Name string `json:"name"`
			// Instance has them as they are: one that is none must not hide the others.
			Instance []json.RawMessage `json:"instance"`
		} `json:"application"`
	} `json:"applications"`
}

type eurekaInstance struct {
	HostName   string     `json:"hostName"`
	Status     string     `json:"status"`
	Port       eurekaPort `json:"port"`
	SecurePort eurekaPort `json:"securePort"`
}

type eurekaPort struct {
	Number json.Number `json:"$"`
	// Enabled is a text on the wire, and a boolean in some.
	Enabled json.RawMessage `json:"@enabled"`
}

// authoritiesOf reads where the instances of users are that are up, in what the leg speaks.
func authoritiesOf(text []byte, speaks protocol) ([]string, error) {
	var list eurekaList
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	if list.Applications == nil {
		return nil, errNoList
	}
	var found []string
	for _, application := range list.Applications.Application {
		if application.Name != applicationOfUsers {
			continue
		}
		for _, text := range application.Instance {
			var one eurekaInstance
			if json.Unmarshal(text, &one) != nil {
				continue
			}
			authority, isUp := one.authority(speaks)
			if isUp && !slices.Contains(found, authority) {
				found = append(found, authority)
			}
		}
	}
	return found, nil
}

func (i eurekaInstance) authority(speaks protocol) (string, bool) {
	port := i.Port
	if speaks.overTLS() {
		port = i.SecurePort
	}
	isRight := i.Status == statusUp && i.HostName != "" && port.isEnabled() &&
		isNumber(port.Number.String(), 1, 65535)
	return net.JoinHostPort(i.HostName, port.Number.String()), isRight
}

func (p eurekaPort) isEnabled() bool {
	return string(p.Enabled) == `"true"` || string(p.Enabled) == "true"
}
