package main

import (
	"strings"
	"testing"
)

func readWith(set map[string]string) (config, error) {
	return readConfig(func(name string) (string, bool) {
		value, isSet := set[name]
		return value, isSet
	})
}

func TestThePortIsRead(t *testing.T) {
	for _, set := range []map[string]string{{"PORT": "8761"}, {"PORT": "8761", "DISCOVERY_PROTOCOL": "h1c"}} {
		if read, err := readWith(set); err != nil || read.listen != "127.0.0.1:8761" {
			t.Errorf("read %+v, %v", read, err)
		}
	}
}

func TestAWrongVariableIsNamedWithItsValue(t *testing.T) {
	for _, wrong := range []struct{ name, value string }{
		{"PORT", ""}, {"PORT", "-1"}, {"PORT", "65536"}, {"PORT", "http"},
		{"DISCOVERY_PROTOCOL", "h2"}, {"DISCOVERY_PROTOCOL", ""},
	} {
		set := map[string]string{"PORT": "0"}
		set[wrong.name] = wrong.value
		_, err := readWith(set)
		if err == nil || !strings.HasPrefix(err.Error(), wrong.name+" must be ") ||
			!strings.HasSuffix(err.Error(), `, not "`+wrong.value+`"`) {
			t.Errorf("%s=%q: got error %v", wrong.name, wrong.value, err)
		}
	}
}
