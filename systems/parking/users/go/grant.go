package main

import (
	"bytes"
	"crypto/sha256"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
)

const (
	// insertGrant waits for a rival that is making the same row, and changes none where the key is there.
	insertGrant = `INSERT INTO idempotency (key, operation, digest, status, body, at)
  VALUES ($1, 'grant-coins', $2, 201, $3, now()) ON CONFLICT DO NOTHING`
	selectGrant  = `SELECT digest, status, body FROM idempotency WHERE key = $1 AND operation = 'grant-coins'`
	lockBalances = `SELECT id, coins FROM app_user WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`
	addCoins     = `UPDATE app_user SET coins = coins + $2 WHERE id = ANY($1)`
	insertEvents = `INSERT INTO coin_event (user_id, amount, reason, manager_id, at)
  SELECT id, $2::integer, $3::text, $4::bigint, now() FROM unnest($1::bigint[]) AS id ORDER BY id`
)

const (
	mostGranted   = 100
	mostAmount    = 1_000_000
	longestReason = 200
)

var keyShape = regexp.MustCompile(`^[A-Za-z0-9-]{16,64}$`)

// grant is what a manager asks for.
type grant struct {
	userIDs []int64
	amount  int64
	reason  string
}

func readGrant(o *object) grant {
	return grant{
		userIDs: o.integers("userIds", userIDsFault),
		amount:  o.integer("amount", amountFault),
		reason:  o.text("reason", characters(1, longestReason)),
	}
}

func userIDsFault(ids []int64) string {
	if code := lengthFault(len(ids), 1, mostGranted); code != "" {
		return code
	}
	sorted := slices.Sorted(slices.Values(ids))
	switch {
	case sorted[0] < 1:
		return "range"
	case len(slices.Compact(sorted)) < len(ids):
		return "duplicate"
	}
	return ""
}

func amountFault(amount int64) string {
	if amount == 0 {
		return "range"
	}
	return between(-mostAmount, mostAmount)(amount)
}

// digest tells one request from another.
func (g grant) digest() []byte {
	text := append(strconv.AppendInt(nil, g.amount, 10), '|')
	for i, id := range g.userIDs {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, id, 10)
	}
	sum := sha256.Sum256(append(append(text, '|'), g.reason...))
	return sum[:]
}

// idempotencyKeyOf reads the one key that is needed.
func idempotencyKeyOf(r *http.Request) (string, error) {
	keys := r.Header["Idempotency-Key"]
	if len(keys) != 1 || !keyShape.MatchString(keys[0]) {
		return "", malformed
	}
	return keys[0], nil
}

func (c *coins) grant(r *http.Request, from caller) (answer, error) {
	body, err := bodyOf(r)
	if err != nil {
		return answer{}, err
	}
	key, err := idempotencyKeyOf(r)
	if err != nil {
		return answer{}, err
	}
	asked, err := readObject(body, readGrant)
	if err != nil {
		return answer{}, err
	}
	return transact(r.Context(), c.pool, func(s *session) (answer, error) {
		return grantOnce(s, key, asked, from.id)
	})
}

// grantOnce gives coins for a key, or gives again what was answered for it. The key is gone with the transaction
// where nobody gets any.
func grantOnce(s *session, key string, asked grant, managerID int64) (answer, error) {
	digest := asked.digest()
	body := append(withInteger(nil, `{"granted":`, int64(len(asked.userIDs))), '}')
	inserted, err := s.execute(insertGrant, key, digest, string(body))
	if err != nil {
		return answer{}, err
	}
	if inserted == 0 {
		return replay(s, key, digest)
	}
	return answer{status: http.StatusCreated, body: body}, asked.make(s, managerID)
}

func (g grant) make(s *session, managerID int64) error {
	balances, err := all(s, scanBalance, lockBalances, g.userIDs)
	if err != nil {
		return err
	}
	if len(balances) < len(g.userIDs) {
		return notFound
	}
	for _, one := range balances {
		if sum := one.coins + g.amount; sum < 0 || sum > math.MaxInt32 {
			return wrongCoins
		}
	}
	if err := s.change(addCoins, g.userIDs, g.amount); err != nil {
		return err
	}
	return s.change(insertEvents, g.userIDs, g.amount, g.reason, managerID)
}

func replay(s *session, key string, digest []byte) (answer, error) {
	stored, err := first(s, scanStoredAnswer, selectGrant, key)
	if err != nil {
		return answer{}, err
	}
	if !bytes.Equal(stored.digest, digest) {
		return answer{}, idempotencyMismatch
	}
	return answer{status: stored.status, body: []byte(stored.body), isReplayed: true}, nil
}

// storedAnswer is what a key got, and what it was for.
type storedAnswer struct {
	digest []byte
	status int
	body   string
}

func scanStoredAnswer(row pgx.Row) (storedAnswer, error) {
	var stored storedAnswer
	err := row.Scan(&stored.digest, &stored.status, &stored.body)
	return stored, err
}

// balance is how many coins a user has.
type balance struct{ userID, coins int64 }

func scanBalance(row pgx.Row) (balance, error) {
	var b balance
	err := row.Scan(&b.userID, &b.coins)
	return b, err
}
