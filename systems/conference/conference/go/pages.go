package main

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

const mostRows = 1000

// page is a part of a list; its zero value is the whole list.
type page struct {
	// limit is how many rows are answered at most, and 0 where nothing limits them.
	limit int
	// after is the id before the first row, and empty where the page is the first.
	after string
}

// readPage reads limit and after of a query, and ignores what else there is.
func readPage(query string) (page, error) {
	if query == "" {
		return page{}, nil
	}
	var result page
	var hasAfter bool
	for parameter := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		if name != "limit" && name != "after" {
			continue
		}
		value, err := url.QueryUnescape(value)
		if err != nil {
			return page{}, malformedPage
		}
		if name == "limit" {
			if result.limit = limitOf(value); result.limit == 0 {
				return page{}, malformedPage
			}
			continue
		}
		if result.after, hasAfter = value, true; !isID(value) {
			return page{}, malformedPage
		}
	}
	if hasAfter && result.limit == 0 {
		return page{}, malformedPage
	}
	return result, nil
}

// limitOf is 0 for what is no limit.
func limitOf(text string) int {
	if !isNumber(text, 1, mostRows) || text[0] == '0' {
		return 0
	}
	limit, _ := strconv.Atoi(text)
	return limit
}

// isWhole tells whether it is the whole list.
func (p page) isWhole() bool { return p.limit == 0 }

// link leads to the page behind this one.
func (p page) link(path, last string) string {
	return fmt.Sprintf(`<%s?limit=%d&after=%s>; rel="next"`, path, p.limit, last)
}
