package main

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

const astral = "𝒳"

// early is before all that the tests reserve.
var early = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func faultsOf(t *testing.T, err error) []fault {
	t.Helper()
	var refused *problem
	if err == nil {
		return nil
	}
	if !errors.As(err, &refused) || refused.status != 422 {
		t.Fatalf("got error %v", err)
	}
	return refused.faults
}

// expectFaults holds what is read of each body against its faults.
func expectFaults[T any](t *testing.T, read func(*object) T, cases map[string][]fault) {
	t.Helper()
	for body, expected := range cases {
		_, err := readObject([]byte(body), read)
		if faults := faultsOf(t, err); !reflect.DeepEqual(faults, expected) {
			t.Errorf("%s: %v", body, faults)
		}
	}
}

func TestABodyIsAnObject(t *testing.T) {
	expectFaults(t, readClub, map[string][]fault{
		`[]`: {{"", "type"}}, `null`: {{"", "type"}}, `"name"`: {{"", "type"}}, `1`: {{"", "type"}},
		strings.Repeat("[", 7000) + strings.Repeat("]", 7000): {{"", "type"}},
	})
}

func TestAnAccountIsRead(t *testing.T) {
	read, err := readObject([]byte(`{"more":{},"role":null,"password":"ääää","name":"N","email":"A.b+C@Ex.ORG"}`),
		readAccount)
	if err != nil || read != (newAccount{"a.b+c@ex.org", "N", "ääää", player}) {
		t.Errorf("read %v, %v", read, err)
	}
	expectFaults(t, readAccount, map[string][]fault{
		`{}`: {{"/email", "required"}, {"/name", "required"}, {"/password", "required"}},
		`{"Email":"a@b.org","NAME":"n","name":"","email":5,"password":"1234567","role":"admin"}`: {
			{"/email", "type"}, {"/name", "too-short"}, {"/password", "too-short"}, {"/role", "unknown-value"}},
		`{"email":"x@abc","name":null,"password":"` + strings.Repeat("é", 36) + `a","role":5}`: {
			{"/email", "too-short"}, {"/name", "required"}, {"/password", "too-long"}, {"/role", "type"}},
		`{"email":"a b@example.org","name":"a\u0000","password":"\u0000","role":"player\u0000"}`: {
			{"/email", "format"}, {"/name", "format"}, {"/password", "format"}, {"/role", "format"}},
		`{"email":"\u212a@example.org","name":"` + strings.Repeat(astral, 101) + `","password":"12345678"}`: {
			{"/email", "format"}, {"/name", "too-long"}},
		`{"email":"` + strings.Repeat("a", 64) + "@" + strings.Repeat("b", 189) + `","name":"` +
			strings.Repeat(astral, 100) + `","password":"` + strings.Repeat("é", 36) + `","role":"owner"}`: nil,
		`{"email":"` + strings.Repeat("a", 64) + "@" + strings.Repeat("b", 190) + `","name":"n","password":"12345678"}`: {
			{"/email", "format"}},
	})
}

func TestCredentialsAreAnyTexts(t *testing.T) {
	expectFaults(t, readCredentials, map[string][]fault{
		`{"email":"","password":""}`:        nil,
		`{"email":"x","password":"\u0000"}`: {{"/password", "format"}},
		`{"email":null}`:                    {{"/email", "required"}, {"/password", "required"}},
	})
}

func TestAClubMayHaveNoDescription(t *testing.T) {
	for _, body := range []string{`{"name":"N","city":"C"}`, `{"name":"N","city":"C","description":null}`} {
		if read, err := readObject([]byte(body), readClub); err != nil || read != (newClub{"N", "C", ""}) {
			t.Errorf("%s: read %v, %v", body, read, err)
		}
	}
	expectFaults(t, readClub, map[string][]fault{
		`{"name":"","city":5,"description":"` + strings.Repeat("d", 1001) + `"}`: {
			{"/name", "too-short"}, {"/city", "type"}, {"/description", "too-long"}},
	})
}

func TestTheHoursOfAFacilityAreWholeSlots(t *testing.T) {
	const before = `{"name":"F","sport":"padel","slot_minutes":`
	expectFaults(t, readFacility, map[string][]fault{
		before + `90,"opens":0,"closes":1440,"price_cents":0}`:  nil,
		before + `60,"opens":600,"closes":600,"price_cents":1}`: {{"/closes", "range"}},
		before + `60,"opens":600,"closes":690,"price_cents":-1}`: {
			{"/closes", "not-aligned"}, {"/price_cents", "range"}},
		before + `45,"opens":600,"closes":500,"price_cents":1}`: {{"/slot_minutes", "unknown-value"}},
		before + `60,"opens":-1,"closes":1441,"price_cents":1000001}`: {
			{"/opens", "range"}, {"/closes", "range"}, {"/price_cents", "range"}},
		before + `"60","opens":1.5,"closes":true,"price_cents":null}`: {
			{"/slot_minutes", "type"}, {"/opens", "type"}, {"/closes", "type"}, {"/price_cents", "required"}},
		`{"name":"F","sport":"chess","opens":9223372036854775808}`: {
			{"/sport", "unknown-value"}, {"/slot_minutes", "required"}, {"/opens", "range"}, {"/closes", "required"},
			{"/price_cents", "required"}},
	})
}

func TestAReservationBeginsLaterThanNow(t *testing.T) {
	expectFaults(t, reservationsFrom(early), map[string][]fault{
		`{"facility_id":1,"starts_at":"2040-03-01T06:00:00Z"}`:             nil,
		`{"facility_id":1,"starts_at":"2030-01-01T00:00:00.1Z","slots":4}`: nil,
		`{"facility_id":0,"starts_at":"2030-01-01T00:00:00Z","slots":0}`: {
			{"/facility_id", "range"}, {"/starts_at", "in-past"}, {"/slots", "range"}},
		`{"facility_id":1,"starts_at":"2020-01-01T00:30:00+01:00"}`:      {{"/starts_at", "range"}},
		`{"facility_id":1,"starts_at":"2100-01-01T00:00:00Z","slots":5}`: {{"/starts_at", "range"}, {"/slots", "range"}},
		`{"facility_id":1,"starts_at":"2040-03-01","slots":"1"}`:         {{"/starts_at", "format"}, {"/slots", "type"}},
		`{"facility_id":"1","starts_at":5,"slots":1.5}`: {
			{"/facility_id", "type"}, {"/starts_at", "type"}, {"/slots", "type"}},
		`{"facility_id":1,"starts_at":"2040-03-01T06:00:00Z","slots":null}`: nil,
	})
}

func TestARatingHasOneToFiveStars(t *testing.T) {
	expectFaults(t, readRating, map[string][]fault{
		`{"stars":5,"comment":"` + strings.Repeat(astral, 500) + `"}`: nil,
		`{"stars":0}`: {{"/stars", "range"}},
		`{"stars":6,"comment":"` + strings.Repeat("c", 501) + `"}`: {{"/stars", "range"}, {"/comment", "too-long"}},
		`{"stars":4.5,"comment":5}`:                                {{"/stars", "type"}, {"/comment", "type"}},
	})
}
