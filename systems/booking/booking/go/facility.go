package main

import "time"

// facility is a row.
type facility struct {
	id, clubID    int64
	name, sport   string
	slotMinutes   int64
	opens, closes int64 // minutes after midnight
	priceCents    int64
	retiredAt     *time.Time // none while it takes reservations
	createdAt     time.Time
}

// newFacility is what a facility is to be.
type newFacility struct {
	name, sport                            string
	slotMinutes, opens, closes, priceCents int64
}

const (
	longestFacilityName = 100
	minutesOfDay        = 24 * 60
	highestPriceCents   = 1_000_000
)

var (
	sports      = []string{"tennis", "football", "padel", "basketball", "volleyball", "badminton"}
	slotLengths = []int64{30, 60, 90}
)

func readFacility(o *object) newFacility {
	var read newFacility
	var hasLength, hasOpens, hasCloses bool
	read.name, _ = o.text("name", characters(1, longestFacilityName))
	read.sport, _ = o.text("sport", among(sports))
	read.slotMinutes, hasLength = o.integer("slot_minutes", among(slotLengths))
	read.opens, hasOpens = o.integer("opens", between(0, minutesOfDay))
	read.closes, hasCloses = o.integer("closes", between(0, minutesOfDay))
	if hasLength && hasOpens && hasCloses {
		if code := hoursFault(read); code != "" {
			o.refuse("closes", code)
		}
	}
	read.priceCents, _ = o.integer("price_cents", between(0, highestPriceCents))
	return read
}

// hoursFault is that of the end of the hours.
func hoursFault(asked newFacility) string {
	switch {
	case asked.closes <= asked.opens:
		return "range"
	case (asked.closes-asked.opens)%asked.slotMinutes != 0:
		return "not-aligned"
	}
	return ""
}

func (f facility) isRetired() bool { return f.retiredAt != nil }

func (f facility) pageKey() int64 { return f.id }

func (f facility) appendTo(to []byte) []byte {
	to = withInteger(to, `{"id":`, f.id)
	to = withInteger(to, `,"club_id":`, f.clubID)
	to = withText(to, `,"name":`, f.name)
	to = withText(to, `,"sport":`, f.sport)
	to = withInteger(to, `,"slot_minutes":`, f.slotMinutes)
	to = withInteger(to, `,"opens":`, f.opens)
	to = withInteger(to, `,"closes":`, f.closes)
	to = withInteger(to, `,"price_cents":`, f.priceCents)
	to = withBool(to, `,"retired":`, f.isRetired())
	to = withInstant(to, `,"created_at":`, f.createdAt)
	return append(to, '}')
}
