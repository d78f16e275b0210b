package main

import "github.com/jackc/pgx/v5"

const (
	// upsertRating keeps the time at which a reservation was first rated.
	upsertRating = `INSERT INTO rating (reservation_id, facility_id, stars, comment) VALUES ($1, $2, $3, $4)
  ON CONFLICT (reservation_id) DO UPDATE SET stars = EXCLUDED.stars, comment = EXCLUDED.comment
  RETURNING reservation_id, facility_id, stars, comment, created_at, (xmax = 0) AS is_new`
	selectRatings = `SELECT reservation_id, facility_id, stars, comment, created_at FROM rating
  WHERE facility_id = $1 AND reservation_id > $2 ORDER BY reservation_id LIMIT $3`
	selectSummary = `SELECT count(*) AS count, round(avg(stars), 2)::float8 AS average
  FROM rating WHERE facility_id = $1`
)

// storedRating is one beside whether it is the first of its reservation.
type storedRating struct {
	rating
	isNew bool
}

func scanRating(row pgx.Row) (rating, error) {
	var g rating
	err := row.Scan(&g.reservationID, &g.facilityID, &g.stars, &g.comment, &g.createdAt)
	return g, err
}

func scanStoredRating(row pgx.Row) (storedRating, error) {
	var g storedRating
	err := row.Scan(&g.reservationID, &g.facilityID, &g.stars, &g.comment, &g.createdAt, &g.isNew)
	return g, err
}

func scanSummary(row pgx.Row) (summary, error) {
	var s summary
	err := row.Scan(&s.count, &s.average)
	return s, err
}
