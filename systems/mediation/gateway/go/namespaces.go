package main

import "strings"

const (
	xmlNamespace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsNamespace = "http://www.w3.org/2000/xmlns/"
)

// scope is the chain of namespace declarations that hold for an element, the innermost first.
type scope struct {
	prefix, namespace string
	outer             *scope
}

// Every document has these two without declaring them (Namespaces in XML 1.0, 3).
var documentScope = &scope{"xml", xmlNamespace, &scope{prefix: "", namespace: ""}}

// find returns the namespace of a prefix; the empty prefix is that of names without one.
func (s *scope) find(prefix string) (namespace string, found bool) {
	for ; s != nil; s = s.outer {
		if s.prefix == prefix {
			return s.namespace, true
		}
	}
	return "", false
}

// declaredPrefix tells which prefix an attribute of this name declares.
func declaredPrefix(attribute string) (prefix string, declares bool) {
	if attribute == "xmlns" {
		return "", true
	}
	return strings.CutPrefix(attribute, "xmlns:")
}

// mayDeclare tells whether a prefix may stand for a namespace: the two reserved ones neither change
// their meaning nor get another name, and only names without prefix can be in no namespace.
func mayDeclare(prefix, namespace string) bool {
	if prefix == "xmlns" || namespace == xmlnsNamespace {
		return false
	}
	if prefix == "xml" || namespace == xmlNamespace {
		return prefix == "xml" && namespace == xmlNamespace
	}
	return prefix == "" || namespace != ""
}
