package main

import (
	"strconv"
	"time"
)

// rating is a row; it is of one reservation, and known by its id.
type rating struct {
	reservationID, facilityID int64
	stars                     int64
	comment                   string
	createdAt                 time.Time
}

// newRating is what a rating is to be.
type newRating struct {
	stars   int64
	comment string
}

const (
	mostStars      = 5
	longestComment = 500
)

func readRating(o *object) newRating {
	var read newRating
	read.stars, _ = o.integer("stars", between(1, mostStars))
	read.comment = o.textOr("comment", "", characters(0, longestComment))
	return read
}

// summary is of all ratings of a facility.
type summary struct {
	count   int64
	average *float64 // none where there is no rating
}

// ratingsPage is a part of the ratings of a facility.
type ratingsPage struct {
	ratings []rating
	all     summary
}

func (g rating) pageKey() int64 { return g.reservationID }

func (g rating) appendTo(to []byte) []byte {
	to = withInteger(to, `{"reservation_id":`, g.reservationID)
	to = withInteger(to, `,"facility_id":`, g.facilityID)
	to = withInteger(to, `,"stars":`, g.stars)
	to = withText(to, `,"comment":`, g.comment)
	to = withInstant(to, `,"created_at":`, g.createdAt)
	return append(to, '}')
}

// appendTo writes behind the rows of a page, and ends it.
func (s summary) appendTo(to []byte) []byte {
	to = withInteger(to, `,"count":`, s.count)
	to = append(to, `,"average":`...)
	if s.average == nil {
		return append(to, `null}`...)
	}
	return append(strconv.AppendFloat(to, *s.average, 'f', -1, 64), '}')
}
