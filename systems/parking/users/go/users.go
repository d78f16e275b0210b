package main

import "net/http"

// users are the operations on accounts. No connection is held while a password is hashed.
type users struct {
	pool      *pool
	passwords *passwords
}

func (u *users) create(r *http.Request, _ caller) (answer, error) {
	asked, err := readBody(r, readNewUser)
	if err != nil {
		return answer{}, err
	}
	hash, err := u.passwords.hash(r.Context(), asked.password)
	if err != nil {
		return answer{}, err
	}
	made, err := transact(r.Context(), u.pool, func(s *session) (user, error) { return makeUser(s, asked, hash) })
	return createdAt("/users/", made.id, made.appendTo(nil)), err
}

func (u *users) list(r *http.Request, _ caller) (answer, error) {
	rows, err := use(r.Context(), u.pool, func(s *session) ([]userRow, error) {
		return all(s, scanUserRow, selectUsers)
	})
	return ok(appendList(nil, usersIn(rows))), err
}

func (u *users) get(r *http.Request, _ caller) (answer, error) {
	found, err := use(r.Context(), u.pool, func(s *session) (user, error) { return findUser(s, pathID(r)) })
	return ok(found.appendTo(nil)), err
}

func (u *users) setStatus(r *http.Request, _ caller) (answer, error) {
	status, err := readBody(r, readStatus)
	if err != nil {
		return answer{}, err
	}
	changed, err := transact(r.Context(), u.pool, func(s *session) (user, error) {
		id := pathID(r)
		if err := s.change(updateStatus, id, status); err != nil {
			return user{}, err
		}
		return findUser(s, id)
	})
	return ok(changed.appendTo(nil)), err
}
