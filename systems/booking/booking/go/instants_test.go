package main

import "testing"

func TestAnInstantIsReadInAnyOffset(t *testing.T) {
	for text, expected := range map[string]string{
		"2040-03-01T06:00:00Z":                 "2040-03-01T06:00:00Z",
		"2040-03-01T08:00:00+02:00":            "2040-03-01T06:00:00Z",
		"2040-02-29T23:30:00-23:59":            "2040-03-01T23:29:00Z",
		"2040-03-01T06:00:00.999Z":             "2040-03-01T06:00:00Z",
		"2100-01-01T00:30:00.0000000000+01:00": "2099-12-31T23:30:00Z",
	} {
		instant, isInstant := instantOf(text)
		if shown := string(appendInstant(nil, instant)); !isInstant || shown != expected {
			t.Errorf("%s became %s, %v", text, shown, isInstant)
		}
	}
}

func TestWhatIsNoInstantIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "2040-03-01", "2040-02-30T06:00:00Z", "2041-02-29T06:00:00Z", "2040-13-01T06:00:00Z",
		"2040-03-01t06:00:00Z", "2040-03-01T06:00:00z", "2040-03-01 06:00:00Z", "2040-03-01T06:00:00",
		"2040-03-01T24:00:00Z", "2040-03-01T06:60:00Z", "2040-03-01T06:00:60Z", "2040-03-01T6:00:00Z",
		"2040-03-01T06:00Z", "2040-03-01T06:00:00,5Z", "2040-03-01T06:00:00.Z", "2040-03-01T06:00:00+24:00",
		"2040-03-01T06:00:00+02:60", "2040-03-01T06:00:00+0200", "2040-03-01T06:00:00Z ", "٢040-03-01T06:00:00Z",
	} {
		if instant, isInstant := instantOf(text); isInstant {
			t.Errorf("%q became %v", text, instant)
		}
	}
}

func TestAFractionIsNeverLost(t *testing.T) {
	for text, isWhole := range map[string]bool{
		"2040-03-01T06:00:00.000Z":          true,
		"2040-03-01T06:00:00.1Z":            false,
		"2040-03-01T06:00:00.000000001Z":    false,
		"2040-03-01T06:00:00.000000000001Z": false,
	} {
		if instant, _ := instantOf(text); (instant.Nanosecond() == 0) != isWhole {
			t.Errorf("%s became %v", text, instant)
		}
	}
}

func TestADayIsOfTheCalendar(t *testing.T) {
	for _, text := range []string{"2020-01-01", "2040-02-29", "2099-12-31"} {
		if day, isDay := dayOf(text); !isDay || midnightOf(day) != day {
			t.Errorf("%s became %v, %v", text, day, isDay)
		}
	}
	for _, text := range []string{"", "2019-12-31", "2100-01-01", "2041-02-29", "2040-3-01", "2040-03-1", "2040-03-01T"} {
		if day, isDay := dayOf(text); isDay {
			t.Errorf("%q became %v", text, day)
		}
	}
}
