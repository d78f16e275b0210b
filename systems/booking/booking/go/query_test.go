package main

import (
	"net/http"
	"net/url"
	"testing"
)

func queryFrom(raw string) *query { return queryOf(&http.Request{URL: &url.URL{RawQuery: raw}}) }

func TestParametersAreDecoded(t *testing.T) {
	q := queryFrom("city=a+b%2B;c&%71=%25%5C&other=%zz&%zz=1&club_id=9999999999999999&available=true")
	if city := q.text("city", 100); city != "a b+;c" {
		t.Errorf("city is %q", city)
	}
	if part := q.text("q", 50); part != `%\` {
		t.Errorf("q is %q", part)
	}
	if q.id("club_id") != 9999999999999999 || !q.isTrue("available") || q.isTrue("mine") || q.err != nil {
		t.Errorf("read %+v", q)
	}
	if asked := q.page(); asked != (page{limit: 20}) || asked.rows() != 21 || asked.below() != 1<<63-1 {
		t.Errorf("read %+v", asked)
	}
}

func TestAWrongParameterIsMalformed(t *testing.T) {
	for _, raw := range []string{
		"city=", "city", "city=%00", "city=%ff", "city=%zz", "sport=chess", "sport=", "mine=1", "mine=TRUE",
		"club_id=0", "club_id=01", "club_id=-1", "club_id=x", "club_id=12345678901234567",
		"at=2040-03-01", "at=2040-03-01T08:00:00+02:00", "at=", "date=2040-02-30",
		"limit=0", "limit=101", "limit=-1", "limit=05", "limit=x", "limit=", "limit=%2B1",
		"cursor=", "cursor=MQ==", "cursor=MR", "cursor=MQ%0A", "cursor=MA", "cursor=LTE", "cursor=MDE", "cursor=x",
	} {
		q := queryFrom(raw)
		q.text("city", 100)
		q.word("sport", sports)
		q.isTrue("mine")
		q.id("club_id")
		q.instant("at")
		q.day("date")
		q.page()
		if q.err != error(malformed) {
			t.Errorf("%q: got error %v", raw, q.err)
		}
	}
}

func TestARequiredParameterIsThere(t *testing.T) {
	for raw, isThere := range map[string]bool{"": false, "at": true, "AT=1": false, "at=1": true} {
		q := queryFrom(raw)
		if q.require("at"); (q.err == nil) != isThere {
			t.Errorf("%q: got error %v", raw, q.err)
		}
	}
}
