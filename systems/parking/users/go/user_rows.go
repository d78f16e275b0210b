package main

import "github.com/jackc/pgx/v5"

const (
	insertUser = `INSERT INTO app_user (first_name, last_name, email, password_hash, nif, role, payment_method, status)
  VALUES ($1, $2, $3, $4, $5, 1, $6, 0) RETURNING id`
	columnsOfUsers = `SELECT u.id, u.first_name, u.last_name, u.email, u.nif, u.coins, u.role, u.payment_method, u.status,
  v.plate, v.type, v.energy FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id`
	selectUsers  = columnsOfUsers + ` ORDER BY u.id, v.plate`
	selectUser   = columnsOfUsers + ` WHERE u.id = $1 ORDER BY v.plate`
	updateStatus = `UPDATE app_user SET status = $2 WHERE id = $1`
)

// userRow is a user beside one of its vehicles, if it has any.
type userRow struct {
	user    user
	vehicle optionalVehicle
}

func scanUserRow(row pgx.Row) (userRow, error) {
	var r userRow
	u, v := &r.user, &r.vehicle
	err := row.Scan(&u.id, &u.firstName, &u.lastName, &u.email, &u.nif, &u.coins, &u.role, &u.paymentMethod, &u.status,
		&v.plate, &v.kind, &v.energy)
	return r, err
}

// usersIn puts the rows of each user together.
func usersIn(rows []userRow) []user {
	var found []user
	for _, row := range rows {
		if len(found) == 0 || found[len(found)-1].id != row.user.id {
			found = append(found, row.user)
		}
		last := &found[len(found)-1]
		last.vehicles = row.vehicle.appendTo(last.vehicles)
	}
	return found
}

func findUser(s *session, id int64) (user, error) {
	rows, err := all(s, scanUserRow, selectUser, id)
	if err != nil {
		return user{}, err
	}
	if len(rows) == 0 {
		return user{}, notFound
	}
	return usersIn(rows)[0], nil
}

// makeUser answers with what was made, and is not read again: a CUSTOMER, ENABLED, without coins.
func makeUser(s *session, asked newUser, hash string) (user, error) {
	id, err := first(s, scanOne[int64], insertUser,
		asked.firstName, asked.lastName, asked.email, hash, asked.nif, asked.paymentMethod)
	if err != nil {
		return user{}, err
	}
	made := user{
		id:            id,
		firstName:     asked.firstName,
		lastName:      asked.lastName,
		email:         asked.email,
		nif:           asked.nif,
		role:          roles.placeOf(customer),
		paymentMethod: asked.paymentMethod,
		status:        userStatuses.placeOf(enabled),
		vehicles:      []vehicle{asked.vehicle},
	}
	return made, insertOne(s, id, asked.vehicle)
}
