package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

func statusOf(err error) int {
	var failed *problem
	if errors.As(err, &failed) {
		return failed.status
	}
	return 0
}

func TestOnlyWhatPassesIsUnavailable(t *testing.T) {
	for state, expected := range map[string]int{
		"40001": 503, "40P01": 503, "53300": 503, "55P03": 503, "57014": 503, "57P01": 503, "57P05": 503,
		"08006": 503, "08P01": 503, "57000": 500, "57P06": 500, "53100": 500, "23503": 500, "42P01": 500, "XX000": 500,
		"23505": 500, "23514": 409, "22003": 409,
	} {
		err := fmt.Errorf("statement: %w", &pgconn.PgError{Code: state})
		for _, isLost := range []bool{false, true} {
			if status := statusOf(asProblem(err, isLost)); status != expected {
				t.Errorf("%s, %v: %d", state, isLost, status)
			}
		}
		if isRivalry(err) != (state == "40001" || state == "40P01") {
			t.Errorf("%s: %v", state, isRivalry(err))
		}
	}
}

func TestAConstraintTellsTheConflict(t *testing.T) {
	for constraint, expected := range conflicts {
		err := asProblem(&pgconn.PgError{Code: uniqueViolation, ConstraintName: constraint}, false)
		if err != error(expected) {
			t.Errorf("%s: got error %v", constraint, err)
		}
	}
	other := asProblem(&pgconn.PgError{Code: "23503", ConstraintName: "vehicle_pkey"}, false)
	if statusOf(other) != 500 {
		t.Errorf("got error %v", other)
	}
}

func TestALostConnectionIsUnavailable(t *testing.T) {
	if status := statusOf(asProblem(io.ErrUnexpectedEOF, true)); status != 503 {
		t.Errorf("lost: %d", status)
	}
	if status := statusOf(asProblem(io.ErrUnexpectedEOF, false)); status != 500 {
		t.Errorf("not lost: %d", status)
	}
	for _, err := range []error{nil, notFound} {
		if got := asProblem(err, true); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}

func TestARowThatIsMissingIsSaidToBe(t *testing.T) {
	for err, expected := range map[error]error{pgx.ErrNoRows: vehicleLimit, io.EOF: io.EOF} {
		if got := without(err, vehicleLimit); got != expected {
			t.Errorf("%v became %v", err, got)
		}
	}
	if err := without(nil, vehicleLimit); err != nil {
		t.Errorf("got error %v", err)
	}
}

func TestALineHasNoPartOfARow(t *testing.T) {
	err := fmt.Errorf("statement: %w", &pgconn.PgError{Code: "22P02", Message: `invalid: "secret"`})
	if said := causeOf(err); strings.Contains(said, "secret") || !strings.Contains(said, "22P02") {
		t.Errorf("said %s", said)
	}
}
