package main

import "testing"

func TestAPathThatLeadsElsewhereIsSeen(t *testing.T) {
	for _, path := range []string{
		"/users/../internal", "/users/..", "/users/./1", "/users/%2e%2e/internal", "/users/%2E./x", "/users/.%2e",
		`/users/..\internal`, `/users\..\internal`, "/users/..%2finternal", "/users%2F..%2Finternal", "/users/..%5Cx",
	} {
		if !hasDotSegment(path) {
			t.Errorf("%s passes", path)
		}
	}
	for _, path := range []string{
		"/users", "/users/1.5", "/users/...", "/users/.well-known", "/users/a%2fb", "/users/%252e%252e/x", "/users/%34",
	} {
		if hasDotSegment(path) {
			t.Errorf("%s does not pass", path)
		}
	}
}

func TestOnlyOneFirstSegmentIsRouted(t *testing.T) {
	for _, path := range []string{"/users", "/users/", "/users/7/vehicles", "/users//7"} {
		if !isOfUsers(path) {
			t.Errorf("%s is not routed", path)
		}
	}
	for _, path := range []string{
		"/", "", "*", "/usersx", "/Users", "//users", "/%75sers", "/internal/coins/debits", `/users\1`, "/users;a",
		"http://127.0.0.1/users",
	} {
		if isOfUsers(path) {
			t.Errorf("%s is routed", path)
		}
	}
}

func TestTwoRequestsAreOpen(t *testing.T) {
	for _, open := range []struct {
		method, path string
		isOpen       bool
	}{
		{"POST", "/users", true}, {"POST", "/users/login", true}, {"GET", "/users", false}, {"PUT", "/users/login", false},
		{"POST", "/users/", false}, {"POST", "/users/login/", false}, {"POST", "/users/%6Cogin", false},
	} {
		if isOpen(open.method, open.path) != open.isOpen {
			t.Errorf("%s %s: %v", open.method, open.path, !open.isOpen)
		}
	}
}
