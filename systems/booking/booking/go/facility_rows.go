package main

import (
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	facilityColumns = `id, club_id, name, sport, slot_minutes, opens, closes, price_cents, retired_at, created_at`
	selectFacility  = `SELECT ` + facilityColumns + ` FROM facility WHERE id = $1`
	hasFacility     = `SELECT 1 FROM facility WHERE id = $1`
	insertFacility  = `INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes, price_cents)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ` + facilityColumns
	selectFacilityOwner = `SELECT c.owner_id FROM facility f JOIN club c ON c.id = f.club_id WHERE f.id = $1`
	updateFacility      = `UPDATE facility
  SET name = $2, sport = $3, slot_minutes = $4, opens = $5, closes = $6, price_cents = $7 WHERE id = $1
  RETURNING ` + facilityColumns
	retireFacility = `UPDATE facility SET retired_at = coalesce(retired_at, now()) WHERE id = $1`
	// selectTaken has the reservations that live in a time of a facility.
	selectTaken = `SELECT starts_at, ends_at FROM reservation
  WHERE facility_id = $1 AND status IN ('pending', 'accepted')
  AND tstzrange(starts_at, ends_at) && tstzrange($2, $3) ORDER BY starts_at`
)

// facilityFilter is empty where a part of it is not asked for.
type facilityFilter struct {
	sport, city string
	clubID      int64
	// availableAt is the beginning of a slot that is to be free, where one has to be.
	availableAt *time.Time
}

// selectFacilities puts the statement of a page together.
func selectFacilities(filter facilityFilter, asked page) (string, parameters) {
	var p parameters
	text := `SELECT f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes, f.price_cents,
  f.retired_at, f.created_at FROM facility f`
	if filter.city != "" {
		text += ` JOIN club c ON c.id = f.club_id`
	}
	text += ` WHERE f.id > ` + p.add(asked.after()) + ` AND f.retired_at IS NULL`
	if filter.sport != "" {
		text += ` AND f.sport = ` + p.add(filter.sport)
	}
	if filter.city != "" {
		text += ` AND c.city = ` + p.add(filter.city)
	}
	if filter.clubID != 0 {
		text += ` AND f.club_id = ` + p.add(filter.clubID)
	}
	if filter.availableAt != nil {
		minute := p.add(minuteOf(*filter.availableAt)) + `::int`
		at := p.add(*filter.availableAt) + `::timestamptz`
		text += ` AND f.opens <= ` + minute + ` AND ` + minute + ` + f.slot_minutes <= f.closes
  AND (` + minute + ` - f.opens) % f.slot_minutes = 0
  AND NOT EXISTS (SELECT 1 FROM reservation r WHERE r.facility_id = f.id AND r.status IN ('pending', 'accepted')
    AND tstzrange(r.starts_at, r.ends_at)
      && tstzrange(` + at + `, ` + at + ` + f.slot_minutes * interval '1 minute'))`
	}
	return text + ` ORDER BY f.id LIMIT ` + p.add(asked.rows()), p
}

// minuteOf is the minute of the day, and -1 where an instant is between two: no slot begins there.
func minuteOf(instant time.Time) int {
	if instant.Second() != 0 || instant.Nanosecond() != 0 {
		return -1
	}
	return instant.Hour()*60 + instant.Minute()
}

func scanFacility(row pgx.Row) (facility, error) {
	var f facility
	err := row.Scan(&f.id, &f.clubID, &f.name, &f.sport, &f.slotMinutes, &f.opens, &f.closes, &f.priceCents,
		&f.retiredAt, &f.createdAt)
	return f, err
}

func scanSpan(row pgx.Row) (span, error) {
	var s span
	err := row.Scan(&s.startsAt, &s.endsAt)
	return s, err
}
