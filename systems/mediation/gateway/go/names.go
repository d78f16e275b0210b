package main

import (
	"strings"
	"unicode"
)

// nameStart and nameRest are NameStartChar and what NameChar has besides (XML 1.0, 2.3), both without the
// colon, which parts prefix and name.
var (
	nameStart = &unicode.RangeTable{
		R16: []unicode.Range16{
			{'A', 'Z', 1}, {'_', '_', 1}, {'a', 'z', 1}, {0xC0, 0xD6, 1}, {0xD8, 0xF6, 1},
			{0xF8, 0x2FF, 1}, {0x370, 0x37D, 1}, {0x37F, 0x1FFF, 1}, {0x200C, 0x200D, 1}, {0x2070, 0x218F, 1},
			{0x2C00, 0x2FEF, 1}, {0x3001, 0xD7FF, 1}, {0xF900, 0xFDCF, 1}, {0xFDF0, 0xFFFD, 1},
		},
		R32:         []unicode.Range32{{0x10000, 0xEFFFF, 1}},
		LatinOffset: 5,
	}
	nameRest = &unicode.RangeTable{
		R16: []unicode.Range16{
			{'-', '.', 1}, {'0', '9', 1}, {0xB7, 0xB7, 1}, {0x300, 0x36F, 1}, {0x203F, 0x2040, 1},
		},
		LatinOffset: 3,
	}
)

// splitName parts a qualified name; ok tells whether it is one.
func splitName(name string) (prefix, local string, ok bool) {
	before, after, prefixed := strings.Cut(name, ":")
	if !prefixed {
		return "", name, isName(name)
	}
	return before, after, isName(before) && isName(after)
}

// isName tells whether the text is a name without a colon.
func isName(text string) bool {
	for at, character := range text {
		if !unicode.Is(nameStart, character) && (at == 0 || !unicode.Is(nameRest, character)) {
			return false
		}
	}
	return text != ""
}

// isText tells whether XML has every character of the text (XML 1.0, 2.2). Go strings hold no surrogates.
func isText(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF
	})
}
