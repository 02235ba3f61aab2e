package reference

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// node is an element of a page, or a text without a name.
type node struct {
	name     string
	text     string
	attr     map[string]string
	children []*node
}

// first returns the first child with a name. It returns nil if there is none, or if n is nil.
func (n *node) first(name string) *node {
	if n == nil {
		return nil
	}
	i := slices.IndexFunc(n.children, func(c *node) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return n.children[i]
}

// section is a part of a page that has an anchor and a heading.
type section struct {
	ID, Title string
	Level     int    // of the heading
	text      string // the beginning of its prose
	fields    []string
	codes     []string // in the first column of its tables
}

// read parses the body, and lists its sections.
func (p *page) read() error {
	decoder := xml.NewDecoder(strings.NewReader(string(p.Body)))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	p.tree = &node{}
	open := []*node{p.tree}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("read %s: %w", p.Path, err)
		}
		in := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &node{name: t.Name.Local, attr: map[string]string{}}
			for _, a := range t.Attr {
				n.attr[a.Name.Local] = a.Value
			}
			in.children = append(in.children, n)
			open = append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			in.children = append(in.children, &node{text: string(t)})
		}
	}
	p.list(p.tree, "")
	return nil
}

// searchable limits the prose of a section in the index for the search.
const searchable = 240

// list adds the sections of an element. id is the enclosing anchor that has no heading yet.
func (p *page) list(n *node, id string) {
	for _, child := range n.children {
		level := slices.Index([]string{"h1", "h2", "h3", "h4"}, child.name) + 1
		own := child.attr["id"]
		switch {
		case level > 0:
			if own == "" {
				own, id = id, ""
			}
			if own != "" && (level > 1 || len(p.Sections) > 0) {
				p.Sections = append(p.Sections, section{ID: own, Title: line(child), Level: level})
			}
			continue
		case child.name == "dt" && own != "":
			p.Sections = append(p.Sections, section{ID: own, Title: line(child), Level: 4})
			continue
		case len(p.Sections) > 0:
			s := &p.Sections[len(p.Sections)-1]
			switch child.name {
			case "tr":
				if own != "" {
					s.fields = append(s.fields, strings.TrimPrefix(own, s.ID+":"))
				} else if code := child.first("td").first("code"); code != nil {
					s.codes = append(s.codes, line(code))
				}
			case "p", "li", "dd":
				if text := line(child); len(s.text) < searchable && n.name != "details" && child.attr["class"] != "soft" {
					s.text = strings.TrimSpace(s.text + " " + text)
				}
			}
		}
		if own == "" || child.name != "section" && child.name != "article" {
			own = id
		}
		p.list(child, own)
	}
}

// line returns the text of an element on one line, without its permalink and status.
func line(n *node) string {
	var words func(*node) string
	words = func(n *node) string {
		if n.name == "" && n.children == nil {
			return n.text
		}
		if class := n.attr["class"]; class == "anchor" || class == "status" {
			return ""
		}
		var out strings.Builder
		for _, child := range n.children {
			out.WriteString(words(child))
		}
		return out.String()
	}
	return strings.Join(strings.Fields(words(n)), " ")
}

// index is /llms.txt: where each page is, and what each operation does.
func (s *site) index() []byte {
	var out strings.Builder
	out.WriteString("# Requisite API\n\n> " + strings.Join(strings.Fields(introduction), " ") + "\n\n")
	out.WriteString("- [All pages as text](/docs.md)\n- [OpenAPI 3.1](/openapi.json)\n")
	for _, part := range s.Parts {
		name := part.Name
		if name == "" {
			name = "First"
		}
		fmt.Fprintf(&out, "\n## %s\n\n", name)
		for _, p := range part.pages() {
			if p.Operation != nil {
				fmt.Fprintf(&out, "- [%s](%s): %s\n", p.Title, p.Path, p.Operation.Summary)
				continue
			}
			fmt.Fprintf(&out, "- [%s](%s)\n", p.Title, p.Path)
			for _, found := range p.Sections {
				fmt.Fprintf(&out, "  - [%s](%s#%s)\n", found.Title, p.Path, found.ID)
			}
		}
	}
	return []byte(out.String())
}
