package server

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"requisite/internal/domain"
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
		return wire.ValueError("This must be true, false, a number, a text, a list of texts, or null.")
	}
	return nil
}

type factListRequest struct {
	AccountRequest
	IncludeBuiltIn bool `json:"include_built_in,omitempty" doc:"Also list the facts of the service that a form can ask for."`
}

// factData is a declared fact, or a built-in one. A built-in fact has a field in place of a name, and
// no versions that declare it.
type factData struct {
	Name       string            `json:"name,omitempty" doc:"The name in custom. Absent for a built-in fact."`
	Field      string            `json:"field,omitempty" doc:"Of a built-in fact: the field of the request that supplies it. What follows a point is a name within it: address.country is country of address."`
	EntityType string            `json:"entity_type" doc:"The record that has the fact; the value of a declared one is in its custom."`
	Type       fact.DeclaredType `json:"type"`
	Choices    []string          `json:"choices,omitempty" nullable:"false" doc:"All values that are accepted, of a TEXT, or of each element of a TEXT_LIST. Absent where any text is."`
	Label      string            `json:"label"`
	Ask        string            `json:"ask" doc:"What to ask for."`

	SalesAmountType  string   `json:"sales_amount_type,omitempty" doc:"Of the field sales_amount: the type of the amount."`
	RelatedEndpoints []string `json:"related_endpoints,omitempty" nullable:"false" doc:"Of a built-in fact: the operation that supplies it. business.create and person.create take the same fields."`

	Default   *factDefault   `json:"default,omitempty" doc:"What the fact counts as while no value is on file. Without a default, its absence is a gap."`
	AskedWhen string         `json:"asked_when,omitempty" doc:"The condition under which the absence of the fact is a gap all the same, in the language of rules. While it does not hold, nobody needs to ask for the fact."`
	UsedBy    []fact.Set     `json:"used_by,omitzero" nullable:"false" doc:"What declares the fact, and is in force or comes into force. Empty for one that was dropped, absent for a built-in one."`
	State     fact.FactState `json:"state,omitempty" doc:"Absent for a built-in fact. COMING: a version that is published and not yet in force declares it. DROPPED: no version in force declares it; its values stay on file, and nothing asks for them."`
}

type factDefault struct{ fact.Value }

func (factDefault) Schema(huma.Registry) *huma.Schema { return wire.FactValue() }

type factListData struct {
	Facts []factData `json:"facts" nullable:"false" doc:"The declared facts of workflows, of businesses and of persons, each by name; then the built-in ones, in the order of gaps."`
}

func factList(ctx context.Context, r *store.Records, in *factListRequest) (factListData, error) {
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
	if !in.IncludeBuiltIn {
		return data, err
	}
	for _, f := range fact.FormFields() {
		data.Facts = append(data.Facts, factData{
			Field: f.Field, EntityType: f.EntityType, Type: f.ValueType, Label: f.Label, Ask: f.Ask, SalesAmountType: f.Type, RelatedEndpoints: []string{f.Operation},
		})
	}
	return data, err
}
