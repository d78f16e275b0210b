package main

import "github.com/jackc/pgx/v5"

const (
	reservationColumns = `id, facility_id, player_id, starts_at, ends_at, status, price_cents, created_at, decided_at`
	columnsOfR         = `r.id, r.facility_id, r.player_id, r.starts_at, r.ends_at, r.status, r.price_cents,
  r.created_at, r.decided_at`
	joinClub = ` JOIN facility f ON f.id = r.facility_id JOIN club c ON c.id = f.club_id`

	// insertReservation gives no row where another reservation is in its time.
	insertReservation = `INSERT INTO reservation (facility_id, player_id, starts_at, ends_at, price_cents)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING ` + reservationColumns
	selectReservation = `SELECT ` + columnsOfR + `, c.owner_id FROM reservation r` + joinClub + ` WHERE r.id = $1`
	// The two below give no row where the state of the reservation is another one.
	decideReservation = `UPDATE reservation SET status = $2, decided_at = now() WHERE id = $1 AND status = 'pending'
  RETURNING ` + reservationColumns
	cancelReservation = `UPDATE reservation SET status = 'cancelled'
  WHERE id = $1 AND status IN ('pending', 'accepted') RETURNING ` + reservationColumns
)

// reservationFilter is empty where a part of it is not asked for.
type reservationFilter struct {
	facilityID int64
	status     string
}

// selectReservations puts the statement of a page together: a player's own, or those of an owner's clubs.
func selectReservations(of caller, filter reservationFilter, asked page) (string, parameters) {
	var p parameters
	text := `SELECT ` + columnsOfR + ` FROM reservation r`
	if of.role == owner {
		text += joinClub + ` WHERE r.id < ` + p.add(asked.below()) + ` AND c.owner_id = ` + p.add(of.id)
	} else {
		text += ` WHERE r.id < ` + p.add(asked.below()) + ` AND r.player_id = ` + p.add(of.id)
	}
	if filter.facilityID != 0 {
		text += ` AND r.facility_id = ` + p.add(filter.facilityID)
	}
	if filter.status != "" {
		text += ` AND r.status = ` + p.add(filter.status)
	}
	return text + ` ORDER BY r.id DESC LIMIT ` + p.add(asked.rows()), p
}

// ownedReservation is one beside the owner of its club.
type ownedReservation struct {
	reservation
	ownerID int64
}

func scanReservation(row pgx.Row) (reservation, error) {
	var r reservation
	err := row.Scan(r.columns()...)
	return r, err
}

func scanOwnedReservation(row pgx.Row) (ownedReservation, error) {
	var r ownedReservation
	err := row.Scan(append(r.columns(), &r.ownerID)...)
	return r, err
}

// columns are where the columns of a row go to.
func (r *reservation) columns() []any {
	return []any{&r.id, &r.facilityID, &r.playerID, &r.at.startsAt, &r.at.endsAt, &r.status, &r.priceCents,
		&r.createdAt, &r.decidedAt}
}

// findReservation is not-found also for one that is not the caller's: a player's own, or one of an owner's
// clubs.
func findReservation(s *session, from caller, id int64) (reservation, error) {
	found, err := first(s, scanOwnedReservation, selectReservation, id)
	if err != nil {
		return reservation{}, without(err, notFound)
	}
	if !found.isOf(from) {
		return reservation{}, notFound
	}
	return found.reservation, nil
}

func (r ownedReservation) isOf(from caller) bool {
	if from.role == owner {
		return from.id == r.ownerID
	}
	return from.id == r.playerID
}
