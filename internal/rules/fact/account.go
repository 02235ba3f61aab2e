package fact

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/requests/refusal"
	"requisite/internal/text/typo"
)

// This file has what an account has declared in all its rule sets and pricing models, and which
// values it accepts.

// MaxAccountFacts is how many names an account may ever declare.
const MaxAccountFacts = 500

// Set is what can declare facts.
type Set string

// The sets that declare facts.
const (
	SetRules   Set = "RULES"
	SetPricing Set = "PRICING"
)

// Sets lists both.
func Sets() []Set { return []Set{SetRules, SetPricing} }

// AccountFact is one name that an account has declared. Its entity type and its type never change.
type AccountFact struct {
	Name       string
	EntityType string
	Type       DeclaredType
	// DeclaredIn and DeclaredVersion name the version that declared the name first.
	DeclaredIn      Set
	DeclaredVersion int
	// Rules and Pricing are the last declarations. Each is nil if there never was one, or if only
	// the name was read.
	Rules, Pricing *Declaration
	// Live has the declarations of the versions that are in force or coming: those of rules, newest
	// first, and then that of the pricing model.
	Live []LiveDeclaration
}

// LiveDeclaration is the declaration of a version that is in force or coming.
type LiveDeclaration struct {
	Declaration
	Set    Set
	Coming bool
}

// FactState says whether the versions of an account declare a fact.
type FactState string

// The states of a declared fact.
const (
	FactComing  FactState = "COMING" // only by versions that are not in force yet
	FactInForce FactState = "IN_FORCE"
	FactDropped FactState = "DROPPED"
)

// FactStates lists all of them.
func FactStates() []FactState { return []FactState{FactComing, FactInForce, FactDropped} }

// AccountFacts has all names that an account has declared.
type AccountFacts []AccountFact

// Clash is a declaration that an account cannot make. Field is entity_type or type.
type Clash struct {
	Index          int
	Field, Message string
}

// Clashes finds the declarations whose entity type or type differs from an earlier declaration of
// the name.
func (known AccountFacts) Clashes(declared []Declaration) (clashes []Clash) {
	for i, d := range declared {
		k, ok := known.find(d.Name)
		if !ok {
			continue
		}
		since := fmt.Sprintf("since version %d of the account's %s. A name keeps both for ever: use another name.", k.DeclaredVersion, k.DeclaredIn.words())
		if d.EntityType != k.EntityType {
			clashes = append(clashes, Clash{i, "entity_type", fmt.Sprintf("%s is a fact of a %s, of the type %s, %s", d.Name, k.EntityType, k.Type, since)})
		}
		if d.Type != k.Type {
			clashes = append(clashes, Clash{i, "type", fmt.Sprintf("%s is of the type %s, a fact of a %s, %s", d.Name, k.Type, k.EntityType, since)})
		}
	}
	return clashes
}

// New counts the names that the account has not declared yet.
func (known AccountFacts) New(declared []Declaration) (n int) {
	for _, d := range declared {
		if _, ok := known.find(d.Name); !ok {
			n++
		}
	}
	return n
}

func (known AccountFacts) find(name string) (AccountFact, bool) {
	i := slices.IndexFunc(known, func(k AccountFact) bool { return k.Name == name })
	if i < 0 {
		return AccountFact{}, false
	}
	return known[i], true
}

func (s Set) words() string {
	if s == SetPricing {
		return "pricing model"
	}
	return "rules"
}

// Canonical converts the value of a name and an entity type to the form in which values are stored.
// Lists keep their order. It returns nil for no value or JSON null, which remove the value. It also
// says why a value cannot be stored.
func (known AccountFacts) Canonical(entityType, name string, text json.RawMessage) (_ json.RawMessage, why refusal.Problem) {
	k, ok := known.find(name)
	switch {
	case !ok:
		near, hint := known.meant(entityType, name)
		return nil, refusal.UnknownName(near, "No rules and no pricing model of this account have declared this fact%s", hint)
	case k.EntityType != entityType:
		return nil, refusal.UnknownName("", "This is a fact of a %s: state it as %s.custom.%s.", k.EntityType, strings.ToLower(k.EntityType), name)
	case len(text) == 0 || string(text) == "null":
		return nil, refusal.Problem{}
	}
	v, err := ParseValue(text)
	if err != nil {
		why = k.deciding()[0].notOfType()
		why.Message = sentence(err.Error())
		return nil, why
	}
	for _, d := range k.deciding() {
		said := d.answer(v)
		if said.None() {
			return CanonicalJSON(v), refusal.Problem{}
		}
		if why.None() {
			why = said
		}
	}
	return nil, why
}

// meant suggests the declared name that was probably meant, if any is near. hint ends the sentence about a name that is not declared.
func (known AccountFacts) meant(entityType, name string) (near, hint string) {
	var names []string
	for _, k := range known {
		if k.EntityType == entityType {
			names = append(names, k.Name)
		}
	}
	if near, ok := typo.Nearest(name, names, min(1+len(name)/4, 12)); ok {
		return near, ": did you mean " + near + "?"
	}
	if len(names) == 0 {
		return "", fmt.Sprintf(": they declare none of a %s.", entityType)
	}
	return "", ": account.fact.list answers those that they declare."
}

// deciding returns the declarations of which at least one must accept a value: the live ones, or
// else the last one, of the rules before that of the pricing model.
func (k AccountFact) deciding() (list []Declaration) {
	for _, d := range k.Live {
		list = append(list, d.Declaration)
	}
	if list != nil {
		return list
	}
	if k.Rules != nil {
		return []Declaration{*k.Rules}
	}
	return []Declaration{*k.Pricing}
}

// Shown is the declaration that callers see: the live one of the newest rules, that of the pricing
// model, or else the last one.
func (k AccountFact) Shown() Declaration { return k.deciding()[0] }

// UsedBy returns the sets with a live declaration of the fact. It is empty if the fact was dropped.
func (k AccountFact) UsedBy() []Set {
	sets := []Set{}
	for _, d := range k.Live {
		if !slices.Contains(sets, d.Set) {
			sets = append(sets, d.Set)
		}
	}
	return sets
}

// State returns whether the fact is declared.
func (k AccountFact) State() FactState {
	switch {
	case len(k.Live) == 0:
		return FactDropped
	case slices.ContainsFunc(k.Live, func(d LiveDeclaration) bool { return !d.Coming }):
		return FactInForce
	}
	return FactComing
}

// Sort sorts the facts in the order of gaps: those of workflows, of businesses and of persons, each
// by name.
func (known AccountFacts) Sort() {
	slices.SortFunc(known, func(a, b AccountFact) int {
		return cmp.Or(cmp.Compare(slices.Index(EntityTypes(), a.EntityType), slices.Index(EntityTypes(), b.EntityType)), cmp.Compare(a.Name, b.Name))
	})
}

// sentence turns a text about a value into a sentence.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	if strings.HasPrefix(text, "is ") {
		text = "this " + text
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// ParseValues reads values in their JSON form.
func ParseValues(custom map[string]json.RawMessage) (Values, error) {
	if len(custom) == 0 {
		return nil, nil
	}
	values := make(Values, len(custom))
	for name, text := range custom {
		v, err := ParseValue(text)
		if err != nil {
			return nil, fmt.Errorf("the value of %s: %w", name, err)
		}
		values[name] = v
	}
	return values, nil
}
