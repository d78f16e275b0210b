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
	if config.listen != "127.0.0.1:9090" || config.upstream.Host != "127.0.0.1:8688" {
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
		{"CLIENT_PROTOCOL", "h2"},
		{"UPSTREAM_PROTOCOL", "h2c"},
	} {
		environment := map[string]string{"PORT": "0", "UPSTREAM_URL": "http://127.0.0.1:8688"}
		environment[wrong.name] = wrong.value
		_, err := readConfig(func(name string) string { return environment[name] })
		if err == nil || !strings.Contains(err.Error(), wrong.name) {
			t.Errorf("%s=%q: got error %v", wrong.name, wrong.value, err)
		}
	}
}
