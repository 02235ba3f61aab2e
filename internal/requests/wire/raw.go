package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/text/rawjson"
)

// raw is one value of a body that is valid JSON, and its position. It is not a copy: a tree
// of values would take many times the size of the body.
type raw struct {
	text []byte
	at   int
}

// The kinds of a value, by its first character; '0' is any number.
func (v raw) kind() byte {
	switch c := v.text[0]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	}
	return '0'
}

// unquoted is the text of a string.
func (v raw) unquoted() string {
	text, err := jsontext.AppendUnquote(nil, v.text)
	if err != nil { // it was read before
		panic("wire: a string that is not valid: " + err.Error())
	}
	return string(text)
}

// name is the text of a string, in memory of the body or of scratch, which grows
// as needed and is used again.
func (v raw) name(scratch *[]byte) []byte {
	within := v.text[1 : len(v.text)-1]
	if bytes.IndexByte(within, '\\') < 0 {
		return within
	}
	text, err := jsontext.AppendUnquote((*scratch)[:0], v.text)
	if err != nil {
		panic("wire: a name that is not valid: " + err.Error())
	}
	*scratch = text
	return text
}

// members visits the names and values of an object until visit is done.
func (v raw) members(visit func(name, value raw) bool) {
	for at := 1; ; {
		name, next, ok := v.next(at)
		if !ok {
			return
		}
		value, next, _ := v.next(next)
		if !visit(name, value) {
			return
		}
		at = next
	}
}

// elements visits the elements of an array until visit is done.
func (v raw) elements(visit func(i int, value raw) bool) {
	at := 1
	for i := 0; ; i++ {
		value, next, ok := v.next(at)
		if !ok || !visit(i, value) {
			return
		}
		at = next
	}
}

// count is the number of elements of an array.
func (v raw) count() int { return rawjson.Count(v.text, 0) }

// next is the value after at, and its end; false at the end of the object or array.
func (v raw) next(at int) (value raw, end int, ok bool) {
	begin, end, ok := rawjson.Next(v.text, at)
	return raw{v.text[begin:end], v.at + begin}, end, ok
}
