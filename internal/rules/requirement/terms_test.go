package requirement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

var today = rulestest.Date("2026-03-15")

func text(d fact.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

func TestText_IsComparedByWhatItDemands(t *testing.T) {
	base := DocumentText{Name: "n", RequirementText: "r", AnyOf: []DocumentOption{{OptionPart: OptionPart{DocumentTypeCode: "A", Name: "a"}}, {OptionPart: OptionPart{DocumentTypeCode: "B", Name: "b", MustBeValid: new(true)}}}, NotOlderThan: rulestest.Period("1 year"), MustBeValid: true}
	change := func(edit func(*DocumentText)) DocumentText {
		changed := base
		changed.AnyOf = slices.Clone(base.AnyOf)
		edit(&changed)
		return changed
	}
	require.True(t, base.Same(change(func(x *DocumentText) { slices.Reverse(x.AnyOf); x.NotOlderThan = rulestest.Period("12 months") })))
	for i, edit := range []func(*DocumentText){
		func(x *DocumentText) { x.Name = "other" }, func(x *DocumentText) { x.RequirementText = "other" }, func(x *DocumentText) { x.MustBeValid = false },
		func(x *DocumentText) { x.NotOlderThan = nil }, func(x *DocumentText) { x.NotOlderThan = rulestest.Period("365 days") }, func(x *DocumentText) { x.AnyOf = x.AnyOf[:1] },
		func(x *DocumentText) { x.AnyOf[0].Name = "other" }, func(x *DocumentText) { x.AnyOf[0].RequirementText = "other" }, func(x *DocumentText) { x.AnyOf[1].MustBeValid = nil },
		func(x *DocumentText) { x.AnyOf[0].NotOlderThan = rulestest.Period("1 day") }, func(x *DocumentText) { x.AnyOf[0].DocumentTypeCode = "C" },
	} {
		require.False(t, base.Same(change(edit)), i)
		require.False(t, change(edit).Same(base), i)
	}
}

func TestTerms_DueOn(t *testing.T) {
	sale, err := fact.ParseValue([]byte(`"2026-01-31"`))
	require.NoError(t, err)
	facts := fact.Facts{EstablishedDate: rulestest.Day("2024-02-29"), Custom: fact.Values{"first_sale_date": sale}}
	for _, c := range []struct {
		terms Terms
		want  string
	}{
		{Terms{}, ""},
		{Terms{DueWithin: rulestest.Period("30 days")}, "2026-04-14"},
		{Terms{DueWithin: rulestest.Period("1 year"), DueFrom: "established_date"}, "2025-03-01"},
		{Terms{DueWithin: rulestest.Period("1 month"), DueFrom: "custom.first_sale_date"}, "2026-03-01"},
		{Terms{DueWithin: rulestest.Period("1 month"), DueFrom: "custom.other"}, ""},
	} {
		require.Equal(t, c.want, text(c.terms.DueDate(facts, today)))
	}
	require.Equal(t, "", text(Terms{DueWithin: rulestest.Period("1 month"), DueFrom: "established_date"}.DueDate(fact.Facts{}, today)))
}

func TestRule_TermsAreChecked(t *testing.T) {
	option := func(code string) DocumentOption {
		return DocumentOption{OptionPart: OptionPart{DocumentTypeCode: code, Name: "n"}}
	}
	declared := []fact.Declaration{
		{Name: "sale", EntityType: fact.EntityWorkflow, Type: fact.DeclaredDate}, {Name: "form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText},
		{Name: "born", EntityType: fact.EntityPerson, Type: fact.DeclaredDate},
	}
	var many []DocumentOption
	for i := range MaxOptions + 1 {
		many = append(many, option(fmt.Sprint("O", i)))
	}
	for _, c := range []struct {
		terms Terms
		want  string
	}{
		{Terms{AnyOf: many[:2]}, ""},
		{Terms{AnyOf: many[:20], RemindBefore: rulestest.Period("1 month"), RenewAfter: rulestest.Period("1 year"), Hold: HoldWhenOpen, Explanation: strings.Repeat("é", 500)}, ""},
		{Terms{AnyOf: []DocumentOption{{OptionPart: OptionPart{DocumentTypeCode: "A", Name: "n", MustBeValid: new(true)}}, option("B")}, RemindBefore: rulestest.Period("1 day")}, ""},
		{Terms{DueWithin: rulestest.Period("1 day"), DueFrom: "custom.sale", Hold: HoldWhenOverdue}, ""},
		{Terms{AnyOf: many[:1]}, "d.any_of holds 1 options; write 2 to 20, or leave any_of out"},
		{Terms{AnyOf: many}, "d.any_of holds 21 options; write 2 to 20, or leave any_of out"},
		{Terms{AnyOf: []DocumentOption{}}, "d.any_of holds 0 options; write 2 to 20, or leave any_of out"},
		{Terms{AnyOf: []DocumentOption{option("A"), option("A")}}, "d.any_of[1].document_type_code A is already any_of[0]: write each option once, or give each of the two a when"},
		{Terms{AnyOf: []DocumentOption{option("A"), option("a b")}}, "d.any_of[1].document_type_code must be 1 to 64 of the characters A-Z, 0-9 and _: write A_B"},
		{Terms{AnyOf: []DocumentOption{option("A"), {OptionPart: OptionPart{DocumentTypeCode: "B"}}}}, "d.any_of[1].name is missing"},
		{Terms{RemindBefore: rulestest.Period("1 day")}, "d.remind_before reminds of nothing, because an approval stays valid: add renew_after or must_be_valid, or leave remind_before out"},
		{Terms{DueFrom: "established_date"}, "d.due_from says from when to count and not how long: add due_within"},
		{Terms{DueFrom: "custom.sales", DueWithin: rulestest.Period("1 day")}, "d.due_from custom.sales is no date of the Business or the Workflow; did you mean custom.sale?; those are established_date, custom.sale"},
		{Terms{DueFrom: "custom.form", DueWithin: rulestest.Period("1 day")}, "d.due_from custom.form is of the type TEXT: name a DATE"},
		{Terms{DueFrom: "custom.born", DueWithin: rulestest.Period("1 day")}, "d.due_from custom.born is a fact of persons: name a date of the Business or the Workflow"},
		{Terms{Hold: HoldWhenOverdue}, "d.hold a document without due_within is never overdue: add due_within, or write WHEN_OPEN"},
		{Terms{Hold: "OPEN"}, `d.hold "OPEN" is not WHEN_OPEN or WHEN_OVERDUE`},
		{Terms{Explanation: strings.Repeat("é", 501)}, "d.explanation is longer than 500 characters"},
	} {
		var found []string
		for _, problem := range c.terms.validate("d", fact.EntityBusiness, declared) {
			found = append(found, problem.Path+" "+problem.Message)
		}
		require.Equal(t, c.want, strings.Join(found, "\n"))
	}
}

// The canonical form of a set without terms has none of their names.
func TestRuleSet_CanonicalFormOfTerms(t *testing.T) {
	plain := RuleSet{Documents: []DocumentRule{{DocumentTypeCode: "A", Name: "n", Category: "c", RequirementText: "r", EntityType: fact.EntityBusiness}}}
	require.JSONEq(t, `{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business"}]}`, string(plain.CanonicalJSON()))
	const written = `{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business","not_older_than":"1 months",
		"any_of":[{"document_type_code":"B","name":"b","must_be_valid":false},{"document_type_code":"C","name":"c","not_older_than":"3 month"}],"legal_basis":"l"}]}`
	rs, problems := ParseRuleSetJSON([]byte(written))
	require.Empty(t, problems)
	require.JSONEq(t, strings.NewReplacer("1 months", "1 month", "3 month", "3 months").Replace(written), string(rs.CanonicalJSON()))
	again, problems := ParseStoredRuleSet(rs.CanonicalJSON())
	require.Empty(t, problems)
	require.Equal(t, rs, again)
}
