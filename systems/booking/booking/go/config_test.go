package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"
)

const secretOfTests = "a-secret-of-33-visible-characters"

var least = map[string]string{
	"PORT":         "0",
	"DATABASE_URL": "postgres://user:secret@127.0.0.1:5432/booking",
	"JWT_SECRET":   secretOfTests,
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
		database: databaseConfig{user: "user", password: "secret", host: "127.0.0.1", port: 5432,
			name: "booking", poolSize: 10, poolWait: time.Second},
		tokens:       tokensConfig{secret: secretOfTests, lifetimeSeconds: 3600},
		passwordCost: 10,
		logLevel:     slog.LevelWarn,
	}
	if read != expected {
		t.Errorf("read %+v", read)
	}
}

func TestEveryVariableIsRead(t *testing.T) {
	read, err := readWith(map[string]string{
		"PORT": "9090", "POOL_SIZE": "1000", "POOL_WAIT_MS": "60000", "JWT_TTL": "86400",
		"PASSWORD_COST": "14", "CLIENT_PROTOCOL": "h1c", "LOG_LEVEL": "debug",
	})
	if err != nil {
		t.Fatal(err)
	}
	if read.listen != "127.0.0.1:9090" || read.database.poolSize != 1000 || read.database.poolWait != time.Minute ||
		read.tokens.lifetimeSeconds != 86_400 || read.passwordCost != 14 || read.logLevel != slog.LevelDebug {
		t.Errorf("read %+v", read)
	}
}

func TestAWrongVariableIsNamedWithItsValue(t *testing.T) {
	for _, wrong := range []struct{ name, value string }{
		{"PORT", ""}, {"PORT", "+1"}, {"PORT", "65536"},
		{"POOL_SIZE", "0"}, {"POOL_SIZE", " 5"}, {"POOL_SIZE", "99999999999999999999"},
		{"POOL_WAIT_MS", "0"}, {"POOL_WAIT_MS", "60001"}, {"JWT_TTL", ""}, {"JWT_TTL", "86401"},
		{"PASSWORD_COST", "3"}, {"PASSWORD_COST", "15"}, {"PASSWORD_COST", "1e1"},
		{"CLIENT_PROTOCOL", "h2"}, {"CLIENT_PROTOCOL", ""}, {"LOG_LEVEL", "WARN"},
	} {
		_, err := readWith(map[string]string{wrong.name: wrong.value})
		if err == nil || !strings.HasPrefix(err.Error(), wrong.name+" must be ") ||
			!strings.HasSuffix(err.Error(), `, not "`+wrong.value+`"`) {
			t.Errorf("%s=%q: got error %v", wrong.name, wrong.value, err)
		}
	}
}

func TestASecretIsRefusedWithoutItsValue(t *testing.T) {
	for name, values := range map[string][]string{
		"DATABASE_URL": {
			"", "secret", "http://user:secret@127.0.0.1:5432/booking", "postgres://user:secret@127.0.0.1/d",
			"postgres://user:secret@127.0.0.1:70000/d", "postgres://user:secret@127.0.0.1:5432/",
			"postgres://user:%73ecret@127.0.0.1:5432/d", "postgres://user:secret@127.0.0.1:5432/d?sslmode=disable",
		},
		"JWT_SECRET": {
			"", "secret", "secret-of-31-visible-characters", strings.Repeat("secret--", 33),
			"secret with blanks in 33 characters", "secret-of-33-visible-characters-é",
		},
	} {
		for _, value := range values {
			_, err := readWith(map[string]string{name: value})
			if err == nil || !strings.HasPrefix(err.Error(), name+" must be ") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s=%q: got error %v", name, value, err)
			}
		}
	}
}
