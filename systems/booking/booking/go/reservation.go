package main

import (
	"crypto/sha256"
	"strconv"
	"time"
)

// reservation is a row.
type reservation struct {
	id, facilityID, playerID int64
	at                       span
	status                   string
	priceCents               int64
	createdAt                time.Time
	decidedAt                *time.Time // none before it was accepted or rejected
}

// The states of reservations. Those of the first two live: they keep others out.
const (
	pending   = "pending"
	accepted  = "accepted"
	rejected  = "rejected"
	cancelled = "cancelled"
)

var states = []string{pending, accepted, rejected, cancelled}

func (r reservation) isLive() bool { return r.status == pending || r.status == accepted }

// newReservation is what is asked for.
type newReservation struct {
	facilityID int64
	startsAt   time.Time
	slots      int64
}

const (
	mostSlots    = 4
	highestWhole = 1<<63 - 1
)

// reservationsFrom reads what is asked for at a time.
func reservationsFrom(now time.Time) func(*object) newReservation {
	return func(o *object) newReservation {
		var read newReservation
		read.facilityID, _ = o.integer("facility_id", between(1, highestWhole))
		o.text("starts_at", func(text string) string {
			var code string
			read.startsAt, code = startOf(text, now)
			return code
		})
		read.slots = o.integerOr("slots", 1, between(1, mostSlots))
		return read
	}
}

func startOf(text string, now time.Time) (startsAt time.Time, code string) {
	startsAt, isInstant := instantOf(text)
	switch {
	case !isInstant:
		code = "format"
	case !isOfTheYears(startsAt):
		code = "range"
	case !startsAt.After(now):
		code = "in-past"
	}
	return startsAt, code
}

// at is the time that is asked for of a facility.
func (n newReservation) at(f facility) span {
	return span{n.startsAt, n.startsAt.Add(time.Duration(n.slots) * f.slotLength())}
}

// fingerprint tells requests of one Idempotency-Key apart.
func (n newReservation) fingerprint() []byte {
	text := strconv.AppendInt(nil, n.facilityID, 10)
	text = append(appendInstant(append(text, '|'), n.startsAt), '|')
	sum := sha256.Sum256(strconv.AppendInt(text, n.slots, 10))
	return sum[:]
}

func (r reservation) pageKey() int64 { return r.id }

func (r reservation) appendTo(to []byte) []byte {
	to = withInteger(to, `{"id":`, r.id)
	to = withInteger(to, `,"facility_id":`, r.facilityID)
	to = withInteger(to, `,"player_id":`, r.playerID)
	to = withInstant(to, `,"starts_at":`, r.at.startsAt)
	to = withInstant(to, `,"ends_at":`, r.at.endsAt)
	to = withText(to, `,"status":`, r.status)
	to = withInteger(to, `,"price_cents":`, r.priceCents)
	to = withInstant(to, `,"created_at":`, r.createdAt)
	if r.decidedAt == nil {
		return append(to, `,"decided_at":null}`...)
	}
	return append(withInstant(to, `,"decided_at":`, *r.decidedAt), '}')
}
