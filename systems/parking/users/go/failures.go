package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// States of errors of the server (PostgreSQL, appendix A) that pass by themselves.
var (
	// rivalries are those of transactions that were ended for the sake of another one.
	rivalries = []string{"40001", "40P01"}
	// outages are those of a server that cannot answer now.
	outages = []string{"53300", "55P03", "57014", "57P01", "57P02", "57P03", "57P04", "57P05"}
)

const (
	classOfConnections = "08"
	uniqueViolation    = "23505"
	checkViolation     = "23514"
	outOfRange         = "22003"
)

// conflicts are what a row was refused for, by the constraint that refused it.
var conflicts = map[string]*problem{
	"app_user_email_key":       duplicateEmail,
	"app_user_nif_key":         duplicateNif,
	"vehicle_pkey":             duplicatePlate,
	"coin_event_reference_key": idempotencyMismatch,
}

func isRivalry(err error) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal) && slices.Contains(rivalries, refusal.Code)
}

func isOutage(state string) bool {
	return slices.Contains(outages, state) || slices.Contains(rivalries, state) ||
		strings.HasPrefix(state, classOfConnections)
}

// asProblem tells what is answered for an error of work on a session, which may be lost by it.
func asProblem(err error, isLost bool) error {
	var known *problem
	var refusal *pgconn.PgError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.As(err, &refusal):
		return refusalOf(refusal)
	case isLost:
		return unavailable(err) // The connection is lost, or the wait for its answer was over.
	}
	return internal(err)
}

func refusalOf(refusal *pgconn.PgError) error {
	conflict, isKnown := conflicts[refusal.ConstraintName]
	switch {
	case isOutage(refusal.Code):
		return unavailable(refusal)
	case refusal.Code == checkViolation || refusal.Code == outOfRange:
		return wrongCoins
	case refusal.Code == uniqueViolation && isKnown:
		return conflict
	}
	return internal(refusal)
}

// without is for statements whose row may be missing.
func without(err error, instead *problem) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return instead
	}
	return err
}

// causeOf is what is said of a failure in a line of its own. The text of a refusal may have a part of a row.
func causeOf(err error) string {
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) {
		return "SQLSTATE " + refusal.Code
	}
	return err.Error()
}
