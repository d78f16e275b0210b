package main

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"time"
)

// defaultLease is how long Eureka takes a lease to last where an instance does not say.
const defaultLease = 90 * time.Second

var (
	idShape  = regexp.MustCompile(`^[A-Za-z0-9._:-]+$`)
	statuses = []string{"UP", "DOWN", "STARTING", "OUT_OF_SERVICE", "UNKNOWN"}

	errNoInstance = errors.New("the body is no instance")
)

// instance is one as it registered itself.
type instance struct {
	id     string
	status string
	lease  time.Duration
	// members are all that were sent.
	members map[string]json.RawMessage
}

// readInstance reads the body of a registration.
func readInstance(body []byte) (instance, error) {
	var sent struct {
		Instance json.RawMessage `json:"instance"`
	}
	var known struct {
		InstanceID string `json:"instanceId"`
		Status     string `json:"status"`
		LeaseInfo  struct {
			DurationInSecs int `json:"durationInSecs"`
		} `json:"leaseInfo"`
	}
	read := instance{status: "UP", lease: defaultLease}
	if json.Unmarshal(body, &sent) != nil || json.Unmarshal(sent.Instance, &known) != nil ||
		json.Unmarshal(sent.Instance, &read.members) != nil || !idShape.MatchString(known.InstanceID) {
		return instance{}, errNoInstance
	}
	read.id = known.InstanceID
	if known.Status != "" {
		read.status = known.Status
	}
	if seconds := known.LeaseInfo.DurationInSecs; seconds > 0 {
		read.lease = time.Duration(seconds) * time.Second
	}
	if !isStatus(read.status) {
		return instance{}, errNoInstance
	}
	return read, nil
}

func isStatus(text string) bool { return slices.Contains(statuses, text) }

// show writes it as a member of an application, with the status that it has now.
func (i instance) show(application, status string) []byte {
	i.members["app"] = quoted(application)
	i.members["status"] = quoted(status)
	text, err := json.Marshal(i.members)
	if err != nil {
		panic(err) // They were read from JSON.
	}
	return text
}

func quoted(text string) json.RawMessage {
	value, err := json.Marshal(text)
	if err != nil {
		panic(err) // A text always can be.
	}
	return value
}
