package main

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/jackc/pgx/v5"
)

const longestKey = 64

const (
	// insertKey waits for a rival that is making the same row, and changes none where the key is there.
	insertKey = `INSERT INTO idempotency (account_id, key, fingerprint) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	selectKey = `SELECT fingerprint, body FROM idempotency WHERE account_id = $1 AND key = $2`
	updateKey = `UPDATE idempotency SET body = $3 WHERE account_id = $1 AND key = $2`
)

// storedAnswer is the body that a key got, and what it was for.
type storedAnswer struct {
	fingerprint []byte
	body        string
}

func scanStoredAnswer(row pgx.Row) (storedAnswer, error) {
	var stored storedAnswer
	err := row.Scan(&stored.fingerprint, &stored.body)
	return stored, err
}

// idempotencyKeyOf is empty where there is none.
func idempotencyKeyOf(r *http.Request) (string, error) {
	keys := r.Header.Values("Idempotency-Key")
	if len(keys) == 0 {
		return "", nil
	}
	if len(keys) > 1 || keys[0] == "" || len(keys[0]) > longestKey || !isVisibleASCII(keys[0]) {
		return "", malformed
	}
	return keys[0], nil
}

// reserveOnce makes a reservation for a key, or gives again what was answered for it. The key is gone with
// the transaction where no reservation is made.
func reserveOnce(s *session, playerID int64, key string, asked newReservation) (answer, error) {
	fingerprint := asked.fingerprint()
	inserted, err := s.execute(insertKey, playerID, key, fingerprint)
	if err != nil {
		return answer{}, err
	}
	if inserted == 0 {
		return replay(s, playerID, key, fingerprint)
	}
	made, err := reserve(s, playerID, asked)
	if err != nil {
		return answer{}, err
	}
	_, err = s.execute(updateKey, playerID, key, string(made.body))
	return made, err
}

func replay(s *session, playerID int64, key string, fingerprint []byte) (answer, error) {
	stored, err := first(s, scanStoredAnswer, selectKey, playerID, key)
	if err != nil {
		return answer{}, err
	}
	if !bytes.Equal(stored.fingerprint, fingerprint) {
		return answer{}, idempotencyMismatch
	}
	var made struct{ ID int64 }
	if err := json.Unmarshal([]byte(stored.body), &made); err != nil {
		return answer{}, err
	}
	again := createdAt("/reservations/", made.ID, []byte(stored.body))
	again.isReplayed = true
	return again, nil
}
