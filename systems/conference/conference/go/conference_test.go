package main

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

const astral = "𝒳"

func faultsOf(t *testing.T, err error) []fault {
	t.Helper()
	var refused *problem
	if !errors.As(err, &refused) || refused.status != 422 {
		t.Fatalf("got error %v", err)
	}
	return refused.faults
}

func TestAConferenceIsRead(t *testing.T) {
	for _, row := range []conference{
		{"a", "QCon"},
		{strings.Repeat("a", 64), strings.Repeat(astral, 191)},
		{"0.A_z~-", " name "},
	} {
		body := appendConference(nil, row.id, row.name)
		if read, err := readConference(body); err != nil || read != row {
			t.Errorf("%s: read %v, %v", body, read, err)
		}
	}
	read, err := readConference([]byte(`{"more":[1],"name":"n","ID":1,"id":"a"}`))
	if err != nil || read != (conference{"a", "n"}) {
		t.Errorf("read %v, %v", read, err)
	}
}

func TestTheFirstFaultOfEachMemberIsSaid(t *testing.T) {
	for body, expected := range map[string][]fault{
		`[]`:                           {{"", "type"}},
		`null`:                         {{"", "type"}},
		`{}`:                           {{"/id", "required"}, {"/name", "required"}},
		`{"Id":"a","NAME":""}`:         {{"/id", "required"}, {"/name", "required"}},
		`{"id":null,"name":1}`:         {{"/id", "type"}, {"/name", "type"}},
		`{"id":"","name":""}`:          {{"/id", "too-short"}, {"/name", "too-short"}},
		`{"id":"a/b","name":"\u0000"}`: {{"/id", "pattern"}, {"/name", "characters"}},
		`{"id":"-a","name":"\u007f"}`:  {{"/id", "pattern"}, {"/name", "characters"}},
		`{"id":"` + strings.Repeat("é", 65) + `","name":"` + strings.Repeat(astral, 192) + `"}`: {
			{"/id", "too-long"}, {"/name", "too-long"}},
	} {
		_, err := readConference([]byte(body))
		if faults := faultsOf(t, err); !reflect.DeepEqual(faults, expected) {
			t.Errorf("%s: %v", body, faults)
		}
	}
}

func TestTheIDOfAReplacementIsNoOther(t *testing.T) {
	for _, body := range []string{`{"name":"n"}`, `{"id":"a","name":"n"}`} {
		if read, err := readReplacement([]byte(body), "a"); err != nil || read != (conference{"a", "n"}) {
			t.Errorf("%s: read %v, %v", body, read, err)
		}
	}
	for body, expected := range map[string][]fault{
		`{"id":"A","name":"n"}`: {{"/id", "mismatch"}},
		`{"id":"","name":""}`:   {{"/id", "mismatch"}, {"/name", "too-short"}},
		`{"id":null}`:           {{"/id", "type"}, {"/name", "required"}},
	} {
		_, err := readReplacement([]byte(body), "a")
		if faults := faultsOf(t, err); !reflect.DeepEqual(faults, expected) {
			t.Errorf("%s: %v", body, faults)
		}
	}
}
