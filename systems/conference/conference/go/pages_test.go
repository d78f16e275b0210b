package main

import (
	"errors"
	"testing"
)

func TestAPageIsRead(t *testing.T) {
	for query, expected := range map[string]page{
		"":                        {},
		"other=%zz&Limit=0":       {},
		"limit=1":                 {limit: 1},
		"limit=1000&after=A.b~c":  {limit: 1000, after: "A.b~c"},
		"after=%41&x=1&limit=%37": {limit: 7, after: "A"},
	} {
		if read, err := readPage(query); err != nil || read != expected {
			t.Errorf("%q: read %v, %v", query, read, err)
		}
	}
}

func TestWhatIsNoPageIsRefused(t *testing.T) {
	for _, query := range []string{
		"limit", "limit=", "limit=0", "limit=01", "limit=1001", "limit=-1", "limit=%2B1", "limit=x", "limit=%zz",
		"after=a", "limit=1&after", "limit=1&after=-a", "limit=1&after=a+b", "limit=1&after=%27",
	} {
		if _, err := readPage(query); !errors.Is(err, malformedPage) {
			t.Errorf("%q: got error %v", query, err)
		}
	}
}
