package main

import "strings"

// user is a row of its table but for the hash, which no answer shows, with its vehicles. Words of lists are places.
type user struct {
	id                          int64
	firstName, lastName, email  string
	nif, coins                  int64
	role, paymentMethod, status int16
	vehicles                    []vehicle
}

// newUser is what is asked for.
type newUser struct {
	firstName, lastName, email, password string
	nif                                  int64
	vehicle                              vehicle
	paymentMethod                        int16
}

const (
	longestName   = 60
	shortestEmail = 3
	longestEmail  = 40
	least9Digits  = 100_000_000
	most9Digits   = 999_999_999

	shortestPassword = 11
	longestPassword  = 19

	smallLetters   = "abcdefghijklmnopqrstuvwxyz"
	capitalLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits         = "0123456789"
)

func readNewUser(o *object) newUser {
	return newUser{
		firstName: o.text("firstName", characters(1, longestName)),
		lastName:  o.text("lastName", characters(1, longestName)),
		email:     o.text("email", emailFault),
		password:  o.text("password", passwordFault),
		nif:       o.integer("nif", between(least9Digits, most9Digits)),
		vehicle: vehicle{
			plate:  o.text("licensePlateNumber", plateFault),
			kind:   o.word("vehicleType", vehicleTypes),
			energy: o.word("vehicleEnergySource", energySources),
		},
		paymentMethod: o.word("paymentMethod", paymentMethods),
	}
}

func emailFault(email string) string {
	if code := visible(shortestEmail, longestEmail)(email); code != "" {
		return code
	}
	before, behind, hasAt := strings.Cut(email, "@")
	if !hasAt || before == "" || behind == "" || strings.Contains(behind, "@") {
		return "format"
	}
	return ""
}

func passwordFault(password string) string {
	if code := visible(shortestPassword, longestPassword)(password); code != "" {
		return code
	}
	hasSymbol := strings.Trim(password, smallLetters+capitalLetters+digits) != ""
	if !hasSymbol || !strings.ContainsAny(password, smallLetters) || !strings.ContainsAny(password, capitalLetters) {
		return "weak"
	}
	return ""
}

// readStatus is the body of set-status.
func readStatus(o *object) int16 { return o.word("userStatus", userStatuses) }

func (u user) name() string { return u.firstName + " " + u.lastName }

func (u user) appendTo(to []byte) []byte {
	to = withInteger(to, `{"id":`, u.id)
	to = withText(to, `,"firstName":`, u.firstName)
	to = withText(to, `,"lastName":`, u.lastName)
	to = withText(to, `,"email":`, u.email)
	to = withInteger(to, `,"nif":`, u.nif)
	to = withInteger(to, `,"parkingHistory":[],"totalParkies":`, u.coins)
	to = appendList(append(to, `,"vehicles":`...), u.vehicles)
	to = withText(to, `,"role":`, roles[u.role])
	to = withText(to, `,"paymentMethod":`, paymentMethods[u.paymentMethod])
	to = withText(to, `,"userStatus":`, userStatuses[u.status])
	return append(to, '}')
}

// appendList writes an array.
func appendList[T interface{ appendTo([]byte) []byte }](to []byte, list []T) []byte {
	to = append(to, '[')
	for i, one := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = one.appendTo(to)
	}
	return append(to, ']')
}
