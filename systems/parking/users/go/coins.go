package main

import (
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	selectTop = `SELECT first_name, last_name, email, coins FROM app_user WHERE role = 1
  ORDER BY coins DESC, id LIMIT 10`
	selectWallet = `SELECT u.coins, e.id, e.amount, e.reason, e.manager_id, e.at FROM app_user u
  LEFT JOIN LATERAL (
    SELECT id, amount, reason, manager_id, at FROM coin_event WHERE user_id = u.id ORDER BY id DESC LIMIT 100
  ) e ON true
  WHERE u.id = $1 ORDER BY e.id DESC`
)

// coins are the operations on wallets.
type coins struct{ pool *pool }

func (c *coins) top(r *http.Request, _ caller) (answer, error) {
	richest, err := use(r.Context(), c.pool, func(s *session) ([]richUser, error) {
		return all(s, scanRichUser, selectTop)
	})
	return ok(appendList(nil, richest)), err
}

func (c *coins) wallet(r *http.Request, _ caller) (answer, error) {
	id := pathID(r)
	rows, err := use(r.Context(), c.pool, func(s *session) ([]walletRow, error) {
		rows, err := all(s, scanWalletRow, selectWallet, id)
		if err == nil && len(rows) == 0 {
			err = notFound
		}
		return rows, err
	})
	if err != nil {
		return answer{}, err
	}
	body := withInteger(nil, `{"userId":`, id)
	body = withInteger(body, `,"coins":`, rows[0].coins)
	body = appendList(append(body, `,"events":`...), eventsIn(rows))
	return ok(append(body, '}')), nil
}

// richUser is one of the ten.
type richUser struct{ user }

func scanRichUser(row pgx.Row) (richUser, error) {
	var u richUser
	err := row.Scan(&u.firstName, &u.lastName, &u.email, &u.coins)
	return u, err
}

func (u richUser) appendTo(to []byte) []byte {
	to = withText(to, `{"name":`, u.name())
	to = withText(to, `,"email":`, u.email)
	to = withInteger(to, `,"coins":`, u.coins)
	return append(to, '}')
}

// walletRow is a balance beside one of its events, if it has any.
type walletRow struct {
	coins                 int64
	id, amount, managerID *int64
	reason                *string
	at                    *time.Time
}

func scanWalletRow(row pgx.Row) (walletRow, error) {
	var r walletRow
	err := row.Scan(&r.coins, &r.id, &r.amount, &r.reason, &r.managerID, &r.at)
	return r, err
}

// event is one time that coins were given or taken; no manager did it where it is a debit.
type event struct {
	id, amount int64
	reason     string
	managerID  *int64
	at         time.Time
}

func eventsIn(rows []walletRow) []event {
	var found []event
	for _, row := range rows {
		if row.id != nil {
			found = append(found, event{*row.id, *row.amount, *row.reason, row.managerID, *row.at})
		}
	}
	return found
}

func (e event) appendTo(to []byte) []byte {
	to = withInteger(to, `{"id":`, e.id)
	to = withInteger(to, `,"amount":`, e.amount)
	to = withText(to, `,"reason":`, e.reason)
	if e.managerID == nil {
		to = append(to, `,"managerId":null`...)
	} else {
		to = withInteger(to, `,"managerId":`, *e.managerID)
	}
	to = withInstant(to, `,"at":`, e.at)
	return append(to, '}')
}
