package generate

import (
	"fmt"
	"go/format"
	"strings"
)

const generatedBy = "Code generated from the OpenAPI description by clients/generate; DO NOT EDIT."

// golang writes package requisite's types and operations.
func (m *model) golang() ([]byte, error) {
	var w strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	p("// %s\n\npackage requisite\n", generatedBy)
	p("import (\n\"context\"\n\"encoding/json\"\n\"iter\"\n)\n")
	p("// Version is the version of the API that this package was made from.")
	p("const Version = %q\n", m.version)
	constants(p, "Event", "The types of events.", m.eventTypes)
	constants(p, "Code", "The codes of refusals.", m.codes)
	constants(p, "SubCode", "The sub-codes of SYSTEM_RULE_VIOLATION.", m.subCodes)
	constants(p, "Warning", "The codes of warnings.", m.warnings)
	p("// operations are those that this package knows.\nvar operations = map[string]operation{")
	for _, c := range m.operations {
		p("%q: {writes: %t},", c.name, c.writes)
	}
	p("}\n")
	for _, c := range m.operations {
		method := golangName(c.name)
		p("// %s calls %s: %s", method, c.name, uncapital(c.summary))
		p("func (c *Client) %s(ctx context.Context, in %s, options ...Option) (Result[%s], error) {", method, c.request, c.data)
		p("return call[%s](ctx, c, %q, in, options)\n}\n", c.data, c.name)
		if c.items == "" {
			continue
		}
		item := golangType(c.item, false)
		p("// %sAll goes through all pages of %s. An error ends it.", method, c.name)
		p("func (c *Client) %sAll(ctx context.Context, in %s, options ...Option) iter.Seq2[%s, error] {", method, c.request, item)
		p("return pages(func(after *string) ([]%s, *string, error) {", item)
		request := m.object(c.request)
		page, _ := request.field("page")
		p("if after != nil {\nvar page %s\nif in.Page != nil {\npage = *in.Page\n}\npage.After, in.Page = after, &page\n}", page.of.object)
		p("r, err := c.%s(ctx, in, options...)", method)
		data := m.object(c.data)
		if _, feed := data.field("caught_up"); feed {
			p("if r.Data.CaughtUp {\nr.Data.Next = nil // which it never is in a feed\n}")
		}
		p("return r.Data.%s, r.Data.Next, err\n})\n}\n", golangName(c.items))
	}
	for _, o := range m.objects {
		comment(p, "", o.name, o.doc, "is an object of the API.")
		p("type %s struct {", o.name)
		for _, f := range o.fields {
			for _, line := range wrapped(f.doc+oneOf(f.of), 100) {
				p("// %s", line)
			}
			p("%s", golangField(o, f))
		}
		p("}\n")
	}
	source, err := format.Source([]byte(w.String()))
	if err != nil {
		return nil, fmt.Errorf("the generated Go is not valid: %w\n%s", err, w.String())
	}
	return source, nil
}

func constants(p func(string, ...any), group, doc string, values []string) {
	if len(values) == 0 {
		return
	}
	p("// %s\nconst (", doc)
	for _, v := range values {
		p("%s%s = %q", group, golangName(strings.ToLower(v)), v)
	}
	p(")\n")
}

func comment(p func(string, ...any), indent, name, doc, otherwise string) {
	if doc == "" {
		p("%s// %s %s", indent, name, otherwise)
		return
	}
	for _, line := range wrapped(name+": "+doc, 100) {
		p("%s// %s", indent, line)
	}
}

// oneOf says what a text can be.
func oneOf(t typ) string {
	if t.kind == list {
		t = *t.element
	}
	if t.kind != text || len(t.values) == 0 {
		return ""
	}
	return " One of " + strings.Join(t.values, ", ") + "."
}

// golangField decides how a value that is left out differs from null and from
// zero: in a request all three can be said.
func golangField(o object, f field) string {
	name, t := golangName(f.name), golangType(f.of, o.requested)
	bare := f.of.kind == anything || f.of.kind == list || f.of.kind == dictionary || f.of.kind == union // nil is absent
	switch {
	case f.required && (!f.of.nullable || bare):
		return fmt.Sprintf("%s %s `json:%q`", name, t, f.name)
	case f.required:
		return fmt.Sprintf("%s *%s `json:%q`", name, t, f.name)
	case o.requested && f.of.nullable:
		return fmt.Sprintf("%s Optional[%s] `json:%q`", name, t, f.name+",omitzero")
	case bare:
		return fmt.Sprintf("%s %s `json:%q`", name, t, f.name+",omitzero")
	}
	return fmt.Sprintf("%s *%s `json:%q`", name, t, f.name+",omitempty")
}

func golangType(t typ, requested bool) string {
	switch t.kind {
	case text:
		return "string"
	case integer:
		return "int64"
	case number:
		return "json.Number"
	case boolean:
		return "bool"
	case list:
		return "[]" + golangType(*t.element, requested)
	case dictionary:
		if t.element.kind == anything && requested {
			return "any"
		} else if t.element.kind == anything {
			return "json.RawMessage"
		}
		return "map[string]" + golangType(*t.element, requested)
	case reference:
		return t.object
	}
	if requested {
		return "any"
	}
	return "json.RawMessage"
}

// golangName writes id, url and the like as Go does.
func golangName(name string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(name, func(c rune) bool { return c == '_' || c == '.' || c == '-' }) {
		switch word {
		case "id", "url", "ms", "ip":
			out.WriteString(strings.ToUpper(word))
		case "ids":
			out.WriteString("IDs")
		default:
			out.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return out.String()
}

func uncapital(summary string) string {
	if summary == "" {
		return summary
	}
	return strings.ToLower(summary[:1]) + summary[1:]
}
