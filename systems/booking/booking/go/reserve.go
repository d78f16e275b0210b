package main

import (
	"net/http"
	"time"
)

func (v *reservations) reserve(r *http.Request) (answer, error) {
	body, err := bodyOf(r)
	if err != nil {
		return answer{}, err
	}
	key, err := idempotencyKeyOf(r)
	if err != nil {
		return answer{}, err
	}
	asked, err := readObject(body, reservationsFrom(time.Now()))
	if err != nil {
		return answer{}, err
	}
	return transact(r.Context(), v.pool, func(s *session) (answer, error) {
		playerID := callerOf(r).id
		if key == "" {
			return reserve(s, playerID, asked)
		}
		return reserveOnce(s, playerID, key, asked)
	})
}

// reserve asks the constraint of the table whether the time is free.
func reserve(s *session, playerID int64, asked newReservation) (answer, error) {
	of, err := findFacility(s, asked.facilityID)
	if err != nil {
		return answer{}, err
	}
	at := asked.at(of)
	if code := of.startFault(at); code != "" {
		return answer{}, invalid(fault{pointer: "/starts_at", code: code})
	}
	if of.isRetired() {
		return answer{}, facilityRetired
	}
	made, err := first(s, scanReservation, insertReservation, of.id, playerID, at.startsAt, at.endsAt,
		asked.slots*of.priceCents)
	if err != nil {
		return answer{}, without(err, slotTaken)
	}
	return createdAt("/reservations/", made.id, made.appendTo(nil)), nil
}
