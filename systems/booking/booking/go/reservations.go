package main

import "net/http"

// reservations are the operations on reservations.
type reservations struct{ pool *pool }

func (v *reservations) list(r *http.Request) (answer, error) {
	q := queryOf(r)
	filter := reservationFilter{facilityID: q.id("facility_id"), status: q.word("status", states)}
	asked := q.page()
	if q.err != nil {
		return answer{}, q.err
	}
	found, err := use(r.Context(), v.pool, func(s *session) ([]reservation, error) {
		text, parameters := selectReservations(callerOf(r), filter, asked)
		return all(s, scanReservation, text, parameters...)
	})
	return answerPage(asked, found), err
}

func (v *reservations) get(r *http.Request) (answer, error) {
	found, err := use(r.Context(), v.pool, func(s *session) (reservation, error) {
		return findReservation(s, callerOf(r), pathID(r))
	})
	return ok(found.appendTo(nil)), err
}

func (v *reservations) accept(r *http.Request) (answer, error) {
	return v.change(r, decideReservation, accepted)
}

func (v *reservations) reject(r *http.Request) (answer, error) {
	return v.change(r, decideReservation, rejected)
}

func (v *reservations) cancel(r *http.Request) (answer, error) {
	return v.change(r, cancelReservation)
}

// change makes a statement that gives no row where the state of the reservation does not allow it.
func (v *reservations) change(r *http.Request, text string, parameters ...any) (answer, error) {
	changed, err := transact(r.Context(), v.pool, func(s *session) (reservation, error) {
		id := pathID(r)
		if _, err := findReservation(s, callerOf(r), id); err != nil {
			return reservation{}, err
		}
		changed, err := first(s, scanReservation, text, append([]any{id}, parameters...)...)
		return changed, without(err, wrongState)
	})
	return ok(changed.appendTo(nil)), err
}
