package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

// session is a connection to the database with the statements that the server has prepared for it. Only
// one goroutine has it at a time.
//
// A statement is not ended when its caller goes away: the driver can only close the connection for that.
// What bounds it are the timeouts of the connection, and the server's for statements.
type session struct {
	connection *sql.Conn
	prepared   [statements]*sql.Stmt
}

// query hands every row to read, and has read all of them when it returns without an error.
func (s *session) query(which statement, parameters []any, read func(*sql.Rows) error) error {
	prepared, err := s.statement(which)
	if err != nil {
		return err
	}
	found, err := prepared.QueryContext(context.Background(), parameters...)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		if err := read(found); err != nil {
			return err
		}
	}
	return found.Err()
}

// execute returns how many rows matched.
func (s *session) execute(which statement, parameters []any) (int64, error) {
	prepared, err := s.statement(which)
	if err != nil {
		return 0, err
	}
	result, err := prepared.ExecContext(context.Background(), parameters...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// statement prepares a statement when it is first needed, and keeps it as long as the connection.
func (s *session) statement(which statement) (*sql.Stmt, error) {
	if s.prepared[which] == nil {
		prepared, err := s.connection.PrepareContext(context.Background(), texts[which])
		if err != nil {
			return nil, err
		}
		s.prepared[which] = prepared
	}
	return s.prepared[which], nil
}

// isOpen looks whether the server has closed the connection, and sends nothing.
func (s *session) isOpen() bool {
	return s.connection.Raw(func(connection any) error {
		return connection.(driver.SessionResetter).ResetSession(context.Background())
	}) == nil
}

func (s *session) close() { _ = s.connection.Close() }
