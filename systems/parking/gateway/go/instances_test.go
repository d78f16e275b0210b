package main

import (
	"testing"
	"time"
)

// clockOfTests stands until it is set.
type clockOfTests struct{ now time.Duration }

func (c *clockOfTests) read() time.Duration { return c.now }

func TestInstancesTakeTurns(t *testing.T) {
	clock := &clockOfTests{}
	known := newInstances([]string{"a", "b", "c"}, clock.read)
	counts := map[string]int{}
	for range 300 {
		counts[known.next(nil).authority]++
	}
	if counts["a"] != 100 || counts["b"] != 100 || counts["c"] != 100 {
		t.Errorf("taken %v", counts)
	}
}

func TestAnInstanceIsLeftOutForTwoSeconds(t *testing.T) {
	clock := &clockOfTests{}
	known := newInstances([]string{"a", "b"}, clock.read)
	failed := known.next(nil)
	known.leaveOut(failed)
	clock.now = leaveOutTime - 1
	for range 10 {
		if known.next(nil) == failed {
			t.Fatal("it was taken too early")
		}
	}
	clock.now = leaveOutTime
	if known.next(nil) != failed && known.next(nil) != failed {
		t.Error("it was not taken again")
	}
}

func TestWhatWasTriedIsNotTakenAgain(t *testing.T) {
	clock := &clockOfTests{}
	known := newInstances([]string{"a", "b", "c"}, clock.read)
	var tried []*instance
	for range 3 {
		tried = append(tried, known.next(tried))
	}
	if tried[0] == tried[1] || tried[1] == tried[2] || tried[0] == tried[2] || known.next(tried) != nil {
		t.Errorf("tried %v", tried)
	}
}

func TestAListTakesThePlaceOfTheOneBefore(t *testing.T) {
	clock := &clockOfTests{}
	known := newInstances(nil, clock.read)
	if known.next(nil) != nil {
		t.Error("there is one")
	}
	known.replace([]string{"a", "b"})
	known.leaveOut(known.next(nil))
	stays := known.next(nil)
	known.replace([]string{"a", "b", "c"})
	left := 0
	for range 4 {
		if one := known.next(nil); one.authority != "c" && one != stays {
			left++
		}
	}
	if left > 0 {
		t.Error("what was left out is taken, as if it were new")
	}
	known.replace(nil)
	if known.next(nil) != nil {
		t.Error("there is one")
	}
}
