package clientmodel

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Enum is a list of the values that a text can have.
type Enum struct {
	Name   string
	Values []string
}

// enums lists the values that texts can have, beyond those that the model has lists of. The description names some
// enums. The others have the shortest name of an object and its field. A part of another list gets none.
func (r *reader) enums(m *Model) []Enum {
	named := map[string][]string{}
	add := func(name string, values []string) {
		if len(values) > 1 {
			named[name] = values
		}
	}
	for name, s := range r.Components.Schemas {
		if !strings.HasPrefix(name, "RuleSet") && !strings.HasPrefix(name, "PublishedRuleSet") {
			add(name, words(s.Enum))
		}
	}
	for name, p := range r.Components.Parameters {
		if p.Schema != nil {
			add(name, words(p.Schema.Enum))
		}
	}
	var inline []Enum
	for _, o := range m.Objects {
		short := o.Name
		for _, ending := range []string{"Data", "Request", "Content"} {
			short = strings.TrimSuffix(short, ending)
		}
		for _, f := range o.Fields {
			of, field := f.Of, f.Name
			if of.Kind == List {
				of, field = *of.Element, strings.TrimSuffix(field, "s")
			}
			if len(of.Values) > 1 {
				inline = append(inline, Enum{short + pascal(field), of.Values})
			}
		}
	}
	slices.SortStableFunc(inline, func(a, b Enum) int { // the longest lists first, each by its shortest name
		return cmp.Or(cmp.Compare(len(b.Values), len(a.Values)), cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	known := append(slices.Collect(maps.Values(named)), m.EventTypes, m.Codes, m.SubCodes, m.Warnings)
	for _, e := range inline {
		isPart := func(of []string) bool {
			return !slices.ContainsFunc(e.Values, func(v string) bool { return !slices.Contains(of, v) })
		}
		if !slices.ContainsFunc(known, isPart) {
			named[e.Name] = e.Values
			known = append(known, e.Values)
		}
	}
	for _, name := range []string{"EventType", "WarningCode", "RefusalSubCode"} { // which have lists of their own
		delete(named, name)
	}
	var all []Enum
	for _, name := range slices.Sorted(maps.Keys(named)) {
		all = append(all, Enum{name, named[name]})
	}
	return all
}
