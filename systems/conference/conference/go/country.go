package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	countryAnswerBytes = 64 << 10
	batchAnswerBytes   = 1 << 20
	// Longer than any pause between two requests of a load.
	countryIdleTimeout = 60 * time.Second
)

// countryService is the client of the service that knows countries: its connections and their limits.
type countryService struct {
	// A transport, and not a client: no redirect is followed, and there are no cookies.
	transport *http.Transport
	url       string
	timeout   time.Duration
}

// attemptFailure says why an attempt gave nothing.
type attemptFailure struct {
	cause error
	// isLate says that its time was over.
	isLate bool
	// isOutage says that the service is at fault as a whole: not reached, late, or an answer of 5xx.
	isOutage bool
	// isPassing says that the same attempt may go well later.
	isPassing bool
}

func (f *attemptFailure) Error() string { return f.cause.Error() }

func (f *attemptFailure) problem() error {
	if f.isLate {
		return countryTimeout(f.cause)
	}
	return countryFailed(f.cause)
}

func newCountryService(config countryConfig) *countryService {
	return &countryService{
		transport: &http.Transport{
			DisableCompression:  true,
			MaxConnsPerHost:     config.connections,
			MaxIdleConnsPerHost: config.connections,
			IdleConnTimeout:     countryIdleTimeout,
		},
		url:     config.url,
		timeout: config.timeout,
	}
}

// country asks for one name. Its errors are attemptFailures, or that of the context.
func (s *countryService) country(ctx context.Context, name string) (string, error) {
	url := append([]byte(s.url), "/conferences/"...)
	url = append(appendEscaped(url, name), "/country"...)
	text, err := s.exchange(ctx, http.MethodGet, string(url), nil, countryAnswerBytes)
	if err != nil {
		return "", err
	}
	answered, _ := members(text)
	country, isText := textOf(answered["name"])
	if !isText {
		return "", &attemptFailure{cause: errors.New("the answer has no name")}
	}
	return country, nil
}

// countries asks for many names at once. Its errors are those of country.
func (s *countryService) countries(ctx context.Context, names []string) ([]string, error) {
	body := []byte(`{"names":[`)
	for i, name := range names {
		if i > 0 {
			body = append(body, ',')
		}
		body = appendText(body, name)
	}
	body = append(body, "]}"...)
	text, err := s.exchange(ctx, http.MethodPost, s.url+"/countries", body, batchAnswerBytes)
	if err != nil {
		return nil, err
	}
	answered, _ := members(text)
	var values []json.RawMessage
	if err := json.Unmarshal(answered["countries"], &values); err != nil || len(values) != len(names) {
		return nil, &attemptFailure{cause: errors.New("the answer has not as many countries as names")}
	}
	found := make([]string, len(names))
	for i, value := range values {
		country, isText := textOf(value)
		if !isText {
			return nil, &attemptFailure{cause: errors.New("a country in the answer is no text")}
		}
		found[i] = country
	}
	return found, nil
}

// exchange makes one attempt, and returns the JSON of a good answer.
func (s *countryService) exchange(
	ctx context.Context, method, url string, body []byte, limitBytes int64,
) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := s.transport.RoundTrip(request)
	if err != nil {
		return nil, notReached(limited, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, limitBytes+1))
	if err != nil {
		return nil, notReached(limited, err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, &attemptFailure{
			cause:     fmt.Errorf("the answer has status %d", response.StatusCode),
			isOutage:  response.StatusCode >= 500,
			isPassing: response.StatusCode >= 502 && response.StatusCode <= 504,
		}
	}
	if int64(len(text)) > limitBytes || !isJSON(text) {
		return nil, &attemptFailure{cause: fmt.Errorf("the answer is not JSON of at most %d bytes", limitBytes)}
	}
	return text, nil
}

func notReached(limited context.Context, err error) error {
	isLate := errors.Is(limited.Err(), context.DeadlineExceeded)
	return &attemptFailure{cause: err, isLate: isLate, isOutage: true, isPassing: !isLate}
}

// appendEscaped escapes every byte of a path's segment but the unreserved ones. url.PathEscape leaves more.
func appendEscaped(to []byte, segment string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(segment) {
		if c := segment[i]; isUnreserved(c) {
			to = append(to, c)
		} else {
			to = append(to, '%', digits[c>>4], digits[c&15])
		}
	}
	return to
}
