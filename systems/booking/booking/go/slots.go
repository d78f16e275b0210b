package main

import "time"

// span is a time from an instant on, up to another one that is not in it.
type span struct{ startsAt, endsAt time.Time }

func (s span) overlaps(other span) bool {
	return s.startsAt.Before(other.endsAt) && other.startsAt.Before(s.endsAt)
}

// slot is one of a day of a facility.
type slot struct {
	span
	isAvailable bool
}

func (f facility) slotLength() time.Duration { return time.Duration(f.slotMinutes) * time.Minute }

// hours are those of the day of an instant.
func (f facility) hours(instant time.Time) span {
	midnight := midnightOf(instant)
	return span{
		midnight.Add(time.Duration(f.opens) * time.Minute),
		midnight.Add(time.Duration(f.closes) * time.Minute),
	}
}

// slots are those of a day, which is given by its midnight, beside the times that are taken.
func (f facility) slots(day time.Time, taken []span) []slot {
	var slots []slot
	hours := f.hours(day)
	for at := hours.startsAt; at.Before(hours.endsAt); at = at.Add(f.slotLength()) {
		one := slot{span{at, at.Add(f.slotLength())}, !f.isRetired()}
		for _, other := range taken {
			if one.overlaps(other) {
				one.isAvailable = false
			}
		}
		slots = append(slots, one)
	}
	return slots
}

// startFault is that of a reservation against the hours and the grid of the facility.
func (f facility) startFault(asked span) string {
	hours := f.hours(asked.startsAt)
	switch {
	case asked.startsAt.Before(hours.startsAt) || asked.endsAt.After(hours.endsAt):
		return "outside-hours"
	case asked.startsAt.Sub(hours.startsAt)%f.slotLength() != 0:
		return "not-aligned"
	}
	return ""
}

func appendSlots(to []byte, day time.Time, slots []slot) []byte {
	to = withText(to, `{"date":`, day.Format(time.DateOnly))
	to = append(to, `,"slots":[`...)
	for i, one := range slots {
		if i > 0 {
			to = append(to, ',')
		}
		to = withInstant(to, `{"starts_at":`, one.startsAt)
		to = withInstant(to, `,"ends_at":`, one.endsAt)
		to = withBool(to, `,"available":`, one.isAvailable)
		to = append(to, '}')
	}
	return append(to, `]}`...)
}
