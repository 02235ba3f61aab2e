// Package changes finds what a new rule set changes: in the rules, and for the stored workflows.
package changes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Differences: the rules, definitions, lists and examples that were added, removed or changed.

// Diff is the difference between two rule sets. It is empty exactly when both have the same
// canonical form. Then publishing one over the other would make no new version.
type Diff struct {
	// Facts are the declared facts that were added, removed or changed, by name.
	Facts []FactChange
	// Added and Removed have the rules of documents, followed by those of findings.
	Added   []requirement.Rule
	Removed []requirement.Rule
	// Changed are rules with another meaning, even if only a definition that they use has changed.
	Changed     []RuleChange
	Definitions []DefinitionChange
	Lists       []ListChange
	// Examples are the examples that were added, removed or changed, by name.
	Examples []ExampleChange
	// Reordered reports that the remaining facts, rules or examples have another order. The order
	// changes no result.
	Reordered bool
}

// RuleChange is a rule in both sets, with the fields that differ.
type RuleChange struct {
	requirement.RuleKey
	Fields []FieldChange
}

// FactChange is a declared fact that was added, removed or changed.
type FactChange struct {
	Name      string
	New, Gone bool
	Fields    []FieldChange // if the fact was changed
}

// FieldChange is one field of a rule or a fact. An empty condition means that the document is
// always required. definitions.NAME is a definition that the rule uses in both sets, directly or
// through others.
type FieldChange struct{ Field, Old, New string }

// DefinitionChange is a definition that differs. Old is empty if it was added, and New if it was
// removed.
type DefinitionChange struct{ Name, Old, New string }

// ListChange is a list that differs. If neither the list nor any entry was added or removed, the
// entries have another order or are repeated.
type ListChange struct {
	Name           string
	Added, Removed []string
	New, Gone      bool // the list as a whole was added or removed
}

// ExampleChange is an example that was added, removed or changed.
type ExampleChange struct {
	Name      string
	New, Gone bool
}

// Empty reports whether nothing differs.
func (d Diff) Empty() bool {
	return len(d.Facts)+len(d.Added)+len(d.Removed)+len(d.Changed)+len(d.Definitions)+len(d.Lists)+len(d.Examples) == 0 && !d.Reordered
}

// Compare finds the changes from before to after. It identifies documents and findings by code and
// entity type, and examples by name.
func Compare(before, after requirement.RuleSet) Diff {
	var d Diff
	d.facts(before.Facts, after.Facts)
	d.definitions(before.Definitions, after.Definitions)
	d.rules(before, after)
	d.lists(before.Lists, after.Lists)
	d.examples(before.Examples, after.Examples)
	return d
}

// Reading returns the rules of after that depend on a changed list or a changed declared fact, in
// their condition or in a definition that they use.
func (d Diff) Reading(after requirement.RuleSet) (rules []requirement.Rule) {
	var names []string
	for _, l := range d.Lists {
		if len(l.Added)+len(l.Removed) > 0 {
			names = append(names, `lists\s*\.\s*`+l.Name)
		}
	}
	for _, f := range d.Facts {
		names = append(names, `custom\s*\.\s*`+f.Name)
	}
	if len(names) == 0 {
		return nil
	}
	reads := regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)\b`) // names consist of letters, digits and _
	for _, rule := range after.Rules() {
		texts := []string{rule.When}
		for _, name := range after.DefinitionsUsed(rule.When) {
			texts = append(texts, after.Definitions[name])
		}
		if reads.MatchString(strings.Join(texts, "\n")) {
			rules = append(rules, rule)
		}
	}
	return rules
}

func (d *Diff) facts(before, after []fact.Declaration) {
	name := func(of fact.Declaration) string { return of.Name }
	was, is := keyed(before, name), keyed(after, name)
	for _, key := range is.order {
		of := is.of[key]
		old, known := was.of[key]
		if !known {
			d.Facts = append(d.Facts, FactChange{Name: of.Name, New: true})
			continue
		}
		if fields := changedFactFields(old, of); len(fields) > 0 {
			d.Facts = append(d.Facts, FactChange{Name: of.Name, Fields: fields})
		}
	}
	for _, key := range was.order {
		if _, stays := is.of[key]; !stays {
			d.Facts = append(d.Facts, FactChange{Name: was.of[key].Name, Gone: true})
		}
	}
	d.Reordered = d.Reordered || reordered(was, is)
}

func changedFactFields(old, of fact.Declaration) (fields []FieldChange) {
	asJSON := func(v any) string { return string(fact.CanonicalJSON(v)) }
	for _, f := range []FieldChange{
		{"entity_type", old.EntityType, of.EntityType},
		{"type", string(old.Type), string(of.Type)},
		{"choices", asJSON(old.Choices), asJSON(of.Choices)},
		{"label", old.Label, of.Label},
		{"ask", old.Ask, of.Ask},
		{"default", asJSON(old.Default), asJSON(of.Default)},
		{"asked_when", old.AskedWhen, of.AskedWhen},
	} {
		if f.Old != f.New {
			fields = append(fields, f)
		}
	}
	return fields
}

func (d *Diff) definitions(before, after map[string]string) {
	both := maps.Clone(after)
	if both == nil {
		both = map[string]string{}
	}
	maps.Copy(both, before)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		old, was := before[name]
		is, stays := after[name]
		if old != is || was != stays {
			d.Definitions = append(d.Definitions, DefinitionChange{name, old, is})
		}
	}
}

// ofDefinitions adds the changes of a rule that come from definitions that it uses in both sets.
func (d *Diff) ofDefinitions(old, rule requirement.Rule, before, after requirement.RuleSet) (fields []FieldChange) {
	if len(d.Definitions) == 0 {
		return nil
	}
	was, is := before.DefinitionsUsed(old.When), after.DefinitionsUsed(rule.When)
	for _, c := range d.Definitions {
		if slices.Contains(was, c.Name) && slices.Contains(is, c.Name) {
			fields = append(fields, FieldChange{"definitions." + c.Name, c.Old, c.New})
		}
	}
	return fields
}

func (d *Diff) rules(of, to requirement.RuleSet) {
	key := func(rule requirement.Rule) string { return fmt.Sprint(rule.RuleKey) }
	was, is := keyed(of.Rules(), key), keyed(to.Rules(), key)
	for _, key := range is.order {
		rule := is.of[key]
		old, known := was.of[key]
		if !known {
			d.Added = append(d.Added, rule)
			continue
		}
		if fields := append(changedFields(old, rule), d.ofDefinitions(old, rule, of, to)...); len(fields) > 0 {
			d.Changed = append(d.Changed, RuleChange{rule.RuleKey, fields})
		}
	}
	for _, key := range was.order {
		if _, stays := is.of[key]; !stays {
			d.Removed = append(d.Removed, was.of[key])
		}
	}
	d.Reordered = d.Reordered || reordered(was, is)
}

// changedFields returns the fields of a rule that differ. The terms of documents are YAML. Of a list, such
// as any_of, it returns the elements that differ, each on a line, or all if only their order does.
func changedFields(old, rule requirement.Rule) []FieldChange {
	before, after := writtenFields(old), writtenFields(rule)
	names := []string{"kind", "name", "category", "requirement_text", "message", "when"}
	both := maps.Clone(before)
	maps.Copy(both, after)
	for _, name := range slices.Sorted(maps.Keys(both)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var fields []FieldChange
	for _, name := range names {
		if slices.Equal(before[name], after[name]) {
			continue
		}
		was, is := without(before[name], after[name]), without(after[name], before[name])
		if len(was)+len(is) == 0 {
			was, is = before[name], after[name]
		}
		fields = append(fields, FieldChange{name, strings.Join(was, "\n"), strings.Join(is, "\n")})
	}
	return fields
}

// writtenFields returns the fields of a rule by name: the elements of a list, and otherwise one text.
// Texts stay as they are; all else is YAML.
func writtenFields(rule requirement.Rule) map[string][]string {
	var fields map[string]json.RawMessage
	as := any(rule.Document)
	if rule.Finding != nil {
		as = rule.Finding
	}
	if err := json.Unmarshal(fact.CanonicalJSON(as), &fields); err != nil {
		panic(fmt.Sprintf("changes: a rule that JSON cannot express: %v", err))
	}
	written := make(map[string][]string, len(fields))
	for name, value := range fields {
		elements := []json.RawMessage{value}
		if value[0] == '[' {
			if err := json.Unmarshal(value, &elements); err != nil {
				panic(fmt.Sprintf("changes: a list that is none: %v", err))
			}
		}
		for _, element := range elements {
			var text string
			if json.Unmarshal(element, &text) != nil {
				text = requirement.FlowYAML(element)
			}
			written[name] = append(written[name], text)
		}
	}
	return written
}

func (d *Diff) lists(before, after map[string][]string) {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, known := before[name]
		if known && slices.Equal(old, after[name]) {
			continue
		}
		d.Lists = append(d.Lists, ListChange{Name: name, Added: without(after[name], old), Removed: without(old, after[name]), New: !known})
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, stays := after[name]; !stays {
			d.Lists = append(d.Lists, ListChange{Name: name, Removed: before[name], Gone: true})
		}
	}
	slices.SortFunc(d.Lists, func(a, b ListChange) int { return strings.Compare(a.Name, b.Name) })
}

func (d *Diff) examples(before, after []requirement.Example) {
	name := func(e requirement.Example) string { return e.Name }
	was, is := keyed(before, name), keyed(after, name)
	for _, key := range is.order {
		old, known := was.of[key]
		if !known || !sameExample(old, is.of[key]) {
			d.Examples = append(d.Examples, ExampleChange{Name: is.of[key].Name, New: !known})
		}
	}
	for _, key := range was.order {
		if _, stays := is.of[key]; !stays {
			d.Examples = append(d.Examples, ExampleChange{Name: was.of[key].Name, Gone: true})
		}
	}
	d.Reordered = d.Reordered || reordered(was, is)
}

// sameExample compares examples in their stored form.
func sameExample(a, b requirement.Example) bool {
	set := func(e requirement.Example) []byte {
		return requirement.RuleSet{Examples: []requirement.Example{e}}.CanonicalJSON()
	}
	return bytes.Equal(set(a), set(b))
}

// without returns the entries of a that b has less often.
func without(a, b []string) []string {
	held := map[string]int{}
	for _, entry := range b {
		held[entry]++
	}
	var left []string
	for _, entry := range a {
		if held[entry]--; held[entry] < 0 {
			left = append(left, entry)
		}
	}
	return left
}

// keys has things by their keys, and the order of the keys.
type keys[T any] struct {
	order []string
	of    map[string]T
}

// keyed numbers things with the same key, so that each gets a key of its own.
func keyed[T any](things []T, key func(T) string) keys[T] {
	found := keys[T]{of: make(map[string]T, len(things))}
	times := map[string]int{}
	for _, thing := range things {
		name := key(thing)
		times[name]++
		unique := fmt.Sprintf("%s\x00%d", name, times[name])
		found.order = append(found.order, unique)
		found.of[unique] = thing
	}
	return found
}

// reordered reports whether the things that both have come in another order.
func reordered[T any](a, b keys[T]) bool {
	staying := func(of, in keys[T]) []string {
		return slices.DeleteFunc(slices.Clone(of.order), func(key string) bool {
			_, ok := in.of[key]
			return !ok
		})
	}
	return !slices.Equal(staying(a, b), staying(b, a))
}
