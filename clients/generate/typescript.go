package generate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"requisite/internal/clientmodel"
)

// typescript writes an interface for each object, and a table of operations.
func typescript(m *clientmodel.Model) []byte {
	var w strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	p("// %s\n", generatedBy)
	if m.HasEvent() {
		p("import type { Event } from \"./webhook.js\";\n")
	}
	p("/** The version of the API that this module was made from. */\nexport const VERSION = %s;\n", strconv.Quote(m.Version))
	for _, group := range []struct {
		name, doc string
		values    []string
	}{
		{"EventType", "The types of events.", m.EventTypes}, {"Code", "The codes of refusals.", m.Codes},
		{"SubCode", "The sub-codes of SYSTEM_RULE_VIOLATION.", m.SubCodes}, {"WarningCode", "The codes of warnings.", m.Warnings},
	} {
		values := "string"
		if len(group.values) > 0 {
			values = literals(group.values) + " | (string & {})"
		}
		p("/** %s Later versions of the service may add some. */\nexport type %s = %s;\n", group.doc, group.name, values)
	}
	p("/** The types of events that this module knows. */\nexport const EVENT_TYPES: readonly EventType[] = [%s];\n", quoted(m.EventTypes))
	for _, o := range m.Objects {
		typescriptComment(p, "", o.Doc)
		p("export interface %s {", fieldsOfEvents(&o))
		for _, f := range o.Fields {
			typescriptComment(p, "  ", f.Doc)
			mark, of := "?", typescriptType(f.Of, o.Requested)
			switch {
			case f.Required:
				mark = ""
			case o.Requested && of != "unknown": // with exactOptionalPropertyTypes, a field that may be left out is not undefined
				of += " | undefined"
			}
			p("  %s%s: %s;", f.Name, mark, of)
		}
		p("}\n")
	}
	p("/** What each operation takes and answers. */\nexport interface Operations {")
	for _, c := range m.Operations {
		typescriptComment(p, "  ", c.Summary)
		p("  %s: { request: %s; data: %s };", strconv.Quote(c.Name), c.Request, c.Data)
	}
	p("}\n")
	p("/** The elements of the operations that answer in pages. */\nexport interface Pages {")
	for _, c := range m.Operations {
		if c.Items != "" {
			p("  %s: %s;", strconv.Quote(c.Name), typescriptType(c.Item, false))
		}
	}
	p("}\n")
	p("/** The decrypted contents of webhooks, by type of event. */\nexport interface Contents {")
	for _, event := range slices.Sorted(maps.Keys(m.Contents)) {
		p("  %s: %s;", event, m.Contents[event])
	}
	p("}\n")
	p("/** Whether an operation writes, and where it answers in pages, the field with the elements. */")
	p("export const OPERATIONS: { readonly [N in keyof Operations]: { readonly writes: boolean; readonly items?: string } } = {")
	for _, c := range m.Operations {
		items := ""
		if c.Items != "" {
			items = fmt.Sprintf(", items: %q", c.Items)
		}
		p("  %s: { writes: %t%s },", strconv.Quote(c.Name), c.Writes, items)
	}
	p("};")
	return []byte(w.String())
}

func typescriptComment(p func(string, ...any), indent, doc string) {
	doc = strings.ReplaceAll(doc, "*/", "* /")
	switch lines := clientmodel.Wrapped(doc, 110); len(lines) {
	case 0:
	case 1:
		p("%s/** %s */", indent, lines[0])
	default:
		p("%s/**", indent)
		for _, line := range lines {
			p("%s * %s", indent, line)
		}
		p("%s */", indent)
	}
}

// typescriptType allows an answer values that the description does not list: the
// service may add some.
func typescriptType(t clientmodel.Type, requested bool) string {
	base := "unknown"
	switch t.Kind {
	case clientmodel.Text:
		base = "string"
		if len(t.Values) > 0 {
			base = literals(t.Values)
			if !requested {
				base += " | (string & {})"
			}
		}
	case clientmodel.Integer, clientmodel.Number:
		base = "number"
	case clientmodel.Boolean:
		base = "boolean"
	case clientmodel.List:
		base = "Array<" + typescriptType(*t.Element, requested) + ">"
	case clientmodel.Dictionary:
		base = "Record<string, " + typescriptType(*t.Element, requested) + ">"
	case clientmodel.Reference:
		base = t.Object
	case clientmodel.Union:
		var either []string
		for _, one := range t.Either {
			either = append(either, typescriptType(one, requested))
		}
		base = strings.Join(either, " | ")
	}
	if t.Nullable && base != "unknown" {
		base += " | null"
	}
	return base
}

func literals(values []string) string {
	var out []string
	for _, v := range values {
		out = append(out, strconv.Quote(v))
	}
	return strings.Join(out, " | ")
}

func quoted(values []string) string { return strings.ReplaceAll(literals(values), " | ", ", ") }
