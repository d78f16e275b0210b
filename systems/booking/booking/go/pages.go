package main

import (
	"encoding/base64"
	"strconv"
)

const (
	mostRows      = 100
	rowsByDefault = 20
)

// page is the part of a list that is asked for.
type page struct {
	limit int
	// cursor is the id before the first row, and 0 where the page is the first.
	cursor int64
}

// item is a row of a list.
type item interface {
	// pageKey is the id that the list is ordered by.
	pageKey() int64
	appendTo(to []byte) []byte
}

func (q *query) page() page {
	result := page{limit: parameter(q, "limit", limitOf), cursor: parameter(q, "cursor", idOfCursor)}
	if result.limit == 0 {
		result.limit = rowsByDefault
	}
	return result
}

func limitOf(text string) (int, bool) {
	if !isNumber(text, 1, mostRows) || text[0] == '0' {
		return 0, false
	}
	limit, _ := strconv.Atoi(text)
	return limit, true
}

// idOfCursor takes only what cursorOf makes: the decoder skips line ends, and bits behind the last byte.
func idOfCursor(text string) (int64, bool) {
	digits, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return 0, false
	}
	id, isID := idOf(string(digits))
	return id, isID && cursorOf(id) == text
}

func cursorOf(id int64) string {
	return base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, id, 10))
}

// rows is how many are read: one more than are shown tells whether there is a page behind.
func (p page) rows() int { return p.limit + 1 }

// after is the cursor of a list that ascends; below is that of one that descends.
func (p page) after() int64 { return p.cursor }

func (p page) below() int64 {
	if p.cursor == 0 {
		return 1<<63 - 1
	}
	return p.cursor
}

// appendPage writes the rows that were read, and leaves the object open.
func appendPage[T item](to []byte, p page, rows []T) []byte {
	shown := rows[:min(len(rows), p.limit)]
	to = append(to, `{"items":[`...)
	for i, row := range shown {
		if i > 0 {
			to = append(to, ',')
		}
		to = row.appendTo(to)
	}
	if len(rows) == len(shown) {
		return append(to, `],"next_cursor":null`...)
	}
	return withText(to, `],"next_cursor":`, cursorOf(shown[len(shown)-1].pageKey()))
}

func answerPage[T item](p page, rows []T) answer {
	const bytesOfRow = 256
	body := appendPage(make([]byte, 0, (len(rows)+1)*bytesOfRow), p, rows)
	return ok(append(body, '}'))
}
