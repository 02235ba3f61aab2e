package server

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/domain"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
)

// CustomField are the values of declared facts of a record in a request.
type CustomField struct {
	Custom wire.Optional[map[string]customValue] `json:"custom,omitempty" doc:"Values of facts that the account declares itself, by name; see account.fact.list. Only the names that are sent change; null removes a value."`
}

// change returns the changes that the request makes.
func (f CustomField) change() domain.CustomChange {
	return domain.CustomChange{Clear: f.Custom.Sent && f.Custom.Value == nil, Values: f.values()}
}

// values returns the values in the request, including null values.
func (f CustomField) values() domain.Custom {
	if f.Custom.Value == nil {
		return nil
	}
	values := domain.Custom{}
	for name, v := range *f.Custom.Value {
		values[name] = fact.CanonicalJSON(v.Value)
	}
	return values
}

// customValue is a value of a declared fact in a request. Its zero value is null.
type customValue struct{ fact.Value }

func (customValue) Schema(huma.Registry) *huma.Schema {
	s := wire.FactValue()
	s.AnyOf = append(s.AnyOf, &huma.Schema{Type: "null"})
	return s
}

// UnmarshalJSON refuses JSON that cannot be the value of any declared fact.
func (v *customValue) UnmarshalJSON(text []byte) error {
	if v.Value.UnmarshalJSON(text) != nil {
		return wire.ValueError(refusal.NotOfType("boolean, number, string, array",
			"This must be true, false, a number, a text, a list of texts, or null."))
	}
	return nil
}

type factData struct {
	Name       string            `json:"name"`
	EntityType string            `json:"entity_type" doc:"Whose custom has the value."`
	Type       fact.DeclaredType `json:"type"`
	Choices    []string          `json:"choices,omitempty" nullable:"false" doc:"All values that are accepted, of a TEXT, or of each element of a TEXT_LIST. Absent where any text is."`
	Label      string            `json:"label"`
	Ask        string            `json:"ask" doc:"What to ask for."`
	Default    *factDefault      `json:"default,omitempty" doc:"What the fact counts as while no value is on file. Without a default, its absence is a gap."`
	AskedWhen  string            `json:"asked_when,omitempty" doc:"The condition under which the absence of the fact is a gap all the same, in the language of rules. While it does not hold, nobody needs to ask for the fact."`
	UsedBy     []fact.Set        `json:"used_by" nullable:"false" doc:"What declares the fact, and is in force or comes into force. Empty for one that was dropped."`
	State      fact.FactState    `json:"state" doc:"COMING: a version that is published and not yet in force declares it. DROPPED: no version in force declares it; its values stay on file, and nothing asks for them."`
}

type factDefault struct{ fact.Value }

func (factDefault) Schema(huma.Registry) *huma.Schema { return wire.FactValue() }

type factListData struct {
	Facts []factData `json:"facts" nullable:"false" doc:"Those of workflows, of businesses and of persons, each by name."`
}

func factList(ctx context.Context, r *store.Records, in *AccountRequest) (factListData, error) {
	known, err := r.Facts.Declared(ctx, in.AccountID)
	data := factListData{Facts: []factData{}}
	for _, k := range known {
		d := k.Shown()
		shown := factData{
			Name: k.Name, EntityType: k.EntityType, Type: k.Type, Choices: d.Choices, Label: d.Label, Ask: d.Ask, AskedWhen: d.AskedWhen, UsedBy: k.UsedBy(), State: k.State(),
		}
		if d.Default != nil {
			shown.Default = &factDefault{*d.Default}
		}
		data.Facts = append(data.Facts, shown)
	}
	return data, err
}

// Dates before these are mistakes.
const (
	earliestBirth       = "1900-01-01"
	earliestEstablished = "1500-01-01"
)

// tooEarly is the problem of a date that cannot be right.
func tooEarly(field string, date wire.Optional[string], earliest string) []refusal.Field {
	if date.Value == nil || *date.Value >= earliest {
		return nil
	}
	return []refusal.Field{refusal.At(field, refusal.NotAllowed, "This date may not be before %s.", earliest)}
}

// defaultDates are dates that programs write when they do not know the date.
var defaultDates = []string{"1899-12-30", "1900-01-01", "1970-01-01"}

// looksLikeDefault warns of a date that is probably the default of a program.
func looksLikeDefault(field string, date wire.Optional[string]) []refusal.Warning {
	if date.Value == nil || !slices.Contains(defaultDates, *date.Value) {
		return nil
	}
	return []refusal.Warning{{
		Code: refusal.DateLooksLikeDefault,
		Message: fmt.Sprintf("%s is %s, which programs write for a date that they do not know: check it. Where it is not known, clear it with null.",
			field, *date.Value),
	}}
}

// invisible warns of a name with invisible characters: it looks like another name and differs from it.
// The warning does not repeat the value, which may be personal.
func invisible(field string, name *string) []refusal.Warning {
	hidden := func(r rune) bool {
		return unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune("\u00ad\u200b\u2060\ufeff", r)
	}
	if name == nil || !strings.ContainsFunc(*name, hidden) {
		return nil
	}
	return []refusal.Warning{{
		Code:    refusal.NameHasInvisibleCharacters,
		Message: field + " has characters that nobody sees, such as a soft hyphen or a mark that changes the direction of text: check it, and send it without them.",
	}}
}
