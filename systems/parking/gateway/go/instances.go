package main

import (
	"slices"
	"sync/atomic"
	"time"
)

// How long an instance is left out after an attempt that failed.
const leaveOutTime = 2 * time.Second

// instance is a process of users.
type instance struct {
	authority string
	// leftOutUntil is a time of the clock below, in nanoseconds.
	leftOutUntil atomic.Int64
}

// instances are those that are known now.
type instances struct {
	list  atomic.Pointer[[]*instance]
	turn  atomic.Uint64
	clock func() time.Duration
}

func newInstances(authorities []string, clock func() time.Duration) *instances {
	s := &instances{clock: clock}
	s.list.Store(&[]*instance{})
	s.replace(authorities)
	return s
}

// replace keeps what is known of those that stay. Only one goroutine may call it.
func (s *instances) replace(authorities []string) {
	before := *s.list.Load()
	list := make([]*instance, 0, len(authorities))
	for _, authority := range authorities {
		place := slices.IndexFunc(before, func(one *instance) bool { return one.authority == authority })
		if place >= 0 {
			list = append(list, before[place])
		} else {
			list = append(list, &instance{authority: authority})
		}
	}
	s.list.Store(&list)
}

// next takes the next in turn of those that are not left out and were not tried; it is nil where there is none.
func (s *instances) next(tried []*instance) *instance {
	now := int64(s.clock())
	free := make([]*instance, 0, mostInstances)
	for _, one := range *s.list.Load() {
		if one.leftOutUntil.Load() <= now && !slices.Contains(tried, one) {
			free = append(free, one)
		}
	}
	if len(free) == 0 {
		return nil
	}
	return free[s.turn.Add(1)%uint64(len(free))]
}

func (s *instances) leaveOut(one *instance) { one.leftOutUntil.Store(int64(s.clock() + leaveOutTime)) }
