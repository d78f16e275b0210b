package main

import "net/http"

// clubs are the operations on clubs.
type clubs struct{ pool *pool }

func (c *clubs) list(r *http.Request) (answer, error) {
	q := queryOf(r)
	filter := clubFilter{city: q.text("city", longestCity), partOfName: q.text("q", longestPartOfName)}
	if q.isTrue("mine") {
		filter.ownerID = callerOf(r).id
	}
	asked := q.page()
	if q.err != nil {
		return answer{}, q.err
	}
	found, err := use(r.Context(), c.pool, func(s *session) ([]club, error) {
		text, parameters := selectClubs(filter, asked)
		return all(s, scanClub, text, parameters...)
	})
	return answerPage(asked, found), err
}

const longestPartOfName = 50

func (c *clubs) create(r *http.Request) (answer, error) {
	asked, err := readBody(r, readClub)
	if err != nil {
		return answer{}, err
	}
	made, err := use(r.Context(), c.pool, func(s *session) (club, error) {
		return first(s, scanClub, insertClub, callerOf(r).id, asked.name, asked.city, asked.description)
	})
	return createdAt("/clubs/", made.id, made.appendTo(nil)), err
}

func (c *clubs) get(r *http.Request) (answer, error) {
	found, err := use(r.Context(), c.pool, func(s *session) (club, error) {
		found, err := first(s, scanClub, selectClub, pathID(r))
		return found, without(err, notFound)
	})
	return ok(found.appendTo(nil)), err
}

func (c *clubs) replace(r *http.Request) (answer, error) {
	asked, err := readBody(r, readClub)
	if err != nil {
		return answer{}, err
	}
	replaced, err := transact(r.Context(), c.pool, func(s *session) (club, error) {
		id := pathID(r)
		if err := requireOwner(s, callerOf(r), selectClubOwner, id); err != nil {
			return club{}, err
		}
		return first(s, scanClub, updateClub, id, asked.name, asked.city, asked.description)
	})
	return ok(replaced.appendTo(nil)), err
}

// requireOwner makes a statement that reads the owner of a club by an id.
func requireOwner(s *session, from caller, text string, id int64) error {
	ownerID, err := first(s, scanOne[int64], text, id)
	if err != nil {
		return without(err, notFound)
	}
	if ownerID != from.id {
		return forbidden
	}
	return nil
}
