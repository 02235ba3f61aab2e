package generate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// pythonTypes writes a TypedDict for each object, and tables of the operations.
func (m *model) pythonTypes() []byte {
	var w strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	p("# %s", generatedBy)
	p("\"\"\"The objects of the API.\"\"\"")
	p("from __future__ import annotations\n")
	p("from decimal import Decimal\nfrom typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict, Union\n")
	p("#: The version of the API that this package was made from.\nVERSION = %s\n", strconv.Quote(m.version))
	for _, group := range []struct {
		name, doc string
		values    []string
	}{
		{"EVENT_TYPES", "The types of events.", m.eventTypes}, {"CODES", "The codes of refusals.", m.codes},
		{"SUB_CODES", "The sub-codes of SYSTEM_RULE_VIOLATION.", m.subCodes}, {"WARNING_CODES", "The codes of warnings.", m.warnings},
	} {
		if len(group.values) > 0 {
			p("#: %s Later versions of the service may add some.\n%s = (%s,)\n", group.doc, group.name, quoted(group.values))
		}
	}
	p("Number = Union[Decimal, int, float]")
	for _, o := range m.objects {
		p("\n\nclass %s(TypedDict):", o.name)
		doc := o.doc
		if doc == "" {
			doc = "An object of the API."
		}
		p("    %s", docstring(doc))
		for _, f := range o.fields {
			for _, line := range wrapped(f.doc+oneOf(f.of), 110) {
				p("    #: %s", line)
			}
			t := pythonType(f.of, o.requested)
			if !f.required {
				t = "NotRequired[" + t + "]"
			}
			p("    %s: %s", f.name, t)
		}
		if len(o.fields) == 0 {
			p("    pass")
		}
	}
	p("\n\n#: The decrypted contents of webhooks, by type of event.\nCONTENTS = {")
	for _, event := range slices.Sorted(maps.Keys(m.contents)) {
		p("    %q: %s,", event, m.contents[event])
	}
	p("}\n\n#: The operations that write, and so take an Idempotency-Key.\nWRITES = frozenset({")
	for _, c := range m.operations {
		if c.writes {
			p("    %q,", c.name)
		}
	}
	p("})\n\n#: All operations, and the method of each.\nOPERATIONS = {")
	for _, c := range m.operations {
		p("    %q: %q,", c.name, snake(c.name))
	}
	p("}\n\n#: The operations that answer in pages, and the field of the elements.\nPAGED = {")
	for _, c := range m.operations {
		if c.items != "" {
			p("    %q: %q,", c.name, c.items)
		}
	}
	p("}")
	return []byte(w.String())
}

// pythonCalls writes a client with a method for each operation: the request's fields are its
// keyword arguments.
func (m *model) pythonCalls(asynchronous bool) []byte {
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
	for _, c := range m.operations {
		request := m.object(c.request)
		var parameters, arguments, paged []string
		for _, f := range request.fields {
			parameter := f.name + ": " + pythonArgument(f.of)
			if !f.required {
				parameter += " = UNSET"
			}
			parameters = append(parameters, parameter)
			arguments = append(arguments, f.name+"="+f.name)
			if f.name != "page" {
				paged = append(paged, parameter)
			}
		}
		key := ""
		all := append([]string{"self"}, parameters...)
		if c.writes {
			all, key = append(all, "idempotency_key: Optional[str] = None"), ", idempotency_key"
		}
		all = append(slices.Insert(all, 1, "*"), "sandbox_answer: Optional[str] = None")
		p("\n    %s %s(%s) -> Answer[t.%s]:", def, snake(c.name), strings.Join(all, ", "), c.data)
		p("        %s", docstring(c.summary))
		p("        return %sself.call(%q, fields(%s)%s, sandbox_answer=sandbox_answer)", await, c.name, strings.Join(arguments, ", "), key)
		if c.items == "" {
			continue
		}
		p("\n    def %s_all(%s) -> %s[%s]:", snake(c.name), strings.Join(append([]string{"self", "*"}, append(paged, "page_size: Optional[int] = None", "after: Optional[str] = None", "sandbox_answer: Optional[str] = None")...), ", "), iterator, pythonQualified(c.item))
		p("        %s", docstring("Go through all pages of "+c.name+", or those that follow an earlier answer's next."))
		arguments = slices.DeleteFunc(arguments, func(a string) bool { return a == "page=page" })
		p("        return self.pages(%q, %q, fields(%s), page_size, after, sandbox_answer)", c.name, c.items, strings.Join(arguments, ", "))
	}
	return []byte(w.String())
}

func docstring(doc string) string {
	return `"""` + strings.ReplaceAll(strings.Join(strings.Fields(strings.ReplaceAll(doc, `\`, `\\`)), " "), `"""`, `'''`) + `"""`
}

func pythonType(t typ, requested bool) string {
	base := "Any"
	switch t.kind {
	case text:
		base = "str"
		if len(t.values) > 0 && requested {
			base = "Literal[" + quoted(t.values) + "]"
		}
	case integer:
		base = "int"
	case number:
		base = "Number"
		if !requested {
			base = "Union[Decimal, int]"
		}
	case boolean:
		base = "bool"
	case list:
		base = "List[" + pythonType(*t.element, requested) + "]"
	case dictionary:
		base = "Dict[str, " + pythonType(*t.element, requested) + "]"
	case reference:
		base = t.object
	case union:
		var either []string
		for _, one := range t.either {
			either = append(either, pythonType(one, requested))
		}
		base = "Union[" + strings.Join(either, ", ") + "]"
	}
	if t.nullable && base != "Any" {
		base = "Optional[" + base + "]"
	}
	return base
}

// pythonArgument is a type as the module of methods writes it.
func pythonArgument(t typ) string { return qualify(t, true) }

func pythonQualified(t typ) string { return qualify(t, false) }

func qualify(t typ, requested bool) string {
	switch t.kind {
	case reference:
		base := "t." + t.object
		if t.nullable {
			base = "Optional[" + base + "]"
		}
		return base
	case number:
		return "t.Number"
	case list:
		return "List[" + qualify(*t.element, requested) + "]"
	case dictionary, union, anything:
		return "Any"
	}
	return pythonType(t, requested)
}
