package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/text/rawjson"
)

// Reading JSON. Input: the bytes of a file. Output: its root node, or a problem that
// says what to write instead.

// ReadJSON reads one JSON value and nothing after it.
func ReadJSON(data []byte) (*Node, []Problem) {
	if problems := slices.Concat(tooLarge(data), notText(data)); problems != nil {
		return nil, problems
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	err := checkJSON(decoder, 0)
	if err == nil {
		_, end := decoder.ReadToken()
		switch {
		case errors.Is(end, io.EOF):
			root, text := new(Node), string(data)
			begin, stop, _ := rawjson.Next(text, 0)
			root.set(text, begin, stop)
			return root, nil
		case end == nil:
			begin := skipBlanks(data, 0)
			line, column := LineColumn(string(data), skipBlanks(data, rawjson.ValueEnd(data, begin)))
			return nil, []Problem{{Message: "is not JSON: something follows the end of the value", Line: line, Column: column}}
		}
		err = end
	}
	at := decoder.InputOffset()
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		at, err = syntactic.ByteOffset, syntactic.Err
	}
	offset := min(int(at), len(data))
	offset, message := jsonMistake(string(data), offset, fmt.Sprint(err))
	line, column := LineColumn(string(data), offset)
	return nil, []Problem{{Message: "is not JSON: " + message, Line: line, Column: column}}
}

// jsonMistake says what to write where a file stopped being JSON, for the usual
// reasons, and where.
func jsonMistake(data string, at int, message string) (int, string) {
	before, rest := strings.TrimRight(data[:at], " \t\r\n"), strings.TrimLeft(data[at:], " \t\r\n")
	here := len(data) - len(rest)
	following := strings.TrimLeft(strings.TrimPrefix(rest, ","), " \t\r\n")
	for _, mistake := range []struct {
		found   bool
		at      int
		message string
	}{
		{strings.HasPrefix(rest, ",") && strings.IndexAny(following, "}]") == 0, here, "delete the comma before the closing bracket"},
		{strings.HasSuffix(before, ",") && strings.IndexAny(rest, "}]") == 0, len(before) - 1, "delete the comma before the closing bracket"},
		{strings.HasPrefix(rest, "'"), here, "write texts and names in double quotes"},
		{strings.IndexAny(rest, "“”„«»") == 0, here, "this quotation mark is not plain: write \""},
		{strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "#"), here, "JSON has no comments: delete it, or write the file in YAML"},
		{rest == "", len(before), "it ends too early: a closing bracket is missing"},
	} {
		if mistake.found {
			return mistake.at, mistake.message
		}
	}
	if strings.HasPrefix(rest, `"`) && strings.Contains(message, "after") {
		return here, "a comma is missing before this"
	}
	return at, message
}

// skipBlanks is the offset of the first character from at on that is no blank, nor
// stands between values.
func skipBlanks(data []byte, at int) int {
	for at < len(data) && strings.IndexByte(" \t\r\n,:", data[at]) >= 0 {
		at++
	}
	return at
}

// checkJSON reads one value to its end, and keeps nothing of it.
func checkJSON(decoder *jsontext.Decoder, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("it is nested more than %d levels deep", maxDepth)
	}
	token, err := decoder.ReadToken()
	if err != nil {
		return err
	}
	var end jsontext.Kind
	switch token.Kind() {
	case '{':
		end = '}'
	case '[':
		end = ']'
	default:
		return nil
	}
	for decoder.PeekKind() != end {
		if end == '}' {
			if _, err := decoder.ReadToken(); err != nil {
				return err
			}
		}
		if err := checkJSON(decoder, depth+1); err != nil {
			return err
		}
	}
	_, err = decoder.ReadToken()
	return err
}
