package main

import (
	"errors"
	"fmt"
	"io"
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
	} {
		err := fmt.Errorf("statement: %w", &pgconn.PgError{Code: state})
		if status := statusOf(asProblem(err, false)); status != expected {
			t.Errorf("%s: %d", state, status)
		}
		if status := statusOf(asProblem(err, true)); status != expected {
			t.Errorf("%s with the connection lost: %d", state, status)
		}
		if isRivalry(err) != (state == "40001" || state == "40P01") {
			t.Errorf("%s: %v", state, isRivalry(err))
		}
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
	for err, expected := range map[error]error{pgx.ErrNoRows: slotTaken, io.EOF: io.EOF} {
		if got := without(err, slotTaken); got != expected {
			t.Errorf("%v became %v", err, got)
		}
	}
	if err := without(nil, slotTaken); err != nil {
		t.Errorf("got error %v", err)
	}
}
