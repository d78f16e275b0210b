package main

import "net/http"

// facilities are the operations on facilities.
type facilities struct{ pool *pool }

func (f *facilities) list(r *http.Request) (answer, error) {
	q := queryOf(r)
	filter := facilityFilter{
		sport:  q.word("sport", sports),
		city:   q.text("city", longestCity),
		clubID: q.id("club_id"),
	}
	at := q.instant("at")
	if q.isTrue("available") {
		q.require("at")
		filter.availableAt = &at
	}
	asked := q.page()
	if q.err != nil {
		return answer{}, q.err
	}
	found, err := use(r.Context(), f.pool, func(s *session) ([]facility, error) {
		text, parameters := selectFacilities(filter, asked)
		return all(s, scanFacility, text, parameters...)
	})
	return answerPage(asked, found), err
}

func (f *facilities) add(r *http.Request) (answer, error) {
	asked, err := readBody(r, readFacility)
	if err != nil {
		return answer{}, err
	}
	made, err := transact(r.Context(), f.pool, func(s *session) (facility, error) {
		clubID := pathID(r)
		if err := requireOwner(s, callerOf(r), selectClubOwner, clubID); err != nil {
			return facility{}, err
		}
		return first(s, scanFacility, insertFacility, clubID, asked.name, asked.sport, asked.slotMinutes,
			asked.opens, asked.closes, asked.priceCents)
	})
	return createdAt("/facilities/", made.id, made.appendTo(nil)), err
}

func (f *facilities) get(r *http.Request) (answer, error) {
	found, err := use(r.Context(), f.pool, func(s *session) (facility, error) {
		return findFacility(s, pathID(r))
	})
	return ok(found.appendTo(nil)), err
}

func (f *facilities) replace(r *http.Request) (answer, error) {
	asked, err := readBody(r, readFacility)
	if err != nil {
		return answer{}, err
	}
	replaced, err := transact(r.Context(), f.pool, func(s *session) (facility, error) {
		id := pathID(r)
		if err := requireOwner(s, callerOf(r), selectFacilityOwner, id); err != nil {
			return facility{}, err
		}
		return first(s, scanFacility, updateFacility, id, asked.name, asked.sport, asked.slotMinutes,
			asked.opens, asked.closes, asked.priceCents)
	})
	return ok(replaced.appendTo(nil)), err
}

func (f *facilities) retire(r *http.Request) (answer, error) {
	_, err := transact(r.Context(), f.pool, func(s *session) (int64, error) {
		id := pathID(r)
		if err := requireOwner(s, callerOf(r), selectFacilityOwner, id); err != nil {
			return 0, err
		}
		return s.execute(retireFacility, id)
	})
	return answer{status: http.StatusNoContent}, err
}

func (f *facilities) listSlots(r *http.Request) (answer, error) {
	q := queryOf(r)
	q.require("date")
	day := q.day("date")
	if q.err != nil {
		return answer{}, q.err
	}
	slots, err := use(r.Context(), f.pool, func(s *session) ([]slot, error) {
		id := pathID(r)
		found, err := findFacility(s, id)
		if err != nil {
			return nil, err
		}
		taken, err := all(s, scanSpan, selectTaken, id, day, day.AddDate(0, 0, 1))
		return found.slots(day, taken), err
	})
	return ok(appendSlots(nil, day, slots)), err
}

func findFacility(s *session, id int64) (facility, error) {
	found, err := first(s, scanFacility, selectFacility, id)
	return found, without(err, notFound)
}
