package main

import "github.com/jackc/pgx/v5"

const (
	insertAccount = `INSERT INTO account (email, name, password_hash, role) VALUES ($1, $2, $3, $4)
  ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role, created_at`
	selectPassword = `SELECT id, password_hash, role FROM account WHERE email = $1`
	selectAccount  = `SELECT id, email, name, role, created_at FROM account WHERE id = $1`
)

// storedPassword is what a log-in is held against.
type storedPassword struct {
	of   caller
	hash string
}

func scanAccount(row pgx.Row) (account, error) {
	var a account
	err := row.Scan(&a.id, &a.email, &a.name, &a.role, &a.createdAt)
	return a, err
}

func scanPassword(row pgx.Row) (storedPassword, error) {
	var p storedPassword
	err := row.Scan(&p.of.id, &p.hash, &p.of.role)
	return p, err
}
