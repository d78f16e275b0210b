package main

import (
	"testing"
	"time"
)

var day = time.Date(2040, 3, 1, 0, 0, 0, 0, time.UTC)

// court has eight slots of an hour and a half, the last of which ends at midnight.
var court = facility{slotMinutes: 90, opens: 12 * 60, closes: minutesOfDay}

func TestAReservationLiesOnTheGridWithinTheHours(t *testing.T) {
	for _, asked := range []struct {
		startsAt string
		slots    int64
		code     string
	}{
		{"2040-03-01T12:00:00Z", 1, ""},
		{"2040-03-01T13:30:00Z", 4, ""},
		{"2040-03-01T22:30:00Z", 1, ""},
		{"2040-03-02T00:30:00+02:00", 1, ""},
		{"2040-03-01T22:30:00Z", 2, "outside-hours"},
		{"2040-03-01T22:30:00.1Z", 1, "outside-hours"},
		{"2040-03-01T23:00:00Z", 1, "outside-hours"},
		{"2040-03-01T11:59:59Z", 1, "outside-hours"},
		{"2040-03-01T00:00:00Z", 1, "outside-hours"},
		{"2040-03-01T12:30:00Z", 1, "not-aligned"},
		{"2040-03-01T12:00:01Z", 1, "not-aligned"},
		{"2040-03-01T12:00:00.000000000001Z", 1, "not-aligned"},
	} {
		startsAt, _ := instantOf(asked.startsAt)
		at := newReservation{startsAt: startsAt, slots: asked.slots}.at(court)
		if code := court.startFault(at); code != asked.code {
			t.Errorf("%s, %d slots: %q", asked.startsAt, asked.slots, code)
		}
	}
}

func TestASlotIsFreeWhereNothingLiesInIt(t *testing.T) {
	taken := []span{{day.Add(13 * time.Hour), day.Add(15 * time.Hour)}, {day.Add(24 * time.Hour), day.Add(25 * time.Hour)}}
	slots := court.slots(day, taken)
	for i, isAvailable := range []bool{false, false, true, true, true, true, true, true} {
		if len(slots) != 8 || slots[i].isAvailable != isAvailable {
			t.Fatalf("slot %d of %v", i, slots)
		}
	}
	if last := slots[7].endsAt; !last.Equal(day.AddDate(0, 0, 1)) {
		t.Errorf("the last slot ends at %v", last)
	}
}

func TestARetiredFacilityHasNoFreeSlot(t *testing.T) {
	retired := facility{slotMinutes: 60, opens: 0, closes: 60, retiredAt: &day}
	body := string(appendSlots(nil, day, retired.slots(day, nil)))
	if body != `{"date":"2040-03-01","slots":[{"starts_at":"2040-03-01T00:00:00Z",`+
		`"ends_at":"2040-03-01T01:00:00Z","available":false}]}` {
		t.Errorf("wrote %s", body)
	}
}

func TestTheMinuteOfASlotHasNoSeconds(t *testing.T) {
	for text, expected := range map[string]int{
		"2040-03-01T10:05:00Z": 605, "2040-03-01T00:00:00+02:00": 1320, "2040-03-01T10:00:01Z": -1,
		"2040-03-01T10:00:00.1Z": -1,
	} {
		instant, _ := instantOf(text)
		if minute := minuteOf(instant); minute != expected {
			t.Errorf("%s is minute %d", text, minute)
		}
	}
}
