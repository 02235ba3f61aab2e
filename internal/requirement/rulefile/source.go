// Package rulefile reads rule and price files, JSON or YAML, into values that know
// where they stand, and says what is wrong with a file that is neither. It knows
// nothing of what the names in a file mean.
package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"requisite/internal/rawjson"
)

// No rule file needs to be larger or nested deeper, or to hold a longer list.
const (
	MaxBytes = 1 << 20
	maxDepth = 20
	MaxItems = 10_000
)

// Kind is the kind of a value in a file.
type Kind uint8

const (
	ObjectKind Kind = iota
	ListKind
	TextKind
	NumberKind
	BoolKind
	NullKind
	RefusedKind // a problem has been reported
)

func (k Kind) String() string {
	return [...]string{"an object", "a list", "text", "a number", "true or false", "null", "refused"}[k]
}

// Node is one value of a JSON or YAML file and where it stands. Of JSON it is
// a place in the text, and what it holds is read when it is asked for.
type Node struct {
	Kind  Kind
	Text  string // of a text, a number or a boolean, as written
	Style Style

	// Of YAML.
	comment      string // behind a text without quotes, on its line
	members      []Member
	items        []*Node
	line, column int
	Flow         bool // an object in brackets, in which a comma ends a text

	// Of JSON.
	json    string // the whole file
	at, end int
}

// Member is one name and value of an object, repeated names included.
type Member struct {
	Name  string
	Value *Node
	Key   Node // stands where the name does
}

// TextAt is a text that stands where a member's name does.
func TextAt(m *Member, text string) *Node {
	line, column := m.Key.Place()
	return &Node{Kind: TextKind, Text: text, line: line, column: column}
}

// Place is the line and the column, from 1.
func (n *Node) Place() (line, column int) {
	if n.json == "" {
		return n.line, n.column
	}
	return LineColumn(n.json, n.at)
}

// EachMember visits the names and values of an object until visit is done. A value
// is valid until visit returns.
func (n *Node) EachMember(visit func(m *Member) bool) {
	if n.json == "" {
		for i := range n.members {
			if !visit(&n.members[i]) {
				return
			}
		}
		return
	}
	if n.Kind != ObjectKind {
		return
	}
	m := &Member{Value: new(Node)}
	for at := n.at + 1; ; {
		begin, end, ok := rawjson.Next(n.json, at)
		if !ok {
			return
		}
		m.Key.set(n.json, begin, end)
		m.Name = m.Key.Text
		begin, end, _ = rawjson.Next(n.json, end)
		m.Value.set(n.json, begin, end)
		if !visit(m) {
			return
		}
		at = end
	}
}

// EachItem visits the elements of an array until visit is done. An element is
// valid until visit returns.
func (n *Node) EachItem(visit func(i int, item *Node) bool) {
	if n.json == "" {
		for i, item := range n.items {
			if !visit(i, item) {
				return
			}
		}
		return
	}
	if n.Kind != ListKind {
		return
	}
	item := new(Node)
	for i, at := 0, n.at+1; ; i++ {
		begin, end, ok := rawjson.Next(n.json, at)
		if !ok {
			return
		}
		item.set(n.json, begin, end)
		if !visit(i, item) {
			return
		}
		at = end
	}
}

// Count is the number of an array's elements.
func (n *Node) Count() int {
	if n.json == "" {
		return len(n.items)
	}
	return rawjson.Count(n.json, n.at)
}

// Empty reports an object without members.
func (n *Node) Empty() bool {
	none := true
	n.EachMember(func(*Member) bool { none = false; return false })
	return none
}

// set makes n the value that stands from at to end of a JSON file.
func (n *Node) set(json string, at, end int) {
	*n = Node{json: json, at: at, end: end}
	switch json[at] {
	case '{':
		n.Kind = ObjectKind
	case '[':
		n.Kind = ListKind
	case '"':
		n.Kind, n.Style, n.Text = TextKind, DoubleStyle, json[at+1:end-1]
		if strings.IndexByte(n.Text, '\\') >= 0 {
			text, err := jsontext.AppendUnquote(nil, json[at:end])
			if err != nil { // it was read before
				panic("rulefile: a text that is not valid: " + err.Error())
			}
			n.Text = string(text)
		}
	case 't', 'f':
		n.Kind, n.Text = BoolKind, json[at:end]
	case 'n':
		n.Kind = NullKind
	default:
		n.Kind, n.Text = NumberKind, json[at:end]
	}
}

// File is a JSON or YAML file. Its root is nil when it could not be read;
// otherwise the problems are of values within it.
type File struct {
	Root     *Node
	Problems []Problem
	Lines    []string
}

// JSONFile reads a JSON file.
func JSONFile(data []byte) *File {
	root, problems := ReadJSON(data)
	return &File{root, problems, strings.Split(string(data), "\n")}
}

// YAMLFile reads a YAML file, whose mistakes are looked for beside names.
func YAMLFile(data []byte, names *Names) *File {
	root, problems := ReadYAML(data, names)
	lines := YAMLLines(data)
	lines[0] = strings.TrimPrefix(lines[0], "\ufeff")
	return &File{root, problems, lines}
}

func tooLarge(data []byte) []Problem {
	if len(data) > MaxBytes {
		return []Problem{{Message: fmt.Sprintf("the file is larger than %d bytes", MaxBytes)}}
	}
	return nil
}

// notText says where a file is not UTF-8, or holds a control character that no
// text file holds. It is nil for a file without either.
func notText(data []byte) []Problem {
	line, column := 1, 1
	for at := 0; at < len(data); {
		r, width := utf8.DecodeRune(data[at:])
		switch {
		case r == utf8.RuneError && width == 1:
			return []Problem{{Message: "this character is not UTF-8: save the file as UTF-8", Line: line, Column: column}}
		case unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r):
			return []Problem{{Message: fmt.Sprintf("holds the control character U+%04X: take it out", r), Line: line, Column: column}}
		}
		column++
		if at += width; r == '\n' {
			line, column = line+1, 1
		}
	}
	return nil
}

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
	place := min(int(at), len(data))
	place, message := jsonMistake(string(data), place, fmt.Sprint(err))
	line, column := LineColumn(string(data), place)
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

// skipBlanks is the place of the first character from at on that is no blank, nor
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

// ReadYAML reads one YAML document. Anchors, aliases, merge keys and tags are
// refused: a rule file says what it says where it says it. A file that is YAML is
// returned with its problems, and without the values that are refused.
func ReadYAML(data []byte, names *Names) (*Node, []Problem) {
	if problems := slices.Concat(tooLarge(data), notText(data)); problems != nil {
		return nil, problems
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, more yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, []Problem{{Message: "the file is empty", Line: 1, Column: 1}}
		}
		return nil, yamlProblems(data, names, err)
	}
	if err := decoder.Decode(&more); err == nil {
		return nil, []Problem{joinedFiles(data, more)}
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlProblems(data, names, err)
	}
	if len(document.Content) != 1 {
		return nil, []Problem{{Message: "the file is empty", Line: 1, Column: 1}}
	}
	r := &yamlReader{lines: YAMLLines(data)}
	return r.value(document.Content[0], "", 0), r.problems
}

// joinedFiles is about a file in which --- ends one YAML document and begins another.
func joinedFiles(data []byte, second yaml.Node) Problem {
	p := Problem{Message: "two files are joined here by ---: keep one", Line: second.Line, Column: second.Column}
	lines := YAMLLines(data)
	for at := min(second.Line, len(lines)) - 1; at >= 0; at-- {
		if strings.HasPrefix(lines[at], "---") {
			p.Line, p.Column = at+1, 1
			break
		}
	}
	return p
}

func yamlProblem(err error) Problem {
	problem := Problem{Message: fmt.Sprintf("is not YAML: %v", err)}
	if at := regexp.MustCompile(`^yaml: line (\d+): (.*)`).FindStringSubmatch(err.Error()); at != nil {
		problem.Message = "is not YAML: " + at[2]
		problem.Line, _ = strconv.Atoi(at[1])
	}
	return problem
}

// yamlMistake is a usual way to write a text that YAML does not take for one,
// looked for in the lines of a file that YAML could not read. The first group is
// what is wrong.
type yamlMistake struct {
	pattern *regexp.Regexp
	message string
}

// Names are the names that the files of one kind may have: what YAML cannot read
// is looked for beside them.
type Names struct {
	margin, below []string
	mistakes      []yamlMistake
	glued         *regexp.Regexp
}

// NewNames takes the names that stand at the margin of files, and those that never do.
func NewNames(margin, below []string) *Names {
	any := strings.Join(slices.Concat(margin, below), "|")
	return &Names{margin, below, yamlMistakes(any), regexp.MustCompile(`^(?:` + any + `):\S`)}
}

// NoBlankAfterColon reports a name that YAML takes for a part of the text after it.
func (n *Names) NoBlankAfterColon(text string) bool { return n.glued.MatchString(text) }

// BelongBelow reports a name that never stands at the margin.
func (n *Names) BelongBelow(name string) bool { return slices.Contains(n.below, name) }

func (n *Names) has(name string) bool { return slices.Contains(n.margin, name) || n.BelongBelow(name) }

const onALineOfItsOwn = `write >- here and the text on the next line, indented further`

func yamlMistakes(names string) []yamlMistake {
	const name = `^\s*(?:- +)?[a-z_]+: +`
	return []yamlMistake{
		{regexp.MustCompile(`^ *(\t)`), "is not YAML: indent with blanks: YAML has no tabs"},
		{regexp.MustCompile(`^\s*(?:- +)?((?:` + names + `):)[^ \t\r]`), "is not YAML: put a blank after the colon"},
		{regexp.MustCompile(name + `("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*[^\s#,\]}"':]`), "is not YAML: the quotation marks would hold the whole text, and more follows: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `(\[[^\]]*\])\s*[^\s#,\]}]`), "is not YAML: the brackets would hold the whole list, and more follows: " + onALineOfItsOwn},
		{regexp.MustCompile(name + "([!@%`&*])"), "is not YAML: no plain text begins with this character: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `([|>](?:[^-+0-9 \t\r]|[-+0-9]+[^-+0-9 \t\r]|[-+0-9]*[ \t]+[^# \t\r]).*)`), "is not YAML: no plain text begins with this character: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `([^\s"'\[{|>!@%&*#].*?:)(?:\s|$)`), "is not YAML: the colon in this text would end a name: " + onALineOfItsOwn},
	}
}

// yamlProblems say where a file stopped being YAML: at a usual mistake, if it has
// one, or where YAML noticed, which may be far from it.
func yamlProblems(data []byte, names *Names, err error) []Problem {
	var problems []Problem
	for i, line := range YAMLLines(data) {
		if len(problems) >= MaxProblems {
			break
		}
		for _, mistake := range names.mistakes {
			if at := mistake.pattern.FindStringSubmatchIndex(line); at != nil {
				_, column := LineColumn(line, at[2])
				problems = append(problems, Problem{Message: mistake.message, Line: i + 1, Column: column})
				break
			}
		}
	}
	if len(problems) > 0 {
		return problems
	}
	if p, found := OutlineMistake(YAMLLines(data), names); found {
		return []Problem{p}
	}
	return []Problem{yamlProblem(err)}
}

// YAMLLines are the lines as YAML counts them.
func YAMLLines(data []byte) []string {
	return regexp.MustCompile(`\r\n|[\n\r\x{85}\x{2028}\x{2029}]`).Split(string(data), -1)
}

type yamlReader struct {
	lines    []string
	runes    []rune // of the line at hand, which may hold the whole file
	line     int
	problems []Problem
}

// tagged reports whether a value begins with a tag. The tag ! alone leaves no
// other trace: when: ! (a) would read as its contrary.
func (r *yamlReader) tagged(n *yaml.Node) bool {
	if n.Style&yaml.TaggedStyle != 0 {
		return true
	}
	if n.Line < 1 || n.Line > len(r.lines) {
		return false
	}
	if r.line != n.Line {
		r.line, r.runes = n.Line, []rune(strings.TrimPrefix(r.lines[n.Line-1], "\ufeff"))
	}
	return n.Column >= 1 && n.Column <= len(r.runes) && r.runes[n.Column-1] == '!'
}

// refuse reports a value that is not part of rule files, and stands for it.
func (r *yamlReader) refuse(n *yaml.Node, path, format string, args ...any) *Node {
	if len(r.problems) < MaxProblems {
		r.problems = append(r.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...), Line: n.Line, Column: n.Column})
	}
	return &Node{Kind: RefusedKind, line: n.Line, column: n.Column}
}

func (r *yamlReader) value(n *yaml.Node, path string, depth int) *Node {
	switch {
	case depth > maxDepth:
		if len(r.problems) > 0 {
			return &Node{Kind: RefusedKind}
		}
		return r.refuse(n, path, "the file is nested more than %d levels deep", maxDepth)
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return r.refuse(n, path, "anchors and aliases (& and *) are not part of rule files: write the value out")
	case r.tagged(n):
		return r.refuse(n, path, "YAML takes ! at the beginning of a value for the tag of it, which is not part of rule files: %s", onALineOfItsOwn)
	}
	node := &Node{Kind: NullKind, line: n.Line, column: n.Column}
	switch n.Kind {
	case yaml.MappingNode:
		node.Kind, node.Flow = ObjectKind, n.Style&yaml.FlowStyle != 0
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if name.Kind != yaml.ScalarNode || name.Anchor != "" || name.Tag == "!!merge" {
				r.refuse(name, path, "a name must be plain text")
				continue
			}
			at := strings.TrimPrefix(path+"."+Clip(name.Value), ".")
			node.members = append(node.members, Member{name.Value, r.value(n.Content[i+1], at, depth+1), Node{line: name.Line, column: name.Column}})
		}
	case yaml.SequenceNode:
		node.Kind = ListKind
		for i, item := range n.Content {
			node.items = append(node.items, r.value(item, fmt.Sprintf("%s[%d]", path, i), depth+1))
		}
	case yaml.ScalarNode:
		node.Kind, node.Text, node.Style = ScalarKind(n), n.Value, scalarStyle(n)
		if node.Style == PlainStyle {
			node.comment = n.LineComment
		}
	}
	return node
}

func scalarStyle(n *yaml.Node) Style {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return DoubleStyle
	case n.Style&yaml.SingleQuotedStyle != 0:
		return SingleStyle
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return BlockStyle
	}
	return PlainStyle
}

// ScalarKind treats what YAML takes for a timestamp as the text it is written
// as, so that dates need no quotes.
func ScalarKind(n *yaml.Node) Kind {
	switch n.ShortTag() {
	case "!!bool":
		return BoolKind
	case "!!null":
		return NullKind
	case "!!int", "!!float":
		return NumberKind
	}
	return TextKind
}

// Find follows a path such as documents[1].when from n downwards.
func (n *Node) Find(path string) *Node {
	for _, part := range strings.FieldsFunc(path, func(c rune) bool { return c == '.' || c == '[' || c == ']' }) {
		if n == nil {
			return nil
		}
		if index, err := strconv.Atoi(part); err == nil && n.Kind == ListKind {
			n = n.Item(index)
			continue
		}
		if found := n.Member(part); found != nil {
			n = found
			continue
		}
		n = n.misspelt(part)
	}
	return n
}

// misspelt is a value whose name is near to one that the object does not have.
func (n *Node) misspelt(name string) *Node {
	const most = 100 // no object has nearly as many names
	looked := 0
	return n.Where(func(m *Member) bool {
		if looked++; looked > most {
			return false
		}
		_, near := Nearest(m.Name, []string{name})
		return near
	})
}

// Member is the value of a name.
func (n *Node) Member(name string) *Node {
	return n.Where(func(m *Member) bool { return m.Name == name })
}

// Where is the value of the first member that is looked for.
func (n *Node) Where(is func(m *Member) bool) (found *Node) {
	n.EachMember(func(m *Member) bool {
		if is(m) {
			value := *m.Value
			found = &value
		}
		return found == nil
	})
	return found
}

// Item is the element of an array at an index, or nil.
func (n *Node) Item(index int) (found *Node) {
	n.EachItem(func(i int, item *Node) bool {
		if i == index {
			value := *item
			found = &value
		}
		return found == nil
	})
	return found
}

// Nearest is Find, or where the path is not in the file, the innermost value on
// the way to it.
func (n *Node) Nearest(path string) (node *Node, exact bool) {
	for at := path; ; {
		if found := n.Find(at); found != nil {
			return found, at == path
		}
		at = at[:max(0, strings.LastIndexAny(at, ".["))]
	}
}
