package main

import (
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
)

const (
	lockCoins   = `SELECT coins FROM app_user WHERE id = $1 FOR NO KEY UPDATE`
	selectDebit = `SELECT user_id, amount FROM coin_event WHERE reference = $1`
	takeCoins   = `UPDATE app_user SET coins = coins - $2 WHERE id = $1`
	insertDebit = `INSERT INTO coin_event (user_id, amount, reason, reference, at) VALUES ($1, $2, 'debit', $3, now())`
)

const (
	longestReference = 100
	mostCoins        = 1_000_000
	mostID           = 1<<63 - 1
)

// debit is what another service asks for.
type debit struct {
	userID    int64
	reference string
	mostCoins int64
}

func readDebit(o *object) debit {
	return debit{
		userID:    o.integer("userId", between(1, mostID)),
		reference: o.text("reference", visible(1, longestReference)),
		mostCoins: o.integer("maxCoins", between(0, mostCoins)),
	}
}

func (c *coins) debit(r *http.Request, _ caller) (answer, error) {
	asked, err := readBody(r, readDebit)
	if err != nil {
		return answer{}, err
	}
	taken, err := transact(r.Context(), c.pool, func(s *session) (int64, error) { return asked.takeOnce(s) })
	return ok(append(withInteger(nil, `{"coins":`, taken), '}')), err
}

// takeOnce tells how many coins were taken for the reference, now or before.
func (d debit) takeOnce(s *session) (int64, error) {
	has, err := first(s, scanOne[int64], lockCoins, d.userID)
	if err != nil {
		return 0, without(err, notFound)
	}
	before, err := first(s, scanTaken, selectDebit, d.reference)
	switch {
	case err == nil && before.userID != d.userID:
		return 0, idempotencyMismatch
	case err == nil:
		return -before.amount, nil
	case !errors.Is(err, pgx.ErrNoRows):
		return 0, err
	}
	taken := min(has, d.mostCoins)
	if err := s.change(takeCoins, d.userID, taken); err != nil {
		return 0, err
	}
	return taken, s.change(insertDebit, d.userID, -taken, d.reference)
}

// takenCoins are those of a debit, as a negative amount, and whose they were.
type takenCoins struct{ userID, amount int64 }

func scanTaken(row pgx.Row) (takenCoins, error) {
	var t takenCoins
	err := row.Scan(&t.userID, &t.amount)
	return t, err
}
