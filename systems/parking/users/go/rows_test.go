package main

import (
	"testing"
	"time"
)

// optional makes the columns of a vehicle.
func optional(plate string, kind, energy int16) optionalVehicle {
	return optionalVehicle{&plate, &kind, &energy}
}

func TestUsersAreWrittenWithTheirVehicles(t *testing.T) {
	sefa := user{id: 5, firstName: "Sefa", lastName: "Larkmoor", email: "sefa@park.example", nif: 700_000_005, coins: 3,
		role: 1, paymentMethod: 2}
	ilo := user{id: 6, firstName: `"Ilo"`, lastName: "漢", email: "ilo@park.example", nif: 700_000_006, paymentMethod: 3,
		status: 2}
	rows := []userRow{
		{sefa, optional("LA-00015", 0, 0)}, {sefa, optional("LA-00016", 1, 3)}, {user: ilo},
	}
	const expected = `[{"id":5,"firstName":"Sefa","lastName":"Larkmoor","email":"sefa@park.example","nif":700000005,` +
		`"parkingHistory":[],"totalParkies":3,"vehicles":[` +
		`{"licensePlateNumber":"LA-00015","vehicleType":"AUTOMOBILE","vehicleEnergySource":"FUEL"},` +
		`{"licensePlateNumber":"LA-00016","vehicleType":"MOTORCYCLE","vehicleEnergySource":"PLUG_IN_HYBRID"}],` +
		`"role":"CUSTOMER","paymentMethod":"PAYPAL","userStatus":"ENABLED"},` +
		`{"id":6,"firstName":"\"Ilo\"","lastName":"漢","email":"ilo@park.example","nif":700000006,"parkingHistory":[],` +
		`"totalParkies":0,"vehicles":[],"role":"SUPERVISOR","paymentMethod":"NOT_DEFINED","userStatus":"BLOCKED"}]`
	if written := string(appendList(nil, usersIn(rows))); written != expected {
		t.Errorf("wrote %s", written)
	}
	if written := string(appendList(nil, usersIn(nil))); written != "[]" {
		t.Errorf("wrote %s", written)
	}
}

func TestEventsAreWritten(t *testing.T) {
	id, amount, manager, reason := int64(1), int64(-30), int64(3), "welcome"
	at := time.Date(2026, 1, 31, 8, 5, 9, 0, time.UTC)
	rows := []walletRow{
		{id: &id, amount: &amount, managerID: &manager, reason: &reason, at: &at},
		{id: &id, amount: &amount, reason: &reason, at: &at},
	}
	const expected = `[{"id":1,"amount":-30,"reason":"welcome","managerId":3,"at":"2026-01-31T08:05:09.000Z"},` +
		`{"id":1,"amount":-30,"reason":"welcome","managerId":null,"at":"2026-01-31T08:05:09.000Z"}]`
	if written := string(appendList(nil, eventsIn(rows))); written != expected {
		t.Errorf("wrote %s", written)
	}
	if written := string(appendList(nil, eventsIn([]walletRow{{coins: 5}}))); written != "[]" {
		t.Errorf("wrote %s", written)
	}
}
