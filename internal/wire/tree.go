package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/refusal"
)

// maxDepth bounds nesting; the deepest document that an operation takes has
// about a dozen levels.
const maxDepth = 64

// number keeps the text of a JSON number, so that no digit is lost.
type number string

// object keeps a JSON object's members; values are object, []any, string,
// number, bool or nil.
type object map[string]any

// parseTree reads one JSON value. Problems are malformed JSON, nesting beyond
// maxDepth (both end the reading) and names that stand twice in an object.
func parseTree(body []byte) (any, []refusal.Field) {
	p := parser{dec: jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))}
	value, err := p.value("", 0)
	if err == nil {
		if _, end := p.dec.ReadToken(); !errors.Is(end, io.EOF) {
			err = errors.New("there is more after the JSON value")
		}
	}
	if err != nil {
		return nil, []refusal.Field{{Message: malformed(body, err)}}
	}
	return value, p.problems
}

type parser struct {
	dec      *jsontext.Decoder
	problems []refusal.Field
}

var errDepth = fmt.Errorf("values are nested more than %d levels deep", maxDepth)

func (p *parser) value(path string, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	token, err := p.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return p.object(path, depth)
	case '[':
		return p.array(path, depth)
	case '"':
		return token.String(), nil
	case '0':
		return number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	default:
		return nil, nil
	}
}

func (p *parser) object(path string, depth int) (any, error) {
	members := object{}
	for p.dec.PeekKind() != '}' {
		token, err := p.dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		at := join(path, name)
		if _, twice := members[name]; twice {
			p.problems = append(p.problems, refusal.Field{Field: at, Message: "This name stands twice in one object; send it once."})
		}
		if members[name], err = p.value(at, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := p.dec.ReadToken()
	return members, err
}

func (p *parser) array(path string, depth int) (any, error) {
	elements := []any{}
	for p.dec.PeekKind() != ']' {
		element, err := p.value(fmt.Sprintf("%s[%d]", path, len(elements)), depth+1)
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
	}
	_, err := p.dec.ReadToken()
	return elements, err
}

// malformed words a syntax error without quoting the body, which may hold
// personal data.
func malformed(body []byte, err error) string {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, errDepth):
		return "The body is refused: " + err.Error() + "."
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "The body is not valid JSON: it begins with a byte order mark, which must be left out."
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The body is not valid JSON: it ends too early."
	case errors.As(err, &syntactic):
		return "The body is not valid JSON: " + syntaxAt(body, syntactic.ByteOffset)
	}
	return "The body is not valid JSON: " + err.Error() + "."
}

// syntaxAt says where an error stands, and what it is where that can be told.
func syntaxAt(body []byte, offset int64) string {
	before, rest := body[:min(offset, int64(len(body)))], body[min(offset, int64(len(body))):]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	last := bytes.TrimRight(before, " \t\r\n")
	cause := "there is an error"
	switch {
	case len(rest) > 0 && rest[0] >= utf8.RuneSelf && !utf8.FullRune(rest) || !utf8.Valid(body):
		cause = "it is not UTF-8"
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")), bytes.HasPrefix(rest, []byte("#")):
		cause = "it holds a comment"
	case endsAfterComma(rest), bytes.HasSuffix(last, []byte(",")) && endsAfterComma(append([]byte(","), rest...)):
		cause = "there is a comma too many"
	case bytes.HasPrefix(rest, []byte("'")):
		cause = "text and names stand in double quotes"
	case bytes.HasPrefix(rest, []byte(`\u`)):
		cause = "a \\u escape is incomplete or half of a pair"
	}
	return fmt.Sprintf("%s at line %d, column %d.", cause, line, column)
}

// endsAfterComma finds a comma that nothing follows.
func endsAfterComma(text []byte) bool {
	after, ok := bytes.CutPrefix(text, []byte(","))
	after = bytes.TrimLeft(after, " \t\r\n")
	return ok && len(after) > 0 && (after[0] == '}' || after[0] == ']')
}

// maxNameShown bounds what an error repeats of a name that a caller sent.
const maxNameShown = 64

func join(path, name string) string {
	if r := []rune(name); len(r) > maxNameShown {
		name = string(r[:maxNameShown]) + "…"
	}
	name = strings.ToValidUTF8(name, "�")
	if path == "" {
		return name
	}
	return path + "." + name
}
