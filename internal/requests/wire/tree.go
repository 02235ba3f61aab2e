package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/requests/refusal"
	"requisite/internal/text/rawjson"
)

// maxDepth bounds nesting; the deepest document that an operation takes has
// about a dozen levels.
const maxDepth = 64

// maxProblems is one more than a refusal reports, to know whether there are more.
const maxProblems = refusal.MaxFields + 1

// parseTree reads one JSON value. For malformed JSON and nesting beyond maxDepth it returns
// no value. It reports names that occur twice in an object in the order of the body.
func parseTree(body []byte) (raw, []refusal.Field) {
	// Each name takes five characters at least, with a colon and a value.
	names := min(bytes.Count(body, []byte(":")), len(body)/5+1)
	p := parser{
		body: body, dec: jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true)),
		seed: maphash.MakeSeed(), names: make([]nameAt, 0, names),
	}
	err := p.value(0)
	if err == nil {
		if _, end := p.dec.ReadToken(); !errors.Is(end, io.EOF) {
			err = errors.New("there is more after the JSON value")
		}
	}
	if err != nil {
		return raw{}, []refusal.Field{{Message: malformed(body, err)}}
	}
	start := len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	return raw{bytes.Trim(body, " \t\r\n"), start}, p.problems()
}

type parser struct {
	body       []byte
	dec        *jsontext.Decoder
	seed       maphash.Seed
	names      []nameAt           // of the objects that are open, one after the other
	path       [maxDepth + 1]step // to the value at hand
	duplicates []duplicate
	// Memory that is used again.
	scratch, rendered []byte
}

// nameAt is a name in an object: its hash and its position.
type nameAt struct {
	hash uint64
	at   int
}

// step is one level of a path: an index, or a name where it stands.
type step struct{ index, name int }

// duplicate is a name that occurs twice.
type duplicate struct {
	at   int
	path string
}

var errDepth = fmt.Errorf("values are nested more than %d levels deep", maxDepth)

func (p *parser) value(depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	token, err := p.dec.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '{':
		return p.object(depth)
	case '[':
		return p.array(depth)
	}
	return nil
}

func (p *parser) object(depth int) error {
	first := len(p.names)
	for p.dec.PeekKind() != '}' {
		name, err := p.name()
		if err != nil {
			return err
		}
		p.names = append(p.names, name)
		p.path[depth] = step{-1, name.at}
		if err := p.value(depth + 1); err != nil {
			return err
		}
	}
	p.findDuplicates(p.names[first:], depth)
	p.names = p.names[:first]
	_, err := p.dec.ReadToken()
	return err
}

// name reads the name of a member.
func (p *parser) name() (nameAt, error) {
	if kind := p.dec.PeekKind(); kind != '"' {
		_, err := p.dec.ReadToken() // which says what is wrong
		if err == nil {
			err = errors.New("a name is missing")
		}
		return nameAt{}, err
	}
	text, err := p.dec.ReadValue()
	if err != nil {
		return nameAt{}, err
	}
	return nameAt{p.hash(text), int(p.dec.InputOffset()) - len(text)}, nil
}

func (p *parser) hash(name []byte) uint64 {
	v := raw{text: name}
	return maphash.Bytes(p.seed, v.name(&p.scratch))
}

// findDuplicates reports names that occur more than once in an object.
func (p *parser) findDuplicates(names []nameAt, depth int) {
	slices.SortFunc(names, func(a, b nameAt) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
	for i := 1; i < len(names); i++ {
		if names[i].hash == names[i-1].hash {
			p.addDuplicate(names[i].at, depth)
		}
	}
}

// addDuplicate keeps the first maxProblems duplicates in the order of the body. The parser
// finds those of inner objects first.
func (p *parser) addDuplicate(at, depth int) {
	if len(p.duplicates) == maxProblems {
		if at > p.duplicates[maxProblems-1].at {
			return
		}
		p.duplicates = p.duplicates[:maxProblems-1]
	}
	i, _ := slices.BinarySearchFunc(p.duplicates, at, func(r duplicate, at int) int { return cmp.Compare(r.at, at) })
	p.duplicates = slices.Insert(p.duplicates, i, duplicate{at, p.render(at, depth)})
}

// render writes the path of a name.
func (p *parser) render(at, depth int) string {
	p.path[depth] = step{-1, at}
	path := p.rendered[:0]
	for _, s := range p.path[:depth+1] {
		if s.index >= 0 {
			path = fmt.Appendf(path, "[%d]", s.index)
			continue
		}
		if len(path) > 0 {
			path = append(path, '.')
		}
		name := raw{text: p.body[s.name:rawjson.StringEnd(p.body, s.name)]}
		path = append(path, clipName(name.name(&p.scratch))...)
	}
	p.rendered = path
	return refusal.ClipPath(path)
}

func (p *parser) problems() []refusal.Field {
	var found []refusal.Field
	for _, r := range p.duplicates {
		found = append(found, refusal.Field{Field: r.path, Message: "This name stands twice in one object; send it once."})
	}
	return found
}

func (p *parser) array(depth int) error {
	for i := 0; p.dec.PeekKind() != ']'; i++ {
		p.path[depth] = step{index: i}
		if err := p.value(depth + 1); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// malformed describes a syntax error without quoting the body, which may hold
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

// syntaxAt describes the position of a syntax error and, if known, its cause.
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

// endsAfterComma finds a trailing comma.
func endsAfterComma(text []byte) bool {
	after, ok := bytes.CutPrefix(text, []byte(","))
	after = bytes.TrimLeft(after, " \t\r\n")
	return ok && len(after) > 0 && (after[0] == '}' || after[0] == ']')
}

// maxNameShown limits how much of a caller's name an error repeats.
const maxNameShown = 64

func join(path, name string) string {
	if path == "" {
		return string(clipName([]byte(name)))
	}
	return path + "." + string(clipName([]byte(name)))
}

// clipName shortens a name to maxNameShown characters.
func clipName(name []byte) []byte {
	at := 0
	for range maxNameShown {
		if at == len(name) {
			return name
		}
		_, width := utf8.DecodeRune(name[at:])
		at += width
	}
	if at == len(name) {
		return name
	}
	return append(name[:at:at], "…"...)
}
