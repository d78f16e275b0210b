package main

import (
	"net/http"
	"testing"
)

func TestTheIdentityIsOneIDAndOneRole(t *testing.T) {
	for _, c := range []struct {
		ids, roles []string
		refusal    *problem
	}{
		{[]string{"7"}, []string{"CUSTOMER"}, nil},
		{[]string{"9999999999999999"}, []string{"DEVICE"}, nil},
		{nil, []string{"CUSTOMER"}, tokenMissing},
		{[]string{"7"}, nil, tokenMissing},
		{[]string{"abc"}, nil, tokenMissing},
		{[]string{""}, []string{"CUSTOMER"}, tokenInvalid},
		{[]string{"abc"}, []string{"CUSTOMER"}, tokenInvalid},
		{[]string{"-1"}, []string{"CUSTOMER"}, tokenInvalid},
		{[]string{"0"}, []string{"CUSTOMER"}, tokenInvalid},
		{[]string{"07"}, []string{"CUSTOMER"}, tokenInvalid},
		{[]string{"12345678901234567"}, []string{"CUSTOMER"}, tokenInvalid},
		{[]string{"7"}, []string{"customer"}, tokenInvalid},
		{[]string{"7"}, []string{""}, tokenInvalid},
		{[]string{"7", "7"}, []string{"CUSTOMER"}, tokenInvalid},
		{[]string{"7"}, []string{"CUSTOMER", "CUSTOMER"}, tokenInvalid},
	} {
		_, err := callerOf(http.Header{"X-User-Id": c.ids, "X-User-Role": c.roles})
		if (c.refusal == nil) != (err == nil) || c.refusal != nil && err != error(c.refusal) {
			t.Errorf("%q, %q: got error %v", c.ids, c.roles, err)
		}
	}
}

func TestTheKeyOfServicesIsOne(t *testing.T) {
	for _, c := range []struct {
		sent   []string
		passes bool
	}{
		{[]string{keyOfTests}, true},
		{nil, false},
		{[]string{""}, false},
		{[]string{keyOfTests + "x"}, false},
		{[]string{keyOfTests, keyOfTests}, false},
	} {
		_, err := services(keyOfTests)(&http.Request{Header: http.Header{"X-Internal-Key": c.sent}})
		if (err == nil) != c.passes {
			t.Errorf("%q: got error %v", c.sent, err)
		}
	}
}
