package generate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"requisite/internal/clientmodel"
)

// pythonTypes writes a TypedDict for each object, and tables of the operations.
func pythonTypes(m *clientmodel.Model) []byte {
	var w strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	p("# %s", generatedBy)
	p("\"\"\"The objects of the API.\"\"\"")
	p("from __future__ import annotations\n")
	p("import enum\nfrom decimal import Decimal\nfrom typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union\n")
	p("#: The version of the API that this package was made from.\nVERSION = %s\n", strconv.Quote(m.Version))
	for _, group := range []struct {
		name, doc string
		values    []string
	}{
		{"EVENT_TYPES", "The types of events.", m.EventTypes}, {"CODES", "The codes of refusals.", m.Codes},
		{"SUB_CODES", "The sub-codes of SYSTEM_RULE_VIOLATION.", m.SubCodes}, {"WARNING_CODES", "The codes of warnings.", m.Warnings},
	} {
		if len(group.values) > 0 {
			p("#: %s Later versions of the service may add some.\n%s = (%s,)\n", group.doc, group.name, quoted(group.values))
		}
	}
	p("Number = Union[Decimal, int, float]")
	for _, o := range m.Objects {
		p("\n\nclass %s(TypedDict):", fieldsOfEvents(&o))
		doc := o.Doc
		if doc == "" {
			doc = "An object of the API."
		}
		p("    %s", docstring(doc))
		for _, f := range o.Fields {
			for _, line := range clientmodel.Wrapped(f.Doc+oneOf(f.Of), 110) {
				p("    #: %s", line)
			}
			t := pythonType(f.Of, o.Requested)
			if !f.Required {
				t = "NotRequired[" + t + "]"
			}
			p("    %s: %s", f.Name, t)
		}
		if len(o.Fields) == 0 {
			p("    pass")
		}
	}
	if m.HasEvent() {
		pythonEvents(p, m)
	}
	p("\n\n#: The decrypted contents of webhooks, by type of event.\nCONTENTS = {")
	for _, event := range slices.Sorted(maps.Keys(m.Contents)) {
		p("    %q: %s,", event, m.Contents[event])
	}
	p("}\n\n#: The operations that write, and so take an Idempotency-Key.\nWRITES = frozenset({")
	for _, c := range m.Operations {
		if c.Writes {
			p("    %q,", c.Name)
		}
	}
	p("})\n\n#: All operations, and the method of each.\nOPERATIONS = {")
	for _, c := range m.Operations {
		p("    %q: %q,", c.Name, clientmodel.Snake(c.Name))
	}
	p("}\n\n#: The operations that answer in pages, and the field of the elements.\nPAGED = {")
	for _, c := range m.Operations {
		if c.Items != "" {
			p("    %q: %q,", c.Name, c.Items)
		}
	}
	p("}")
	return []byte(w.String())
}

// pythonEvents writes an Event that gives data its type when event_type is compared with a name.
func pythonEvents(p func(string, ...any), m *clientmodel.Model) {
	p("\n\nclass LaterEventType(enum.Enum):")
	p("    %s", docstring("The type of an event that this package does not know: a later version of the service may send some. It is text: no value of this class exists."))
	p("\n    _ = \"\"")
	events := []string{"LaterEvent"}
	event := func(class, kind, content, doc string) {
		p("\n\nclass %s(EventFields):\n    %s\n    event_type: Literal[%s]", class, docstring(doc), kind)
		p("    #: The decrypted content. webhook.event.list leaves it out, unless include_data is True.\n    data: %s", content)
	}
	event("LaterEvent", "LaterEventType._", "Dict[str, Any]", "An event of a type that this package does not know.")
	for _, kind := range slices.Sorted(maps.Keys(m.Contents)) {
		class := strings.TrimSuffix(m.Contents[kind], "Content") + "Event"
		event(class, strconv.Quote(kind), m.Contents[kind], m.Object(m.Contents[kind]).Doc)
		events = append(events, class)
	}
	p("\n\n#: An event, as a receiver gets it and the feed answers it. A comparison of event_type with a name gives data its type:")
	p("#: event[\"event_type\"] == \"WORKFLOW_COMPLETED\".\nEvent = Union[\n    %s,\n]", strings.Join(events, ",\n    "))
}

// pythonCalls writes a client with a method for each operation: the request's fields are its
// keyword arguments.
func pythonCalls(m *clientmodel.Model, asynchronous bool) []byte {
	var w strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	class, base, imports, iterator, def, await, loop := "Client", "SyncBase", "Any, Dict, Iterator, List", "Iterator", "def", "", "for"
	about := "Calls the API with one credential. It is safe to use from several threads."
	if asynchronous {
		class, base, imports, iterator, def, await, loop = "AsyncClient", "AsyncBase", "Any, AsyncIterator, Dict, List", "AsyncIterator", "async def", "await ", "async for"
		about = "Calls the API with one credential, with asyncio. Use it in async with, or call aclose."
	}
	p("# %s", generatedBy)
	p("\"\"\"A method for each operation.\"\"\"")
	p("from __future__ import annotations\n")
	p("from typing import %s, Literal, Optional, Union\n", imports)
	p("from . import _types as t\nfrom ._base import UNSET, Answer, fields\nfrom ._client import %s\n\n", base)
	p("class %s(%s):\n    \"\"\"%s\n", class, base, about)
	p("    Each operation is a method, such as workflow_get for workflow.get, whose arguments are the fields of its request. One")
	p("    that answers in pages has a second method, such as workflow_list_all: %s goes through all of them.\n    \"\"\"", loop)
	for _, c := range m.Operations {
		request := m.Object(c.Request)
		var parameters, arguments, paged []string
		for _, f := range request.Fields {
			parameter := f.Name + ": " + pythonArgument(f.Of)
			if !f.Required {
				parameter += " = UNSET"
			}
			parameters = append(parameters, parameter)
			arguments = append(arguments, f.Name+"="+f.Name)
			if f.Name != "page" {
				paged = append(paged, parameter)
			}
		}
		key := ""
		all := append([]string{"self"}, parameters...)
		if c.Writes {
			all, key = append(all, "idempotency_key: Optional[str] = None"), ", idempotency_key"
		}
		all = append(slices.Insert(all, 1, "*"), "sandbox_answer: Optional[str] = None")
		p("\n    %s %s(%s) -> Answer[t.%s]:", def, clientmodel.Snake(c.Name), strings.Join(all, ", "), c.Data)
		p("        %s", docstring(c.Summary))
		p("        return %sself.call(%q, fields(%s)%s, sandbox_answer=sandbox_answer)", await, c.Name, strings.Join(arguments, ", "), key)
		if c.Items == "" {
			continue
		}
		p("\n    def %s_all(%s) -> %s[%s]:", clientmodel.Snake(c.Name), strings.Join(append([]string{"self", "*"}, append(paged, "page_size: Optional[int] = None", "after: Optional[str] = None", "sandbox_answer: Optional[str] = None")...), ", "), iterator, pythonQualified(c.Item))
		p("        %s", docstring("Go through all pages of "+c.Name+", or those that follow an earlier answer's next."))
		arguments = slices.DeleteFunc(arguments, func(a string) bool { return a == "page=page" })
		p("        return self.pages(%q, %q, fields(%s), page_size, after, sandbox_answer)", c.Name, c.Items, strings.Join(arguments, ", "))
	}
	return []byte(w.String())
}

func docstring(doc string) string {
	return `"""` + strings.ReplaceAll(strings.Join(strings.Fields(strings.ReplaceAll(doc, `\`, `\\`)), " "), `"""`, `'''`) + `"""`
}

func pythonType(t clientmodel.Type, requested bool) string {
	base := "Any"
	switch t.Kind {
	case clientmodel.Text:
		base = "str"
		if len(t.Values) > 0 {
			base = "Literal[" + quoted(t.Values) + "]"
		}
	case clientmodel.Integer:
		base = "int"
	case clientmodel.Number:
		base = "Number"
		if !requested {
			base = "Union[Decimal, int]"
		}
	case clientmodel.Boolean:
		base = "bool"
	case clientmodel.List:
		base = "List[" + pythonType(*t.Element, requested) + "]"
	case clientmodel.Dictionary:
		base = "Dict[str, " + pythonType(*t.Element, requested) + "]"
	case clientmodel.Reference:
		base = t.Object
	case clientmodel.Union:
		var either []string
		for _, one := range t.Either {
			either = append(either, pythonType(one, requested))
		}
		base = "Union[" + strings.Join(either, ", ") + "]"
	}
	if t.Nullable && base != "Any" {
		base = "Optional[" + base + "]"
	}
	return base
}

// pythonArgument is a type as the module of methods writes it.
func pythonArgument(t clientmodel.Type) string { return qualify(t, true) }

func pythonQualified(t clientmodel.Type) string { return qualify(t, false) }

func qualify(t clientmodel.Type, requested bool) string {
	switch t.Kind {
	case clientmodel.Reference:
		base := "t." + t.Object
		if t.Nullable {
			base = "Optional[" + base + "]"
		}
		return base
	case clientmodel.Number:
		return "t.Number"
	case clientmodel.List:
		return "List[" + qualify(*t.Element, requested) + "]"
	case clientmodel.Dictionary, clientmodel.Union, clientmodel.Anything:
		return "Any"
	}
	return pythonType(t, requested)
}
