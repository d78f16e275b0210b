package main

import (
	"strings"

	"github.com/jackc/pgx/v5"
)

const (
	clubColumns = `id, owner_id, name, city, description, created_at`
	insertClub  = `INSERT INTO club (owner_id, name, city, description) VALUES ($1, $2, $3, $4)
  RETURNING ` + clubColumns
	selectClub      = `SELECT ` + clubColumns + ` FROM club WHERE id = $1`
	selectClubOwner = `SELECT owner_id FROM club WHERE id = $1`
	updateClub      = `UPDATE club SET name = $2, city = $3, description = $4 WHERE id = $1
  RETURNING ` + clubColumns
)

// clubFilter is empty where a part of it is not asked for.
type clubFilter struct {
	ownerID    int64
	city       string
	partOfName string
}

// selectClubs puts the statement of a page together.
func selectClubs(filter clubFilter, asked page) (string, parameters) {
	var p parameters
	text := `SELECT ` + clubColumns + ` FROM club WHERE id > ` + p.add(asked.after())
	if filter.ownerID != 0 {
		text += ` AND owner_id = ` + p.add(filter.ownerID)
	}
	if filter.city != "" {
		text += ` AND city = ` + p.add(filter.city)
	}
	if filter.partOfName != "" {
		text += ` AND name ILIKE ` + p.add(patternOf(filter.partOfName))
	}
	return text + ` ORDER BY id LIMIT ` + p.add(asked.rows()), p
}

var patternEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// patternOf matches what has the text in it, whose characters stand for themselves.
func patternOf(text string) string { return "%" + patternEscapes.Replace(text) + "%" }

func scanClub(row pgx.Row) (club, error) {
	var c club
	err := row.Scan(&c.id, &c.ownerID, &c.name, &c.city, &c.description, &c.createdAt)
	return c, err
}
