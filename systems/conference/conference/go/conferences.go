package main

import (
	"net/http"
)

// conferences are the operations of the service.
type conferences struct {
	rows      rows
	countries *countries
}

// firstBytes of a list hold the six published rows.
const firstBytes = 512

var up = answer{status: http.StatusOK, body: []byte(`{"status":"up"}`)}

func (c *conferences) live(*http.Request) (answer, error) { return up, nil }

func (c *conferences) ready(r *http.Request) (answer, error) { return up, c.rows.ask(r.Context()) }

func (c *conferences) list(r *http.Request) (answer, error) {
	body := append(make([]byte, 0, firstBytes), '[')
	more, err := c.read(r, func(id, name []byte) {
		if len(body) > 1 {
			body = append(body, ',')
		}
		body = appendConference(body, id, name)
	})
	return answer{status: http.StatusOK, body: append(body, ']'), link: more}, err
}

func (c *conferences) withCountry(r *http.Request) (answer, error) {
	var names []string
	more, err := c.read(r, func(_, name []byte) { names = append(names, string(name)) })
	if err != nil {
		return answer{}, err
	}
	countries, err := c.countries.of(r.Context(), names)
	if err != nil {
		return answer{}, err
	}
	body := append(make([]byte, 0, firstBytes), '[')
	for i, name := range names {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, `{"name":`...)
		body = appendText(body, name)
		body = append(body, `,"country":`...)
		body = appendText(body, countries[i])
		body = append(body, '}')
	}
	return answer{status: http.StatusOK, body: append(body, ']'), link: more}, nil
}

// read gives the rows of the page that a request asks for, and returns the link to the next page, if there
// is one.
func (c *conferences) read(r *http.Request, give func(id, name []byte)) (string, error) {
	asked, err := readPage(r.URL.RawQuery)
	if err != nil {
		return "", err
	}
	if asked.isWhole() {
		return "", c.rows.all(r.Context(), give)
	}
	count, last, link := 0, "", ""
	err = c.rows.page(r.Context(), asked, func(id, name []byte) {
		count++
		if count > asked.limit {
			link = asked.link(r.URL.Path, last)
			return
		}
		if count == asked.limit {
			last = string(id)
		}
		give(id, name)
	})
	return link, err
}

func (c *conferences) insert(r *http.Request) (answer, error) {
	body, err := readBody(r)
	if err != nil {
		return answer{}, err
	}
	inserted, err := readConference(body)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusAccepted}, c.rows.insert(r.Context(), inserted)
}

func (c *conferences) get(r *http.Request) (answer, error) {
	found, err := c.rows.get(r.Context(), idOf(r))
	return answerOne(found), err
}

func (c *conferences) replace(r *http.Request) (answer, error) {
	body, err := readBody(r)
	if err != nil {
		return answer{}, err
	}
	replacement, err := readReplacement(body, idOf(r))
	if err != nil {
		return answer{}, err
	}
	return answerOne(replacement), c.rows.replace(r.Context(), replacement)
}

func (c *conferences) remove(r *http.Request) (answer, error) {
	return answer{status: http.StatusNoContent}, c.rows.remove(r.Context(), idOf(r))
}

func answerOne(one conference) answer {
	return answer{status: http.StatusOK, body: appendConference(nil, one.id, one.name)}
}

func appendConference[T string | []byte](to []byte, id, name T) []byte {
	to = append(to, `{"id":`...)
	to = appendText(to, id)
	to = append(to, `,"name":`...)
	to = appendText(to, name)
	return append(to, '}')
}
