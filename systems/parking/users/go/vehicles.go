package main

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5"
)

const mostVehicles = 3

const (
	insertVehicle  = `INSERT INTO vehicle (plate, user_id, type, energy) VALUES ($1, $2, $3, $4)`
	updateVehicle  = `UPDATE vehicle SET type = $2, energy = $3 WHERE plate = $1`
	selectVehicles = `SELECT u.id, v.plate, v.type, v.energy FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id
  WHERE u.id = $1 ORDER BY v.plate`
	lockUser     = `SELECT id FROM app_user WHERE id = $1 FOR NO KEY UPDATE`
	selectPlates = `SELECT plate, user_id FROM vehicle WHERE user_id = $1 OR plate = $2`
)

// vehicles are the operations on those of a user.
type vehicles struct{ pool *pool }

func (v *vehicles) list(r *http.Request, from caller) (answer, error) {
	found, err := use(r.Context(), v.pool, func(s *session) ([]vehicle, error) {
		rows, err := all(s, scanVehicle, selectVehicles, from.id)
		if err == nil && len(rows) == 0 {
			err = notFound
		}
		var found []vehicle
		for _, row := range rows {
			found = row.appendTo(found)
		}
		return found, err
	})
	return ok(appendList(nil, found)), err
}

func (v *vehicles) put(r *http.Request, from caller) (answer, error) {
	asked, err := readBody(r, readVehicle(chi.URLParam(r, "plate")))
	if err != nil {
		return answer{}, err
	}
	isNew, err := transact(r.Context(), v.pool, func(s *session) (bool, error) { return put(s, from.id, asked) })
	answered := ok(asked.appendTo(nil))
	if isNew {
		answered.status = http.StatusCreated
	}
	return answered, err
}

// put tells whether the vehicle is new. The lock of its user keeps others from adding one meanwhile.
func put(s *session, userID int64, asked vehicle) (bool, error) {
	if _, err := first(s, scanOne[int64], lockUser, userID); err != nil {
		return false, without(err, notFound)
	}
	taken, err := all(s, scanPlate, selectPlates, userID, asked.plate)
	if err != nil {
		return false, err
	}
	for _, one := range taken {
		switch {
		case one.plate != asked.plate:
		case one.userID != userID:
			return false, duplicatePlate
		default:
			return false, s.change(updateVehicle, asked.plate, asked.kind, asked.energy)
		}
	}
	if len(taken) >= mostVehicles {
		return false, vehicleLimit
	}
	return true, insertOne(s, userID, asked)
}

func insertOne(s *session, userID int64, made vehicle) error {
	return s.change(insertVehicle, made.plate, userID, made.kind, made.energy)
}

// takenPlate is a plate and whose it is.
type takenPlate struct {
	plate  string
	userID int64
}

func scanPlate(row pgx.Row) (takenPlate, error) {
	var p takenPlate
	err := row.Scan(&p.plate, &p.userID)
	return p, err
}

func scanVehicle(row pgx.Row) (optionalVehicle, error) {
	var v optionalVehicle
	var userID int64
	err := row.Scan(&userID, &v.plate, &v.kind, &v.energy)
	return v, err
}
