package main

import "net/http"

// ratings are the operations on ratings.
type ratings struct{ pool *pool }

func (g *ratings) rate(r *http.Request) (answer, error) {
	asked, err := readBody(r, readRating)
	if err != nil {
		return answer{}, err
	}
	stored, err := transact(r.Context(), g.pool, func(s *session) (storedRating, error) {
		of, err := findReservation(s, callerOf(r), pathID(r))
		if err != nil {
			return storedRating{}, err
		}
		if !of.isLive() {
			return storedRating{}, wrongState
		}
		return first(s, scanStoredRating, upsertRating, of.id, of.facilityID, asked.stars, asked.comment)
	})
	answered := ok(stored.appendTo(nil))
	if stored.isNew {
		answered.status = http.StatusCreated
	}
	return answered, err
}

func (g *ratings) list(r *http.Request) (answer, error) {
	q := queryOf(r)
	asked := q.page()
	if q.err != nil {
		return answer{}, q.err
	}
	found, err := use(r.Context(), g.pool, func(s *session) (ratingsPage, error) {
		var found ratingsPage
		id := pathID(r)
		if _, err := first(s, scanOne[int], hasFacility, id); err != nil {
			return found, without(err, notFound)
		}
		var err error
		if found.ratings, err = all(s, scanRating, selectRatings, id, asked.after(), asked.rows()); err != nil {
			return found, err
		}
		found.all, err = first(s, scanSummary, selectSummary, id)
		return found, err
	})
	return ok(found.all.appendTo(appendPage(nil, asked, found.ratings))), err
}
