package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/requests/refusal"
	"requisite/internal/text/rawjson"
)

// MaxDepth bounds nesting; the deepest document that an operation takes has
// about a dozen levels.
const MaxDepth = 64

// maxProblems is one more than a refusal reports, to know whether there are more.
const maxProblems = refusal.MaxFields + 1

// Problem is one problem of a body, with its path.
type Problem struct {
	Path string
	refusal.Problem
	At int
}

// Malformed says at which position a body is no longer JSON, and what to do about it. It does
// not quote the body, which may hold personal data.
type Malformed struct {
	At    int
	Cause string
}

func (m *Malformed) Error() string { return "not JSON: " + m.Cause }

// parseTree reads one JSON value. It finds the names that occur twice in an object, in the
// order of the body. The error is Malformed.
func parseTree(body []byte) (rawjson.Value, []Problem, error) {
	// Each name takes five characters at least, with a colon and a value.
	names := min(bytes.Count(body, []byte(":")), len(body)/5+1)
	p := parser{
		trail: trail{body: body}, dec: jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true)),
		seed: maphash.MakeSeed(), names: make([]nameAt, 0, names),
	}
	err := p.value(0)
	if err == nil {
		var token jsontext.Token
		if token, err = p.dec.ReadToken(); errors.Is(err, io.EOF) {
			start := len(body) - len(bytes.TrimLeft(body, blanks))
			return rawjson.Value{Text: bytes.Trim(body, blanks), At: start}, p.twice, nil
		}
		if err == nil {
			return rawjson.Value{}, nil, &Malformed{int(p.dec.InputOffset()) - len(token.String()), "something follows the end of the value"}
		}
	}
	return rawjson.Value{}, nil, malformed(body, int(p.dec.InputOffset()), err)
}

const blanks = " \t\r\n"

type parser struct {
	trail
	dec   *jsontext.Decoder
	seed  maphash.Seed
	names []nameAt // of the objects that are open, one after the other
	twice []Problem
}

// nameAt is a name in an object: its hash and its position.
type nameAt struct {
	hash uint64
	at   int
}

// trail is the path to the current value.
type trail struct {
	body  []byte
	steps [MaxDepth + 2]step
	depth int
	// Buffers that are reused.
	scratch, rendered []byte
}

// step is one level of a path: an index, or the position of a name.
type step struct{ index, name int }

// path writes the path of the current value.
func (t *trail) path() string {
	path := t.rendered[:0]
	for _, s := range t.steps[:t.depth] {
		if s.index >= 0 {
			path = fmt.Appendf(path, "[%d]", s.index)
			continue
		}
		if len(path) > 0 {
			path = append(path, '.')
		}
		name := rawjson.Value{Text: t.body[s.name:rawjson.StringEnd(t.body, s.name)]}
		path = append(path, clipName(name.Unquoted(&t.scratch))...)
	}
	t.rendered = path
	return refusal.ClipPath(path)
}

// within runs f one step further down.
func (t *trail) within(s step, f func()) {
	t.steps[t.depth] = s
	t.depth++
	f()
	t.depth--
}

var errDepth = fmt.Errorf("values are nested more than %d levels deep", MaxDepth)

func (p *parser) value(depth int) error {
	if depth > MaxDepth {
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
		p.steps[depth] = step{-1, name.at}
		if err := p.value(depth + 1); err != nil {
			return err
		}
	}
	p.findTwice(p.names[first:], depth)
	p.names = p.names[:first]
	_, err := p.dec.ReadToken()
	return err
}

// name reads the name of a member.
func (p *parser) name() (nameAt, error) {
	if kind := p.dec.PeekKind(); kind != '"' {
		_, err := p.dec.ReadToken() // its error says what is wrong
		if err == nil {
			err = errors.New("a name is missing")
		}
		return nameAt{}, err
	}
	text, err := p.dec.ReadValue()
	if err != nil {
		return nameAt{}, err
	}
	hash := maphash.Bytes(p.seed, rawjson.Value{Text: text}.Unquoted(&p.scratch))
	return nameAt{hash, int(p.dec.InputOffset()) - len(text)}, nil
}

// findTwice finds the names that occur more than once in an object.
func (p *parser) findTwice(names []nameAt, depth int) {
	slices.SortFunc(names, func(a, b nameAt) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
	for i := 1; i < len(names); i++ {
		if names[i].hash == names[i-1].hash {
			p.addTwice(names[i].at, depth)
		}
	}
}

// addTwice keeps the first maxProblems in the order of the body. The parser finds the problems of
// inner objects first.
func (p *parser) addTwice(at, depth int) {
	if len(p.twice) == maxProblems {
		if at > p.twice[maxProblems-1].At {
			return
		}
		p.twice = p.twice[:maxProblems-1]
	}
	i, _ := slices.BinarySearchFunc(p.twice, at, func(r Problem, at int) int { return cmp.Compare(r.At, at) })
	p.steps[depth], p.depth = step{-1, at}, depth+1
	p.twice = slices.Insert(p.twice, i, Problem{Path: p.path(), At: at})
}

func (p *parser) array(depth int) error {
	for i := 0; p.dec.PeekKind() != ']'; i++ {
		p.steps[depth] = step{index: i}
		if err := p.value(depth + 1); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// malformed says why a body is not JSON, for the usual reasons.
func malformed(body []byte, at int, err error) *Malformed {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		at = int(syntactic.ByteOffset)
	}
	at = min(at, len(body))
	before, rest := bytes.TrimRight(body[:at], blanks), bytes.TrimLeft(body[at:], blanks)
	here := len(body) - len(rest)
	switch {
	case errors.Is(err, errDepth):
		return &Malformed{at, errDepth.Error()}
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return &Malformed{0, "it begins with a byte order mark: leave it out"}
	case len(rest) == 0 && len(before) == 0:
		return &Malformed{0, "it is empty"}
	case len(rest) == 0:
		return &Malformed{len(before), "it ends too early: a closing bracket is missing"}
	case rest[0] >= utf8.RuneSelf && !utf8.FullRune(rest) || !utf8.Valid(body):
		return &Malformed{at, "it is not UTF-8"}
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")), rest[0] == '#':
		return &Malformed{here, "JSON has no comments: delete this one"}
	case endsAfterComma(rest):
		return &Malformed{here, commaBeforeBracket}
	case bytes.HasSuffix(before, []byte(",")) && bytes.IndexByte([]byte("}]"), rest[0]) >= 0:
		return &Malformed{len(before) - 1, commaBeforeBracket}
	case rest[0] == '\'':
		return &Malformed{here, "write texts and names in double quotes"}
	case bytes.IndexAny(rest, "“”„«»") == 0:
		return &Malformed{here, "this quotation mark is not plain: write \""}
	case bytes.HasPrefix(rest, []byte(`\u`)):
		return &Malformed{here, "a \\u escape is incomplete or half of a pair"}
	case rest[0] == '"' && strings.Contains(err.Error(), "after"):
		return &Malformed{here, "a comma is missing before this"}
	}
	return &Malformed{at, "there is an error here"}
}

const commaBeforeBracket = "delete the comma before the closing bracket"

// endsAfterComma finds a trailing comma.
func endsAfterComma(text []byte) bool {
	after, ok := bytes.CutPrefix(text, []byte(","))
	after = bytes.TrimLeft(after, blanks)
	return ok && len(after) > 0 && (after[0] == '}' || after[0] == ']')
}

// Position counts lines and characters from 1 up to an offset.
func Position(text []byte, at int) (line, column int) {
	before := text[:at]
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// maxNameShown limits how much of a caller's name an error repeats.
const maxNameShown = 64

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
