package generate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// typescript writes an interface for each object, and a table of operations.
func (m *model) typescript() []byte {
	var w strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	p("// %s\n", generatedBy)
	p("/** The version of the API that this module was made from. */\nexport const VERSION = %s;\n", strconv.Quote(m.version))
	for _, group := range []struct {
		name, doc string
		values    []string
	}{
		{"EventType", "The types of events.", m.eventTypes}, {"Code", "The codes of refusals.", m.codes},
		{"SubCode", "The sub-codes of SYSTEM_RULE_VIOLATION.", m.subCodes}, {"WarningCode", "The codes of warnings.", m.warnings},
	} {
		values := "string"
		if len(group.values) > 0 {
			values = literals(group.values) + " | (string & {})"
		}
		p("/** %s Later versions of the service may add some. */\nexport type %s = %s;\n", group.doc, group.name, values)
	}
	p("/** The types of events that this module knows. */\nexport const EVENT_TYPES: readonly EventType[] = [%s];\n", quoted(m.eventTypes))
	for _, o := range m.objects {
		typescriptComment(p, "", o.doc)
		p("export interface %s {", o.name)
		for _, f := range o.fields {
			typescriptComment(p, "  ", f.doc)
			mark, of := "?", typescriptType(f.of, o.requested)
			switch {
			case f.required:
				mark = ""
			case o.requested && of != "unknown": // with exactOptionalPropertyTypes, a field that may be left out is not undefined
				of += " | undefined"
			}
			p("  %s%s: %s;", f.name, mark, of)
		}
		p("}\n")
	}
	p("/** What each operation takes and answers. */\nexport interface Operations {")
	for _, c := range m.operations {
		typescriptComment(p, "  ", c.summary)
		p("  %s: { request: %s; data: %s };", strconv.Quote(c.name), c.request, c.data)
	}
	p("}\n")
	p("/** The elements of the operations that answer in pages. */\nexport interface Pages {")
	for _, c := range m.operations {
		if c.items != "" {
			p("  %s: %s;", strconv.Quote(c.name), typescriptType(c.item, false))
		}
	}
	p("}\n")
	p("/** The decrypted contents of webhooks, by type of event. */\nexport interface Contents {")
	for _, event := range slices.Sorted(maps.Keys(m.contents)) {
		p("  %s: %s;", event, m.contents[event])
	}
	p("}\n")
	p("/** Whether an operation writes, and where it answers in pages, the field with the elements. */")
	p("export const OPERATIONS: { readonly [N in keyof Operations]: { readonly writes: boolean; readonly items?: string } } = {")
	for _, c := range m.operations {
		items := ""
		if c.items != "" {
			items = fmt.Sprintf(", items: %q", c.items)
		}
		p("  %s: { writes: %t%s },", strconv.Quote(c.name), c.writes, items)
	}
	p("};")
	return []byte(w.String())
}

func typescriptComment(p func(string, ...any), indent, doc string) {
	doc = strings.ReplaceAll(doc, "*/", "* /")
	switch lines := wrapped(doc, 110); len(lines) {
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
func typescriptType(t typ, requested bool) string {
	base := "unknown"
	switch t.kind {
	case text:
		base = "string"
		if len(t.values) > 0 {
			base = literals(t.values)
			if !requested {
				base += " | (string & {})"
			}
		}
	case integer, number:
		base = "number"
	case boolean:
		base = "boolean"
	case list:
		base = "Array<" + typescriptType(*t.element, requested) + ">"
	case dictionary:
		base = "Record<string, " + typescriptType(*t.element, requested) + ">"
	case reference:
		base = t.object
	case union:
		var either []string
		for _, one := range t.either {
			either = append(either, typescriptType(one, requested))
		}
		base = strings.Join(either, " | ")
	}
	if t.nullable && base != "unknown" {
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
