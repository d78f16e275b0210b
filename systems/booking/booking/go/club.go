package main

import "time"

// club is a row.
type club struct {
	id, ownerID             int64
	name, city, description string
	createdAt               time.Time
}

// newClub is what a club is to be.
type newClub struct{ name, city, description string }

const (
	longestClubName        = 100
	longestCity            = 100
	longestClubDescription = 1000
)

func readClub(o *object) newClub {
	var read newClub
	read.name, _ = o.text("name", characters(1, longestClubName))
	read.city, _ = o.text("city", characters(1, longestCity))
	read.description = o.textOr("description", "", characters(0, longestClubDescription))
	return read
}

func (c club) pageKey() int64 { return c.id }

func (c club) appendTo(to []byte) []byte {
	to = withInteger(to, `{"id":`, c.id)
	to = withInteger(to, `,"owner_id":`, c.ownerID)
	to = withText(to, `,"name":`, c.name)
	to = withText(to, `,"city":`, c.city)
	to = withText(to, `,"description":`, c.description)
	to = withInstant(to, `,"created_at":`, c.createdAt)
	return append(to, '}')
}
