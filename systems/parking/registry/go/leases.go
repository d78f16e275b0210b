package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	watchInterval = time.Second
	// The real server lets a lease last for twice its duration.
	leasesUntilGone = 2
)

// lease is the place of an instance, which it keeps by heartbeats.
type lease struct {
	instance instance
	// override stands in the place of the instance's own status; empty where there is none.
	override string
	renewed  time.Time
	// shown is the instance as JSON.
	shown []byte
}

// leases are all, by application in capitals and by id. What changed is seen by the next request.
type leases struct {
	now          func() time.Time
	mu           sync.Mutex
	applications map[string]map[string]*lease
}

func newLeases(now func() time.Time) *leases {
	return &leases{now: now, applications: make(map[string]map[string]*lease)}
}

// register replaces an instance of the same id; an override outlives that.
func (s *leases) register(application string, registered instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	application = strings.ToUpper(application)
	if s.applications[application] == nil {
		s.applications[application] = make(map[string]*lease)
	}
	made := &lease{instance: registered, renewed: s.now()}
	if before := s.applications[application][registered.id]; before != nil {
		made.override = before.override
	}
	made.show(application)
	s.applications[application][registered.id] = made
}

// change does something to a lease, and tells whether it is known.
func (s *leases) change(application, id string, do func(*lease)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	application = strings.ToUpper(application)
	found := s.applications[application][id]
	if found == nil {
		return false
	}
	do(found)
	found.show(application)
	return true
}

func (s *leases) renew(application, id string) bool {
	return s.change(application, id, func(one *lease) { one.renewed = s.now() })
}

func (s *leases) override(application, id, status string) bool {
	return s.change(application, id, func(one *lease) { one.override = status })
}

// endOverride lets an instance have a status of its own again; an empty one leaves it as it registered itself.
func (s *leases) endOverride(application, id, status string) bool {
	return s.change(application, id, func(one *lease) {
		one.override = ""
		if status != "" {
			one.instance.status = status
		}
	})
}

func (s *leases) deregister(application, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	application = strings.ToUpper(application)
	if s.applications[application][id] == nil {
		return false
	}
	s.remove(application, id)
	return true
}

// remove leaves no application without instances.
func (s *leases) remove(application, id string) {
	delete(s.applications[application], id)
	if len(s.applications[application]) == 0 {
		delete(s.applications, application)
	}
}

// watch ends leases that are over, until stop is done.
func (s *leases) watch(stop context.Context) {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-stop.Done():
			return
		case <-ticker.C:
			s.endSilent()
		}
	}
}

func (s *leases) endSilent() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	for application, instances := range s.applications {
		for id, one := range instances {
			if now.Sub(one.renewed) > leasesUntilGone*one.instance.lease {
				s.remove(application, id)
			}
		}
	}
}

// appendAll writes every application, in the order of their names.
func (s *leases) appendAll(to []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, application := range slices.Sorted(maps.Keys(s.applications)) {
		if i > 0 {
			to = append(to, ',')
		}
		to = s.appendOne(to, application)
	}
	return to
}

// appendApplication writes one, and tells whether it is known.
func (s *leases) appendApplication(to []byte, application string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	application = strings.ToUpper(application)
	if s.applications[application] == nil {
		return to, false
	}
	return s.appendOne(to, application), true
}

func (s *leases) appendOne(to []byte, application string) []byte {
	to = append(to, `{"name":`...)
	to = append(to, quoted(application)...)
	to = append(to, `,"instance":[`...)
	instances := s.applications[application]
	for i, id := range slices.Sorted(maps.Keys(instances)) {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, instances[id].shown...)
	}
	return append(to, `]}`...)
}

func (l *lease) show(application string) {
	status := l.override
	if status == "" {
		status = l.instance.status
	}
	l.shown = l.instance.show(application, status)
}
