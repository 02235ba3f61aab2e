package rulefile

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"requisite/internal/text/rawjson"
)

// Values of a file. Input: a path. Output: the node that the path leads to, with its
// line and column.

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
// a position in the text, and what it holds is read when it is asked for.
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
	line, column := m.Key.LineColumn()
	return &Node{Kind: TextKind, Text: text, line: line, column: column}
}

// LineColumn is where the node begins; both count from 1.
func (n *Node) LineColumn() (line, column int) {
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
