package main

import (
	"strings"
	"testing"
)

func TestACursorLeadsBehindTheLastRow(t *testing.T) {
	asked := queryFrom("limit=2").page()
	body := string(appendPage(nil, asked, []rating{{reservationID: 4}, {reservationID: 7}, {reservationID: 9}}))
	if strings.Count(body, "reservation_id") != 2 || !strings.HasSuffix(body, `],"next_cursor":"Nw"`) {
		t.Errorf("wrote %s", body)
	}
	if next := queryFrom("limit=100&cursor=Nw").page(); next != (page{limit: 100, cursor: 7}) ||
		next.after() != 7 || next.below() != 7 {
		t.Errorf("read %+v", next)
	}
}

func TestTheLastPageHasNoCursor(t *testing.T) {
	asked := queryFrom("limit=1").page()
	if body := string(appendPage(nil, asked, []club{})); body != `{"items":[],"next_cursor":null` {
		t.Errorf("wrote %s", body)
	}
	if body := string(answerPage(asked, []club{{id: 1}}).body); !strings.HasSuffix(body, `}],"next_cursor":null}`) {
		t.Errorf("wrote %s", body)
	}
}

func TestTheAverageIsNullWithoutRatings(t *testing.T) {
	average := 4.5
	for expected, written := range map[string]summary{
		`,"count":0,"average":null}`: {},
		`,"count":2,"average":4.5}`:  {2, &average},
	} {
		if body := string(written.appendTo(nil)); body != expected {
			t.Errorf("wrote %s", body)
		}
	}
}
