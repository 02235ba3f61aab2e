package generate

import (
	"fmt"
	"go/format"
	"strings"

	"requisite/internal/clientmodel"
)

const generatedBy = "Code generated from the OpenAPI description by clients/generate; DO NOT EDIT."

// golang writes package requisite's types and operations.
func golang(m *clientmodel.Model) ([]byte, error) {
	var w strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	p("// %s\n\npackage requisite\n", generatedBy)
	p("import (\n\"context\"\n\"encoding/json\"\n\"iter\"\n)\n")
	p("// Version is the version of the API that this package was made from.")
	p("const Version = %q\n", m.Version)
	constants(p, "Event", "The types of events.", m.EventTypes)
	constants(p, "Code", "The codes of refusals.", m.Codes)
	constants(p, "SubCode", "The sub-codes of SYSTEM_RULE_VIOLATION.", m.SubCodes)
	constants(p, "Warning", "The codes of warnings.", m.Warnings)
	for _, e := range m.Enums {
		constants(p, e.Name, fmt.Sprintf("Values of %s.", e.Name), e.Values)
	}
	p("// operations are those that this package knows.\nvar operations = map[string]operation{")
	for _, c := range m.Operations {
		p("%q: {writes: %t},", c.Name, c.Writes)
	}
	p("}\n")
	for _, c := range m.Operations {
		method := clientmodel.GoName(c.Name)
		p("// %s calls %s: %s", method, c.Name, uncapital(c.Summary))
		p("func (c *Client) %s(ctx context.Context, in %s, options ...Option) (Result[%s], error) {", method, c.Request, c.Data)
		p("return call[%s](ctx, c, %q, in, options)\n}\n", c.Data, c.Name)
		if c.Items == "" {
			continue
		}
		item := clientmodel.GoType(c.Item, false)
		p("// %sAll goes through all pages of %s. An error ends it.", method, c.Name)
		p("func (c *Client) %sAll(ctx context.Context, in %s, options ...Option) iter.Seq2[%s, error] {", method, c.Request, item)
		p("return pages(func(after *string) ([]%s, *string, error) {", item)
		request := m.Object(c.Request)
		page, _ := request.Field("page")
		p("if after != nil {\nvar page %s\nif in.Page != nil {\npage = *in.Page\n}\npage.After, in.Page = after, &page\n}", page.Of.Object)
		p("r, err := c.%s(ctx, in, options...)", method)
		data := m.Object(c.Data)
		if _, feed := data.Field("caught_up"); feed {
			p("if r.Data.CaughtUp {\nr.Data.Next = nil // which it never is in a feed\n}")
		}
		p("return r.Data.%s, r.Data.Next, err\n})\n}\n", clientmodel.GoName(c.Items))
	}
	for _, o := range m.Objects {
		if o.Name == clientmodel.Event {
			o.Doc = "An event, as a Receiver gets it and the feed answers it. Content decodes its data."
		}
		comment(p, "", o.Name, o.Doc, "is an object of the API.")
		p("type %s struct {", o.Name)
		for _, f := range o.Fields {
			for _, line := range clientmodel.Wrapped(f.Doc+oneOf(f.Of), 100) {
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
		name := strings.ReplaceAll(v, " ", "")
		if strings.ToUpper(v) == v || strings.ToLower(v) == v {
			name = clientmodel.GoName(strings.ToLower(v))
		}
		p("%s%s = %q", group, name, v)
	}
	p(")\n")
}

func comment(p func(string, ...any), indent, name, doc, otherwise string) {
	if doc == "" {
		p("%s// %s %s", indent, name, otherwise)
		return
	}
	for _, line := range clientmodel.Wrapped(name+": "+doc, 100) {
		p("%s// %s", indent, line)
	}
}

// oneOf says what a text can be.
func oneOf(t clientmodel.Type) string {
	if t.Kind == clientmodel.List {
		t = *t.Element
	}
	if t.Kind != clientmodel.Text || len(t.Values) == 0 {
		return ""
	}
	return " One of " + strings.Join(t.Values, ", ") + "."
}

// golangField decides how a value that is left out differs from null and from
// zero: in a request all three can be said.
func golangField(o clientmodel.Object, f clientmodel.Field) string {
	name, t := clientmodel.GoName(f.Name), clientmodel.GoType(f.Of, o.Requested)
	bare := f.Of.Kind == clientmodel.Anything || f.Of.Kind == clientmodel.List || f.Of.Kind == clientmodel.Dictionary || f.Of.Kind == clientmodel.Union // nil is absent
	switch {
	case o.Name == clientmodel.Event && f.Name == "data":
		return "Data json.RawMessage `json:\"data,omitempty\"`"
	case o.Name == clientmodel.Event && !f.Required: // zero is no value of any of them
		return fmt.Sprintf("%s %s `json:%q`", name, t, f.Name+",omitempty")
	case f.Required && (!f.Of.Nullable || bare):
		return fmt.Sprintf("%s %s `json:%q`", name, t, f.Name)
	case f.Required:
		return fmt.Sprintf("%s *%s `json:%q`", name, t, f.Name)
	case o.Requested && f.Of.Nullable:
		return fmt.Sprintf("%s Optional[%s] `json:%q`", name, t, f.Name+",omitzero")
	case bare:
		return fmt.Sprintf("%s %s `json:%q`", name, t, f.Name+",omitzero")
	}
	return fmt.Sprintf("%s *%s `json:%q`", name, t, f.Name+",omitempty")
}

func uncapital(summary string) string {
	if summary == "" {
		return summary
	}
	return strings.ToLower(summary[:1]) + summary[1:]
}
