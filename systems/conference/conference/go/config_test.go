package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"
)

var least = map[string]string{
	"PORT":         "0",
	"DATABASE_URL": "mysql://user:secret@127.0.0.1:3306/conferencedb",
	"COUNTRY_URL":  "http://127.0.0.1:9000/",
}

// readWith reads the least that is needed, and what is set beside it.
func readWith(set map[string]string) (config, error) {
	return readConfig(func(name string) (string, bool) {
		if value, isSet := set[name]; isSet {
			return value, true
		}
		value, isSet := least[name]
		return value, isSet
	})
}

func TestWhatIsNotSetHasItsDefault(t *testing.T) {
	read, err := readWith(nil)
	if err != nil {
		t.Fatal(err)
	}
	expected := config{
		listen: "127.0.0.1:0",
		database: databaseConfig{user: "user", password: "secret", address: "127.0.0.1:3306",
			name: "conferencedb", poolSize: 10, timeout: time.Second},
		country: countryConfig{url: "http://127.0.0.1:9000", timeout: 2 * time.Second, connections: 64,
			strategy: sequential, width: 8, batchSize: 100, retryInterval: 100 * time.Millisecond},
		logLevel: slog.LevelWarn,
	}
	if read != expected {
		t.Errorf("read %+v", read)
	}
}

func TestEveryVariableIsRead(t *testing.T) {
	read, err := readWith(map[string]string{
		"PORT": "9090", "POOL_SIZE": "1000", "DB_TIMEOUT_MS": "300", "COUNTRY_TIMEOUT_MS": "1",
		"COUNTRY_CONNECTIONS": "5", "STRATEGY": "batched", "WIDTH": "2", "BATCH_SIZE": "7", "RETRIES": "3",
		"RETRY_INTERVAL_MS": "0", "BREAKER": "on", "LOG_LEVEL": "debug",
	})
	if err != nil {
		t.Fatal(err)
	}
	country := countryConfig{url: "http://127.0.0.1:9000", timeout: time.Millisecond, connections: 5,
		strategy: batched, width: 2, batchSize: 7, retries: 3, hasBreaker: true}
	if read.country != country || read.database.poolSize != 1000 ||
		read.database.timeout != 300*time.Millisecond || read.logLevel != slog.LevelDebug {
		t.Errorf("read %+v", read)
	}
}

func TestAWrongVariableIsNamedWithItsValue(t *testing.T) {
	for _, wrong := range []struct{ name, value string }{
		{"PORT", ""}, {"PORT", "+1"}, {"PORT", "65536"},
		{"POOL_SIZE", "0"}, {"POOL_SIZE", " 5"}, {"POOL_SIZE", "99999999999999999999"},
		{"DB_TIMEOUT_MS", "60001"}, {"RETRIES", "11"}, {"WIDTH", ""},
		{"COUNTRY_URL", "127.0.0.1:9000"}, {"COUNTRY_URL", "https://127.0.0.1:9000"},
		{"COUNTRY_URL", "http://127.0.0.1:9000/path"}, {"COUNTRY_URL", "http://a@127.0.0.1:9000"},
		{"STRATEGY", "parallel"}, {"BREAKER", ""}, {"CLIENT_PROTOCOL", "h2"}, {"LOG_LEVEL", "WARN"},
	} {
		_, err := readWith(map[string]string{wrong.name: wrong.value})
		if err == nil || !strings.HasPrefix(err.Error(), wrong.name+" must be ") ||
			!strings.HasSuffix(err.Error(), `, not "`+wrong.value+`"`) {
			t.Errorf("%s=%q: got error %v", wrong.name, wrong.value, err)
		}
	}
}

func TestTheDatabaseIsRefusedWithoutItsPassword(t *testing.T) {
	for _, value := range []string{
		"", "secret", "http://user:secret@127.0.0.1:3306/conferencedb", "mysql://user:secret@127.0.0.1/d",
		"mysql://user:secret@127.0.0.1:70000/d", "mysql://user:secret@127.0.0.1:3306/",
		"mysql://user:%73ecret@127.0.0.1:3306/d",
	} {
		_, err := readWith(map[string]string{"DATABASE_URL": value})
		if err == nil || !strings.HasPrefix(err.Error(), "DATABASE_URL must be ") ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got error %v", value, err)
		}
	}
}
