package rawjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Value is one value of valid JSON text, and its position.
type Value struct {
	Text []byte
	At   int
}

// Kind is the kind of a value, by its first character; '0' is any number.
func (v Value) Kind() byte {
	switch c := v.Text[0]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	}
	return '0'
}

// Unquoted is the text of a string, in memory of the JSON text or of scratch, which grows
// as needed and is used again.
func (v Value) Unquoted(scratch *[]byte) []byte {
	within := v.Text[1 : len(v.Text)-1]
	if bytes.IndexByte(within, '\\') < 0 {
		return within
	}
	text, err := jsontext.AppendUnquote((*scratch)[:0], v.Text)
	if err != nil { // it was read before
		panic("rawjson: a string that is not valid: " + err.Error())
	}
	*scratch = text
	return text
}

// String is the text of a string.
func (v Value) String() string { return string(v.Unquoted(new([]byte))) }

// Members visits the names and values of an object until visit is done.
func (v Value) Members(visit func(name, value Value) bool) {
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

// Elements visits the elements of an array until visit is done.
func (v Value) Elements(visit func(i int, value Value) bool) {
	at := 1
	for i := 0; ; i++ {
		value, next, ok := v.next(at)
		if !ok || !visit(i, value) {
			return
		}
		at = next
	}
}

// Count is the number of elements of an array.
func (v Value) Count() int {
	n := 0
	v.Elements(func(int, Value) bool { n++; return true })
	return n
}

// next is the value after at, and its end; false at the end of the object or array.
func (v Value) next(at int) (value Value, end int, ok bool) {
	begin, end, ok := Next(v.Text, at)
	return Value{v.Text[begin:end], v.At + begin}, end, ok
}
