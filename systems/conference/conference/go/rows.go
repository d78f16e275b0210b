package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/go-sql-driver/mysql"
)

// statement is an index of those that a session keeps prepared.
type statement int

const (
	selectAll statement = iota
	selectPage
	selectOne
	insertOne
	updateOne
	deleteOne
	selectNothing
	statements
)

var texts = [statements]string{
	selectAll:     "SELECT id, name FROM conferences ORDER BY id",
	selectPage:    "SELECT id, name FROM conferences WHERE id > ? ORDER BY id LIMIT ?",
	selectOne:     "SELECT id, name FROM conferences WHERE id = ?",
	insertOne:     "INSERT INTO conferences (id, name) VALUES (?, ?)",
	updateOne:     "UPDATE conferences SET name = ? WHERE id = ?",
	deleteOne:     "DELETE FROM conferences WHERE id = ?",
	selectNothing: "SELECT 1",
}

// Errors of the server, by its own numbers (MariaDB, "Error Codes").
const (
	duplicateEntry       = 1062
	tooManyConnections   = 1040
	serverShutdown       = 1053
	lockWaitTimeout      = 1205
	deadlock             = 1213
	queryInterrupted     = 1317
	connectionKilled     = 1927
	statementTimeoutOver = 1969
)

// rows are those of the table, each operation by one statement. Its errors are problems, but that of a
// caller who went away while waiting for a connection.
type rows struct{ pool *pool }

func (r rows) all(ctx context.Context, give func(id, name []byte)) error {
	return r.query(ctx, give, selectAll)
}

// page gives one row more than the limit, where there is one.
func (r rows) page(ctx context.Context, asked page, give func(id, name []byte)) error {
	return r.query(ctx, give, selectPage, asked.after, asked.limit+1)
}

func (r rows) get(ctx context.Context, id string) (conference, error) {
	var found conference
	err := r.query(ctx, func(id, name []byte) {
		found = conference{string(id), string(name)}
	}, selectOne, id)
	if err == nil && found.id == "" {
		err = notFound
	}
	return found, err
}

func (r rows) insert(ctx context.Context, row conference) error {
	_, err := r.execute(ctx, insertOne, row.id, row.name)
	return err
}

func (r rows) replace(ctx context.Context, row conference) error {
	return r.executeOnOne(ctx, updateOne, row.name, row.id)
}

func (r rows) remove(ctx context.Context, id string) error {
	return r.executeOnOne(ctx, deleteOne, id)
}

// ask has the database answer, and touches no table.
func (r rows) ask(ctx context.Context) error {
	return asProblem(r.pool.use(ctx, func(s *session) error {
		return s.query(selectNothing, nil, func(found *sql.Rows) error { return nil })
	}))
}

// query gives every row; what is given is valid only until the function returns.
func (r rows) query(
	ctx context.Context, give func(id, name []byte), which statement, parameters ...any,
) error {
	return asProblem(r.pool.use(ctx, func(s *session) error {
		var id, name sql.RawBytes
		return s.query(which, parameters, func(found *sql.Rows) error {
			err := found.Scan(&id, &name)
			if err == nil {
				give(id, name)
			}
			return err
		})
	}))
}

// executeOnOne is for a statement on the row of an id, which must be there.
func (r rows) executeOnOne(ctx context.Context, which statement, parameters ...any) error {
	matched, err := r.execute(ctx, which, parameters...)
	if err == nil && matched == 0 {
		return notFound
	}
	return err
}

func (r rows) execute(ctx context.Context, which statement, parameters ...any) (int64, error) {
	var matched int64
	err := r.pool.use(ctx, func(s *session) (err error) {
		matched, err = s.execute(which, parameters)
		return err
	})
	return matched, asProblem(err)
}

// asProblem tells what is answered for an error of the pool or of the database.
func asProblem(err error) error {
	var refusal *mysql.MySQLError
	switch {
	case err == nil || errors.Is(err, errCallerGone):
		return err
	case !errors.As(err, &refusal):
		return unavailable(err) // A connection that was lost, or a wait that is over.
	}
	switch refusal.Number {
	case duplicateEntry:
		return duplicateID
	case tooManyConnections, serverShutdown, lockWaitTimeout, deadlock, queryInterrupted,
		connectionKilled, statementTimeoutOver:
		return unavailable(err)
	}
	return internal(err)
}

// isLost tells whether an error leaves its connection in no state to be used again.
func isLost(err error) bool {
	var refusal *mysql.MySQLError
	if errors.As(err, &refusal) {
		return refusal.Number == serverShutdown || refusal.Number == connectionKilled
	}
	return err != nil
}
