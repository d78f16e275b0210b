package main

import (
	"strings"
	"testing"
)

func TestTheEnvironmentIsReadOnce(t *testing.T) {
	environment := map[string]string{
		"PORT": "9090", "UPSTREAM_URL": "http://127.0.0.1:8688",
		"CLIENT_PROTOCOL": "h1c", "UPSTREAM_PROTOCOL": "h1c",
	}
	config, err := readConfig(func(name string) string { return environment[name] })
	if err != nil {
		t.Fatal(err)
	}
	if config.listen != "127.0.0.1:9090" || config.upstream.url.Host != "127.0.0.1:8688" {
		t.Errorf("read %+v", config)
	}
}

func TestAWrongVariableIsNamed(t *testing.T) {
	for _, wrong := range []struct{ name, value string }{
		{"PORT", ""},
		{"PORT", "http"},
		{"PORT", "65536"},
		{"UPSTREAM_URL", ""},
		{"UPSTREAM_URL", "127.0.0.1:8688"},
		{"UPSTREAM_URL", "https://127.0.0.1:8688"},
		{"UPSTREAM_URL", "http://127.0.0.1:8688/path"},
		{"UPSTREAM_URL", "http://127.0.0.1:8688?query"},
		{"CLIENT_PROTOCOL", "h3"},
		{"UPSTREAM_PROTOCOL", "http"},
	} {
		environment := map[string]string{"PORT": "0", "UPSTREAM_URL": "http://127.0.0.1:8688"}
		environment[wrong.name] = wrong.value
		_, err := readConfig(func(name string) string { return environment[name] })
		if err == nil || !strings.Contains(err.Error(), wrong.name) {
			t.Errorf("%s=%q: got error %v", wrong.name, wrong.value, err)
		}
	}
}

func TestProtocolsAreH1cWhereNothingIsSaid(t *testing.T) {
	environment := map[string]string{"PORT": "0", "UPSTREAM_URL": "http://127.0.0.1:8688"}
	config, err := readConfig(func(name string) string { return environment[name] })
	if err != nil || config.client != h1c || config.upstream.protocol != h1c {
		t.Errorf("read %+v, %v", config, err)
	}
}

func TestAWrongFileOfTLSIsNamed(t *testing.T) {
	for _, file := range []string{"", "/nowhere", "config_test.go"} {
		for name, environment := range map[string]map[string]string{
			"TLS_CERT": {
				"UPSTREAM_URL": "http://127.0.0.1:8688", "CLIENT_PROTOCOL": "h2",
				"TLS_CERT": file, "TLS_KEY": file,
			},
			"TLS_CA": {"UPSTREAM_URL": "https://localhost", "UPSTREAM_PROTOCOL": "h1", "TLS_CA": file},
		} {
			environment["PORT"] = "0"
			_, err := readConfig(func(name string) string { return environment[name] })
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s=%q: got error %v", name, file, err)
			}
		}
	}
}
