package main

import (
	"net/http"
	"strings"
)

const pathOfUsers = "/users"

// likeServices reads a path as a service behind the gateway might: an escape may be a dot, or end a segment.
var likeServices = strings.NewReplacer(
	"%2e", ".", "%2E", ".", "%2f", "/", "%2F", "/", "%5c", "/", "%5C", "/", `\`, "/",
)

// hasDotSegment tells whether a path leads to another one.
func hasDotSegment(path string) bool {
	if !strings.ContainsAny(path, ".%") {
		return false
	}
	for segment := range strings.SplitSeq(likeServices.Replace(path), "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// isOfUsers tells whether the first segment is the one of the route.
func isOfUsers(path string) bool {
	rest, isOf := strings.CutPrefix(path, pathOfUsers)
	return isOf && (rest == "" || rest[0] == '/')
}

// isOpen tells whether a request needs no token.
func isOpen(method, path string) bool {
	return method == http.MethodPost && (path == pathOfUsers || path == pathOfUsers+"/login")
}
