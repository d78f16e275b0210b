package main

import "net/http"

const (
	selectPaymentMethod = `SELECT payment_method FROM app_user WHERE id = $1`
	updatePaymentMethod = `UPDATE app_user SET payment_method = $2 WHERE id = $1`
)

// chosenMethods are those that a user may change to.
var chosenMethods = paymentMethods[:paymentMethods.placeOf(notDefined)]

// payments are the operations on how a user pays.
type payments struct{ pool *pool }

func (p *payments) get(r *http.Request, from caller) (answer, error) {
	place, err := use(r.Context(), p.pool, func(s *session) (int16, error) {
		place, err := first(s, scanOne[int16], selectPaymentMethod, from.id)
		return place, without(err, notFound)
	})
	return answerMethod(place), err
}

func (p *payments) set(r *http.Request, from caller) (answer, error) {
	place, err := readBody(r, func(o *object) int16 { return o.word("paymentMethod", chosenMethods) })
	if err != nil {
		return answer{}, err
	}
	_, err = use(r.Context(), p.pool, func(s *session) (int16, error) {
		return place, s.change(updatePaymentMethod, from.id, place)
	})
	return answerMethod(place), err
}

func answerMethod(place int16) answer {
	return ok(append(withText(nil, `{"paymentMethod":`, paymentMethods[place]), '}'))
}
