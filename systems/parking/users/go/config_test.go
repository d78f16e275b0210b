package main

import (
	"strings"
	"testing"
	"time"
)

const (
	secretOfTests = "loadstone-park-secret-for-tests-only"
	keyOfTests    = "loadstone-park-key-of-services"
)

// readWith reads the least that is needed, and what is set beside it.
func readWith(set map[string]string) (config, error) {
	least := map[string]string{
		"PORT": "0", "DATABASE_URL": "postgres://user:secret@127.0.0.1:5432/park", "JWT_SECRET": secretOfTests,
		"INTERNAL_KEY": keyOfTests,
	}
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
		speaks: h1c,
		database: databaseConfig{user: "user", password: "secret", host: "127.0.0.1", port: 5432, name: "park",
			poolSize: 10, poolWait: time.Second},
		tokens:      tokensConfig{secret: secretOfTests, lifetimeSeconds: 600},
		internalKey: keyOfTests,
	}
	if read != expected {
		t.Errorf("read %+v", read)
	}
}

func TestEveryVariableIsRead(t *testing.T) {
	read, err := readWith(map[string]string{
		"PORT": "9090", "UPSTREAM_PROTOCOL": "h2c", "DISCOVERY_PROTOCOL": "h1c", "POOL_SIZE": "1000",
		"TOKEN_SECONDS": "86400", "REGISTRY": "eureka", "REGISTRY_URL": "http://127.0.0.1:8761",
	})
	if err != nil {
		t.Fatal(err)
	}
	if read.listen != "127.0.0.1:9090" || read.speaks != h2c || read.database.poolSize != 1000 ||
		read.tokens.lifetimeSeconds != 86_400 || read.registry != "127.0.0.1:8761" {
		t.Errorf("read %+v", read)
	}
}

func TestTheAddressOfARegistryIsNotUsedWithoutOne(t *testing.T) {
	if read, err := readWith(map[string]string{"REGISTRY_URL": "unused"}); err != nil || read.registry != "" {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestAWrongVariableIsNamedWithItsValue(t *testing.T) {
	for _, wrong := range []struct{ name, value string }{
		{"PORT", ""}, {"PORT", "+1"}, {"PORT", "65536"}, {"UPSTREAM_PROTOCOL", "h3"}, {"UPSTREAM_PROTOCOL", ""},
		{"DISCOVERY_PROTOCOL", "h2c"}, {"POOL_SIZE", "0"}, {"POOL_SIZE", " 5"}, {"POOL_SIZE", "99999999999999999999"},
		{"TOKEN_SECONDS", ""}, {"TOKEN_SECONDS", "86401"}, {"REGISTRY", "Eureka"}, {"REGISTRY_URL", ""}, {"TLS_KEY", ""},
	} {
		_, err := readWith(map[string]string{wrong.name: wrong.value})
		if err == nil || !strings.HasPrefix(err.Error(), wrong.name+" must be ") ||
			!strings.HasSuffix(err.Error(), `, not "`+wrong.value+`"`) {
			t.Errorf("%s=%q: got error %v", wrong.name, wrong.value, err)
		}
	}
}

func TestARegistryIsNeededWhereOneIsRegisteredAt(t *testing.T) {
	for _, value := range []string{"", "127.0.0.1:8761", "http://127.0.0.1:8761/"} {
		_, err := readWith(map[string]string{"REGISTRY": "eureka", "REGISTRY_URL": value})
		if err == nil || !strings.HasPrefix(err.Error(), "REGISTRY_URL must be ") {
			t.Errorf("%q: got error %v", value, err)
		}
	}
}

func TestASecretIsRefusedWithoutItsValue(t *testing.T) {
	for name, values := range map[string][]string{
		"DATABASE_URL": {
			"", "secret", "http://user:secret@127.0.0.1:5432/park", "postgres://user:secret@127.0.0.1/d",
			"postgres://user:secret@127.0.0.1:70000/d", "postgres://user:secret@127.0.0.1:5432/",
			"postgres://user:%73ecret@127.0.0.1:5432/d", "postgres://user:secret@127.0.0.1:5432/d?sslmode=disable",
		},
		"JWT_SECRET": {
			"", "secret", "secret-of-31-visible-characters", strings.Repeat("secret--", 33),
			"secret with blanks in 33 characters", "secret-of-33-visible-characters-é",
		},
		"INTERNAL_KEY": {"", "secret-of-15-ch", strings.Repeat("secret--", 33), "secret with blanks"},
	} {
		for _, value := range values {
			_, err := readWith(map[string]string{name: value})
			if err == nil || !strings.HasPrefix(err.Error(), name+" must be ") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s=%q: got error %v", name, value, err)
			}
		}
	}
}

func TestAWrongFileOfTLSIsNamed(t *testing.T) {
	for _, file := range []string{"", "/nowhere", "config_test.go"} {
		_, err := readWith(map[string]string{"UPSTREAM_PROTOCOL": "h2", "TLS_CERT": file, "TLS_KEY": file})
		if err == nil || !strings.HasPrefix(err.Error(), "TLS_CERT") {
			t.Errorf("%q: got error %v", file, err)
		}
	}
}
