package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// statementLimit bounds the wait for the answer to a statement.
	statementLimit = 2 * time.Second
	// lookLimit bounds a look for what the server has sent unasked.
	lookLimit = time.Millisecond
)

// session is a connection to the database. Only one goroutine has it at a time. pgx has the server prepare
// a statement when it is first made on a connection, and keeps it as long as the connection.
//
// A statement is not ended when its caller goes away: that would cost the connection.
type session struct{ connection *pgx.Conn }

func limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), statementLimit)
}

// first reads the first row of a statement, and is pgx.ErrNoRows where there is none.
func first[T any](s *session, scan func(pgx.Row) (T, error), text string, parameters ...any) (T, error) {
	ctx, cancel := limited()
	defer cancel()
	return scan(s.connection.QueryRow(ctx, text, parameters...))
}

// all reads every row of a statement.
func all[T any](s *session, scan func(pgx.Row) (T, error), text string, parameters ...any) ([]T, error) {
	ctx, cancel := limited()
	defer cancel()
	rows, err := s.connection.Query(ctx, text, parameters...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (T, error) { return scan(row) })
}

// execute makes a statement that gives no row, and returns how many it has changed.
func (s *session) execute(text string, parameters ...any) (int64, error) {
	ctx, cancel := limited()
	defer cancel()
	done, err := s.connection.Exec(ctx, text, parameters...)
	return done.RowsAffected(), err
}

// transact commits what work does, or rolls it back where it returns an error.
func (s *session) transact(work func() error) error {
	if err := s.command("BEGIN"); err != nil {
		return err
	}
	if err := work(); err != nil {
		if !s.connection.IsClosed() {
			// Where this fails, the session is in no state to be lent again, and will not be.
			_ = s.command("ROLLBACK")
		}
		return err
	}
	return s.command("COMMIT")
}

func (s *session) command(text string) error {
	_, err := s.execute(text)
	return err
}

// isLost tells whether the connection is in no state to be used again.
func (s *session) isLost() bool {
	server := s.connection.PgConn()
	return s.connection.IsClosed() || server.IsBusy() || server.TxStatus() != 'I'
}

// isOpen looks whether the server has ended the connection, and sends nothing. Nobody else may have it.
func (s *session) isOpen() bool {
	ctx, cancel := context.WithTimeout(context.Background(), lookLimit)
	defer cancel()
	_, err := s.connection.PgConn().ReceiveMessage(ctx)
	return err == nil || pgconn.Timeout(err)
}

// close says goodbye where it can, and frees the socket in any case: pgx would keep that of a statement
// that was given up for some seconds more.
func (s *session) close() {
	ctx, cancel := context.WithTimeout(context.Background(), lookLimit)
	defer cancel()
	_ = s.connection.Close(ctx)
	_ = s.connection.PgConn().Conn().Close()
}

func scanOne[T any](row pgx.Row) (T, error) {
	var one T
	err := row.Scan(&one)
	return one, err
}

// change makes a statement that gives no row, and changes one at least: else what it is for is not there.
func (s *session) change(text string, parameters ...any) error {
	changed, err := s.execute(text, parameters...)
	if err == nil && changed == 0 {
		return notFound
	}
	return err
}
