package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const secretOfTests = "loadstone-park-secret-for-tests-only"

// readWith reads the least that is needed, and what is set beside it.
func readWith(set map[string]string) (config, error) {
	least := map[string]string{
		"PORT": "0", "STATIC_INSTANCES": "users=http://127.0.0.1:8090", "JWT_SECRET": secretOfTests,
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
	if read.listen != "127.0.0.1:0" || read.client != h1c || read.certificate != nil || read.origin != "" ||
		read.upstream.protocol != h1c || read.upstream.answerLimit != 5*time.Second ||
		read.secret != secretOfTests || read.instances.registry != "" ||
		!slices.Equal(read.instances.static, []string{"127.0.0.1:8090"}) {
		t.Errorf("read %+v", read)
	}
}

func TestEveryVariableIsRead(t *testing.T) {
	read, err := readWith(map[string]string{
		"PORT": "9090", "CLIENT_PROTOCOL": "h2c", "UPSTREAM_PROTOCOL": "h2c", "DISCOVERY_PROTOCOL": "h1c",
		"STATIC_INSTANCES": "users=http://127.0.0.1:1,http://[::1]:2", "REGISTRY": "static", "REGISTRY_URL": "unused",
		"UPSTREAM_TIMEOUT_MS": "60000", "ALLOWED_ORIGIN": "https://park.example:8443",
	})
	if err != nil {
		t.Fatal(err)
	}
	if read.listen != "127.0.0.1:9090" || read.client != h2c || read.upstream.protocol != h2c ||
		read.upstream.answerLimit != time.Minute || read.origin != "https://park.example:8443" ||
		!slices.Equal(read.instances.static, []string{"127.0.0.1:1", "[::1]:2"}) {
		t.Errorf("read %+v", read)
	}
}

func TestARegistryStandsInThePlaceOfInstances(t *testing.T) {
	read, err := readWith(map[string]string{
		"REGISTRY": "eureka", "REGISTRY_URL": "http://127.0.0.1:8761", "STATIC_INSTANCES": "unused",
	})
	if err != nil || read.instances.registry != "127.0.0.1:8761" || read.instances.static != nil {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestAWrongVariableIsNamedWithItsValue(t *testing.T) {
	many := "users=" + strings.Repeat("http://127.0.0.1:1,", 16) + "http://127.0.0.1:1"
	for _, wrong := range []struct{ name, value string }{
		{"PORT", ""}, {"PORT", "+1"}, {"PORT", "65536"}, {"PORT", "http"},
		{"CLIENT_PROTOCOL", "h3"}, {"CLIENT_PROTOCOL", ""}, {"UPSTREAM_PROTOCOL", "http"},
		{"DISCOVERY_PROTOCOL", "h1"},
		{"STATIC_INSTANCES", ""}, {"STATIC_INSTANCES", "http://127.0.0.1:1"}, {"STATIC_INSTANCES", "users="},
		{"STATIC_INSTANCES", "users=https://127.0.0.1:1"}, {"STATIC_INSTANCES", "users=http://127.0.0.1:1/"},
		{"STATIC_INSTANCES", "users=http://127.0.0.1:1,"}, {"STATIC_INSTANCES", "users=http://127.0.0.1:0"},
		{"STATIC_INSTANCES", "users=http://a@127.0.0.1:1"}, {"STATIC_INSTANCES", "users=http://127.0.0.1:"},
		{"STATIC_INSTANCES", "users=http://127.0.0.1:1;parks=http://127.0.0.1:2"}, {"STATIC_INSTANCES", many},
		{"REGISTRY", "consul"}, {"REGISTRY", ""}, {"REGISTRY_URL", ""}, {"TLS_CERT", ""}, {"TLS_CA", ""},
		{"UPSTREAM_TIMEOUT_MS", "0"}, {"UPSTREAM_TIMEOUT_MS", "60001"}, {"UPSTREAM_TIMEOUT_MS", " 5"},
		{"ALLOWED_ORIGIN", ""}, {"ALLOWED_ORIGIN", "null"}, {"ALLOWED_ORIGIN", "https://park.example/"},
	} {
		_, err := readWith(map[string]string{wrong.name: wrong.value})
		if err == nil || !strings.HasPrefix(err.Error(), wrong.name+" must be ") ||
			!strings.HasSuffix(err.Error(), `, not "`+wrong.value+`"`) {
			t.Errorf("%s=%q: got error %v", wrong.name, wrong.value, err)
		}
	}
}

func TestARegistryIsNeededWhereItIsAsked(t *testing.T) {
	for _, value := range []string{"", "127.0.0.1:8761", "https://127.0.0.1:8761", "http://127.0.0.1:8761/eureka"} {
		_, err := readWith(map[string]string{"REGISTRY": "eureka", "REGISTRY_URL": value})
		if err == nil || !strings.HasPrefix(err.Error(), "REGISTRY_URL must be ") {
			t.Errorf("%q: got error %v", value, err)
		}
	}
}

func TestASecretIsRefusedWithoutItsValue(t *testing.T) {
	for _, value := range []string{
		"", "secret", "secret-of-31-visible-characters", strings.Repeat("secret--", 33),
		"secret with blanks in 33 characters", "secret-of-33-visible-characters-é",
	} {
		_, err := readWith(map[string]string{"JWT_SECRET": value})
		if err == nil || !strings.HasPrefix(err.Error(), "JWT_SECRET must be ") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: got error %v", value, err)
		}
	}
}

func TestAWrongFileOfTLSIsNamed(t *testing.T) {
	for _, file := range []string{"", "/nowhere", "config_test.go"} {
		for name, set := range map[string]map[string]string{
			"TLS_CERT": {"CLIENT_PROTOCOL": "h2", "TLS_CERT": file, "TLS_KEY": file},
			"TLS_CA": {
				"UPSTREAM_PROTOCOL": "h1", "STATIC_INSTANCES": "users=https://127.0.0.1:1", "TLS_CA": file,
			},
		} {
			_, err := readWith(set)
			if err == nil || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("%s=%q: got error %v", name, file, err)
			}
		}
	}
}
