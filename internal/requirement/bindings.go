package requirement

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// bindings are the values that conditions see: the facts on file, the lists of
// the rule set, and, while a Person rule is evaluated, the person at hand.
// They are not changed once made.
type bindings struct {
	facts   *Facts
	persons []PersonFacts // by id
	lists   map[string][]string
	values  map[string]ref.Val
	person  *PersonFacts
	spent   *uint64 // what evaluations over these values have cost so far
	// explained is how many steps the reasons took.
	explained *uint64
}

// bind sorts persons and codes, so that nothing depends on the order in which
// they came.
func bind(facts Facts, lists map[string]ref.Val, texts map[string][]string) *bindings {
	f := &facts
	f.sortLists()
	b := &bindings{facts: f, persons: sortedPersons(f.Persons), lists: texts, spent: new(uint64), explained: new(uint64), values: make(map[string]ref.Val, len(factTable)+1+len(lists))}
	for name, list := range lists {
		b.values[name] = list
	}
	for _, row := range factTable {
		if value := row.value(f); value != nil {
			b.values[row.name] = celValue(value)
		}
	}
	persons := make([]ref.Val, len(b.persons))
	for i := range b.persons {
		persons[i] = personValue{&b.persons[i]}
	}
	b.values[namePersons] = types.NewRefValList(types.DefaultTypeAdapter, persons)
	return b
}

// attested reports whether nobody is on record because the business has stated to
// have no persons.
func (b *bindings) attested() bool { return len(b.persons) == 0 && b.facts.NoPersonsAttested }

func (b *bindings) withPerson(p *PersonFacts) *bindings {
	with := *b
	with.person = p
	return &with
}

// ResolveName is CEL's way to look a name up.
func (b *bindings) ResolveName(name string) (any, bool) {
	if name == namePerson && b.person != nil {
		return personValue{b.person}, true
	}
	value, ok := b.values[name]
	return value, ok
}

// Parent is CEL's way to look further; there is nothing further.
func (b *bindings) Parent() cel.Activation { return nil }

func celValue(value any) ref.Val {
	switch v := value.(type) {
	case Number:
		return numberValue{v}
	case string:
		return types.String(v)
	case Date:
		return types.Timestamp{Time: v.UTC()}
	case []string:
		return textList(v)
	}
	return types.NewErr("no value of a fact is a %T", value)
}

// textList is a list of texts that need not be converted when they are looked at.
func textList(texts []string) ref.Val {
	values := make([]ref.Val, len(texts))
	for i, text := range texts {
		values[i] = types.String(text)
	}
	return types.NewRefValList(types.DefaultTypeAdapter, values)
}

// personValue is a person as CEL holds it. Conditions only select its fields.
type personValue struct{ person *PersonFacts }

func (v personValue) ConvertToNative(target reflect.Type) (any, error) {
	return nil, fmt.Errorf("a person cannot become a %s", target)
}

func (v personValue) ConvertToType(ref.Type) ref.Val {
	return types.NewErr("a person cannot become another type")
}

func (v personValue) Equal(other ref.Val) ref.Val {
	same, ok := other.(personValue)
	return types.Bool(ok && same.person.PersonID == v.person.PersonID)
}

func (v personValue) Type() ref.Type { return personType() }

func (v personValue) Value() any { return v.person }
