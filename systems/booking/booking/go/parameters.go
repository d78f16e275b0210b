package main

import "strconv"

// parameters are those of a statement that is put together of parts, so that no value gets into its text.
type parameters []any

// add takes a value, and returns what stands for it.
func (p *parameters) add(value any) string {
	*p = append(*p, value)
	return "$" + strconv.Itoa(len(*p))
}
