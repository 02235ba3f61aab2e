// Package rawjson navigates valid JSON text without a copy: a tree of values would take
// many times the size of the text.
package rawjson

// Next finds the beginning and end of the value that follows at, within an object or an
// array; false at the end of the object or array. Names count as values.
func Next(text []byte, at int) (begin, end int, ok bool) {
	for {
		switch text[at] {
		case ' ', '\t', '\r', '\n', ',', ':':
			at++
			continue
		case '}', ']':
			return at, at, false
		}
		return at, ValueEnd(text, at), true
	}
}

// ValueEnd returns the end of the value that begins at a position.
func ValueEnd(text []byte, at int) int {
	switch text[at] {
	case '"':
		return StringEnd(text, at)
	case '{', '[':
		for depth := 0; ; {
			switch text[at] {
			case '"':
				at = StringEnd(text, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return at + 1
				}
			}
			at++
		}
	}
	for at < len(text) {
		switch text[at] {
		case ',', ':', ']', '}', ' ', '\t', '\r', '\n':
			return at
		}
		at++
	}
	return at
}

// StringEnd returns the end of the string that begins at a position.
func StringEnd(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}
