package requirement

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"requisite/internal/rawjson"
)

// No rule file needs to be nested deeper, or to hold a longer list.
const (
	maxSourceDepth = 20
	maxSourceItems = 10_000
)

// sourceKind is the kind of a value in a file.
type sourceKind uint8

const (
	objectSource sourceKind = iota
	arraySource
	textSource
	numberSource
	boolSource
	nullSource
	refusedSource // a problem has been reported
)

func (k sourceKind) String() string {
	return [...]string{"an object", "a list", "text", "a number", "true or false", "null", "refused"}[k]
}

// sourceNode is one value of a JSON or YAML file and where it stands. Of JSON it is
// a place in the text, and what it holds is read when it is asked for.
type sourceNode struct {
	kind  sourceKind
	text  string // of a text, a number or a boolean, as written
	style textStyle

	// Of YAML.
	comment      string // behind a text without quotes, on its line
	members      []sourceMember
	items        []*sourceNode
	line, column int
	flow         bool // an object in brackets, in which a comma ends a text

	// Of JSON.
	json    string // the whole file
	at, end int
}

// sourceMember is one name and value of an object, repeated names included.
type sourceMember struct {
	name  string
	value *sourceNode
	key   sourceNode // stands where the name does
}

// place is the line and the column, from 1.
func (n *sourceNode) place() (line, column int) {
	if n.json == "" {
		return n.line, n.column
	}
	return lineColumn(n.json, n.at)
}

// eachMember visits the names and values of an object until visit is done. A value
// is valid until visit returns.
func (n *sourceNode) eachMember(visit func(m *sourceMember) bool) {
	if n.json == "" {
		for i := range n.members {
			if !visit(&n.members[i]) {
				return
			}
		}
		return
	}
	if n.kind != objectSource {
		return
	}
	m := &sourceMember{value: new(sourceNode)}
	for at := n.at + 1; ; {
		begin, end, ok := rawjson.Next(n.json, at)
		if !ok {
			return
		}
		m.key.set(n.json, begin, end)
		m.name = m.key.text
		begin, end, _ = rawjson.Next(n.json, end)
		m.value.set(n.json, begin, end)
		if !visit(m) {
			return
		}
		at = end
	}
}

// eachItem visits the elements of an array until visit is done. An element is
// valid until visit returns.
func (n *sourceNode) eachItem(visit func(i int, item *sourceNode) bool) {
	if n.json == "" {
		for i, item := range n.items {
			if !visit(i, item) {
				return
			}
		}
		return
	}
	if n.kind != arraySource {
		return
	}
	item := new(sourceNode)
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

// count is the number of an array's elements.
func (n *sourceNode) count() int {
	if n.json == "" {
		return len(n.items)
	}
	return rawjson.Count(n.json, n.at)
}

// empty reports an object without members.
func (n *sourceNode) empty() bool {
	none := true
	n.eachMember(func(*sourceMember) bool { none = false; return false })
	return none
}

// set makes n the value that stands from at to end of a JSON file.
func (n *sourceNode) set(json string, at, end int) {
	*n = sourceNode{json: json, at: at, end: end}
	switch json[at] {
	case '{':
		n.kind = objectSource
	case '[':
		n.kind = arraySource
	case '"':
		n.kind, n.style, n.text = textSource, doubleStyle, json[at+1:end-1]
		if strings.IndexByte(n.text, '\\') >= 0 {
			text, err := jsontext.AppendUnquote(nil, json[at:end])
			if err != nil { // it was read before
				panic("requirement: a text that is not valid: " + err.Error())
			}
			n.text = string(text)
		}
	case 't', 'f':
		n.kind, n.text = boolSource, json[at:end]
	case 'n':
		n.kind = nullSource
	default:
		n.kind, n.text = numberSource, json[at:end]
	}
}

// sourceFile is a JSON or YAML file. Its root is nil when it could not be read;
// otherwise the problems are of values within it.
type sourceFile struct {
	root     *sourceNode
	problems []Problem
	lines    []string
}

func jsonFile(data []byte) *sourceFile {
	root, problems := readJSON(data)
	return &sourceFile{root, problems, strings.Split(string(data), "\n")}
}

func yamlFile(data []byte) *sourceFile {
	root, problems := readYAML(data)
	lines := yamlLines(data)
	lines[0] = strings.TrimPrefix(lines[0], "\ufeff")
	return &sourceFile{root, problems, lines}
}

func tooLarge(data []byte) []Problem {
	if len(data) > MaxSourceBytes {
		return []Problem{{Message: fmt.Sprintf("the file is larger than %d bytes", MaxSourceBytes)}}
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

// readJSON reads one JSON value and nothing after it.
func readJSON(data []byte) (*sourceNode, []Problem) {
	if problems := slices.Concat(tooLarge(data), notText(data)); problems != nil {
		return nil, problems
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	err := checkJSON(decoder, 0)
	if err == nil {
		_, end := decoder.ReadToken()
		switch {
		case errors.Is(end, io.EOF):
			root, text := new(sourceNode), string(data)
			begin, stop, _ := rawjson.Next(text, 0)
			root.set(text, begin, stop)
			return root, nil
		case end == nil:
			begin := skipBlanks(data, 0)
			line, column := lineColumn(string(data), skipBlanks(data, rawjson.ValueEnd(data, begin)))
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
	line, column := lineColumn(string(data), place)
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
	if depth > maxSourceDepth {
		return fmt.Errorf("it is nested more than %d levels deep", maxSourceDepth)
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

// readYAML reads one YAML document. Anchors, aliases, merge keys and tags are
// refused: a rule file says what it says where it says it. A file that is YAML is
// returned with its problems, and without the values that are refused.
func readYAML(data []byte) (*sourceNode, []Problem) {
	if problems := slices.Concat(tooLarge(data), notText(data)); problems != nil {
		return nil, problems
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, more yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, []Problem{{Message: "the file is empty", Line: 1, Column: 1}}
		}
		return nil, yamlProblems(data, err)
	}
	if err := decoder.Decode(&more); err == nil {
		return nil, []Problem{joinedFiles(data, more)}
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlProblems(data, err)
	}
	if len(document.Content) != 1 {
		return nil, []Problem{{Message: "the file is empty", Line: 1, Column: 1}}
	}
	r := &yamlReader{lines: yamlLines(data)}
	return r.value(document.Content[0], "", 0), r.problems
}

// joinedFiles is about a file in which --- ends one YAML document and begins another.
func joinedFiles(data []byte, second yaml.Node) Problem {
	p := Problem{Message: "two files are joined here by ---: keep one", Line: second.Line, Column: second.Column}
	lines := yamlLines(data)
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

// ruleFileNames are the names of rule and price files, as a pattern.
var ruleFileNames = strings.Join(personFieldNames(), "|") + "|lists|documents|document_type_code|name|category|requirement_text|entity_type|when|" +
	"examples|facts|expect|gaps|fact|persons|no_persons_attested|as_of|base|rules|points"

const onALineOfItsOwn = `write >- here and the text on the next line, indented further`

var yamlMistakes = sync.OnceValue(func() []yamlMistake {
	const name = `^\s*(?:- +)?[a-z_]+: +`
	return []yamlMistake{
		{regexp.MustCompile(`^ *(\t)`), "is not YAML: indent with blanks: YAML has no tabs"},
		{regexp.MustCompile(`^\s*(?:- +)?((?:` + ruleFileNames + `):)[^ \t\r]`), "is not YAML: put a blank after the colon"},
		{regexp.MustCompile(name + `("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*[^\s#,\]}"':]`), "is not YAML: the quotation marks would hold the whole text, and more follows: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `(\[[^\]]*\])\s*[^\s#,\]}]`), "is not YAML: the brackets would hold the whole list, and more follows: " + onALineOfItsOwn},
		{regexp.MustCompile(name + "([!@%`&*])"), "is not YAML: no plain text begins with this character: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `([|>](?:[^-+0-9 \t\r]|[-+0-9]+[^-+0-9 \t\r]|[-+0-9]*[ \t]+[^# \t\r]).*)`), "is not YAML: no plain text begins with this character: " + onALineOfItsOwn},
		{regexp.MustCompile(name + `([^\s"'\[{|>!@%&*#].*?:)(?:\s|$)`), "is not YAML: the colon in this text would end a name: " + onALineOfItsOwn},
	}
})

// yamlProblems say where a file stopped being YAML: at a usual mistake, if it has
// one, or where YAML noticed, which may be far from it.
func yamlProblems(data []byte, err error) []Problem {
	var problems []Problem
	for i, line := range yamlLines(data) {
		if len(problems) >= maxProblems {
			break
		}
		for _, mistake := range yamlMistakes() {
			if at := mistake.pattern.FindStringSubmatchIndex(line); at != nil {
				_, column := lineColumn(line, at[2])
				problems = append(problems, Problem{Message: mistake.message, Line: i + 1, Column: column})
				break
			}
		}
	}
	if len(problems) > 0 {
		return problems
	}
	if p, found := outlineMistake(yamlLines(data)); found {
		return []Problem{p}
	}
	return []Problem{yamlProblem(err)}
}

// yamlLines are the lines as YAML counts them.
func yamlLines(data []byte) []string {
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
func (r *yamlReader) refuse(n *yaml.Node, path, format string, args ...any) *sourceNode {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, Problem{Path: path, Message: fmt.Sprintf(format, args...), Line: n.Line, Column: n.Column})
	}
	return &sourceNode{kind: refusedSource, line: n.Line, column: n.Column}
}

func (r *yamlReader) value(n *yaml.Node, path string, depth int) *sourceNode {
	switch {
	case depth > maxSourceDepth:
		if len(r.problems) > 0 {
			return &sourceNode{kind: refusedSource}
		}
		return r.refuse(n, path, "the file is nested more than %d levels deep", maxSourceDepth)
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return r.refuse(n, path, "anchors and aliases (& and *) are not part of rule files: write the value out")
	case r.tagged(n):
		return r.refuse(n, path, "YAML takes ! at the beginning of a value for the tag of it, which is not part of rule files: %s", onALineOfItsOwn)
	}
	node := &sourceNode{kind: nullSource, line: n.Line, column: n.Column}
	switch n.Kind {
	case yaml.MappingNode:
		node.kind, node.flow = objectSource, n.Style&yaml.FlowStyle != 0
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if name.Kind != yaml.ScalarNode || name.Anchor != "" || name.Tag == "!!merge" {
				r.refuse(name, path, "a name must be plain text")
				continue
			}
			at := strings.TrimPrefix(path+"."+clip(name.Value), ".")
			node.members = append(node.members, sourceMember{name.Value, r.value(n.Content[i+1], at, depth+1), sourceNode{line: name.Line, column: name.Column}})
		}
	case yaml.SequenceNode:
		node.kind = arraySource
		for i, item := range n.Content {
			node.items = append(node.items, r.value(item, fmt.Sprintf("%s[%d]", path, i), depth+1))
		}
	case yaml.ScalarNode:
		node.kind, node.text, node.style = scalarKind(n), n.Value, scalarStyle(n)
		if node.style == plainStyle {
			node.comment = n.LineComment
		}
	}
	return node
}

func scalarStyle(n *yaml.Node) textStyle {
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		return doubleStyle
	case n.Style&yaml.SingleQuotedStyle != 0:
		return singleStyle
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return blockStyle
	}
	return plainStyle
}

// scalarKind treats what YAML takes for a timestamp as the text it is written
// as, so that dates need no quotes.
func scalarKind(n *yaml.Node) sourceKind {
	switch n.ShortTag() {
	case "!!bool":
		return boolSource
	case "!!null":
		return nullSource
	case "!!int", "!!float":
		return numberSource
	}
	return textSource
}

// find follows a path such as documents[1].when from n downwards.
func (n *sourceNode) find(path string) *sourceNode {
	for _, part := range strings.FieldsFunc(path, func(c rune) bool { return c == '.' || c == '[' || c == ']' }) {
		if n == nil {
			return nil
		}
		if index, err := strconv.Atoi(part); err == nil && n.kind == arraySource {
			n = n.item(index)
			continue
		}
		if found := n.member(part); found != nil {
			n = found
			continue
		}
		n = n.misspelt(part)
	}
	return n
}

// misspelt is a value whose name is near to one that the object does not have.
func (n *sourceNode) misspelt(name string) *sourceNode {
	const most = 100 // no object has nearly as many names
	looked := 0
	return n.where(func(m *sourceMember) bool {
		if looked++; looked > most {
			return false
		}
		_, near := nearest(m.name, []string{name})
		return near
	})
}

func (n *sourceNode) member(name string) *sourceNode {
	return n.where(func(m *sourceMember) bool { return m.name == name })
}

// where is the value of the first member that is looked for.
func (n *sourceNode) where(is func(m *sourceMember) bool) (found *sourceNode) {
	n.eachMember(func(m *sourceMember) bool {
		if is(m) {
			value := *m.value
			found = &value
		}
		return found == nil
	})
	return found
}

// item is the element of an array at an index, or nil.
func (n *sourceNode) item(index int) (found *sourceNode) {
	n.eachItem(func(i int, item *sourceNode) bool {
		if i == index {
			value := *item
			found = &value
		}
		return found == nil
	})
	return found
}

// nearest is find, or where the path is not in the file, the innermost value on
// the way to it.
func (n *sourceNode) nearest(path string) (node *sourceNode, exact bool) {
	for at := path; ; {
		if found := n.find(at); found != nil {
			return found, at == path
		}
		at = at[:max(0, strings.LastIndexAny(at, ".["))]
	}
}
