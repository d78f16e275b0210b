package main

import (
	"reflect"
	"strings"
	"testing"
)

func TestAStatementHasThePartsThatAreAskedFor(t *testing.T) {
	asked := page{limit: 20, cursor: 7}
	text, values := selectClubs(clubFilter{}, asked)
	if !strings.HasSuffix(text, " WHERE id > $1 ORDER BY id LIMIT $2") ||
		!reflect.DeepEqual(values, parameters{int64(7), 21}) {
		t.Errorf("made %s of %v", text, values)
	}
	text, values = selectClubs(clubFilter{ownerID: 3, city: "' OR 1=1 --", partOfName: `100%_\`}, asked)
	if !strings.HasSuffix(text, " WHERE id > $1 AND owner_id = $2 AND city = $3 AND name ILIKE $4 ORDER BY id LIMIT $5") ||
		!reflect.DeepEqual(values, parameters{int64(7), int64(3), "' OR 1=1 --", `%100\%\_\\%`, 21}) {
		t.Errorf("made %s of %v", text, values)
	}
}

func TestOnlyACityJoinsClubs(t *testing.T) {
	at := day
	for _, filter := range []facilityFilter{{}, {sport: "padel"}, {clubID: 1}, {availableAt: &at}, {city: "C"}} {
		text, values := selectFacilities(filter, page{limit: 1})
		if strings.Contains(text, "JOIN club") != (filter.city != "") {
			t.Errorf("made %s of %v", text, values)
		}
	}
}

func TestAPlayerAndAnOwnerListOtherReservations(t *testing.T) {
	for role, expected := range map[string]string{
		player: " WHERE r.id < $1 AND r.player_id = $2 AND r.facility_id = $3 AND r.status = $4 ORDER BY r.id DESC LIMIT $5",
		owner:  " WHERE r.id < $1 AND c.owner_id = $2 AND r.facility_id = $3 AND r.status = $4 ORDER BY r.id DESC LIMIT $5",
	} {
		text, values := selectReservations(caller{5, role}, reservationFilter{6, pending}, page{limit: 2})
		if !strings.HasSuffix(text, expected) || strings.Contains(text, "JOIN") != (role == owner) ||
			!reflect.DeepEqual(values, parameters{int64(1<<63 - 1), int64(5), int64(6), pending, 3}) {
			t.Errorf("made %s of %v", text, values)
		}
	}
}

func TestAReservationIsThatOfItsPlayerAndOfTheOwner(t *testing.T) {
	row := ownedReservation{reservation{playerID: 1}, 2}
	for from, isOf := range map[caller]bool{
		{1, player}: true, {2, owner}: true, {2, player}: false, {1, owner}: false, {3, player}: false,
	} {
		if row.isOf(from) != isOf {
			t.Errorf("%v: %v", from, !isOf)
		}
	}
}
