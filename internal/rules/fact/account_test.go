package fact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
)

// last is the last declaration of a set.
type last struct {
	fact.Declaration
	inForce bool
}

func declared(d fact.Declaration, rules, pricing *last) fact.AccountFact {
	known := fact.AccountFact{Name: d.Name, EntityType: d.EntityType, Type: d.Type, DeclaredIn: fact.SetRules, DeclaredVersion: 3}
	for _, of := range []struct {
		last *last
		set  fact.Set
		to   **fact.Declaration
	}{{rules, fact.SetRules, &known.Rules}, {pricing, fact.SetPricing, &known.Pricing}} {
		if of.last == nil {
			continue
		}
		*of.to = &of.last.Declaration
		if of.last.inForce {
			known.Live = append(known.Live, fact.LiveDeclaration{Declaration: of.last.Declaration, Set: of.set})
		}
	}
	return known
}

func TestAccountFacts_AcceptWhatASetInForceAccepts(t *testing.T) {
	form := fact.Declaration{Name: "legal_form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText}
	with := func(inForce bool, choices ...string) *last {
		d := form
		d.Choices = choices
		return &last{d, inForce}
	}
	for _, c := range []struct {
		name              string
		rules, pricing    *last
		accepted, refused string
		used              []fact.Set
	}{
		{"the rules in force", with(true, "A"), nil, "A", "BC", []fact.Set{fact.SetRules}},
		{"either in force", with(true, "A"), with(true, "B"), "AB", "C", []fact.Set{fact.SetRules, fact.SetPricing}},
		{"the one in force, not the newer one that was dropped", with(true, "A"), with(false, "B"), "A", "BC", []fact.Set{fact.SetRules}},
		{"rules before prices where none is in force", with(false, "A"), with(false, "B"), "A", "BC", []fact.Set{}},
		{"prices alone", nil, with(false, "B"), "B", "AC", []fact.Set{}},
	} {
		known := fact.AccountFacts{declared(form, c.rules, c.pricing)}
		for _, v := range strings.Split(c.accepted, "") {
			text, why := known.Canonical(fact.EntityBusiness, "legal_form", json.RawMessage(`"`+v+`"`))
			require.Empty(t, why, c.name)
			require.Equal(t, `"`+v+`"`, string(text))
		}
		for _, v := range strings.Split(c.refused, "") {
			_, why := known.Canonical(fact.EntityBusiness, "legal_form", json.RawMessage(`"`+v+`"`))
			require.NotEmpty(t, why, "%s: %s", c.name, v)
		}
		require.Equal(t, c.used, known[0].UsedBy(), c.name)
	}
}

// TestAccountFacts_SayWhatToWrite in a sentence, and without the value, which the caller has.
func TestAccountFacts_SayWhatToWrite(t *testing.T) {
	const control = "A text may not contain control characters, such as tabs and line breaks."
	choices := []string{"LLC", "CORPORATION"}
	for _, c := range []struct {
		code        refusal.ProblemCode
		kind        fact.DeclaredType
		choices     []string
		value, want string
	}{
		{refusal.WrongType, fact.DeclaredBoolean, nil, `"planted"`, "This is not of the type BOOLEAN: write true or false."},
		{refusal.WrongType, fact.DeclaredDate, nil, `20260101`, `This is not of the type DATE: write a date, such as "2026-01-31".`},
		{refusal.WrongFormat, fact.DeclaredDate, nil, `"2026-02-30"`, "A date is written YYYY-MM-DD."},
		{refusal.WrongType, fact.DeclaredNumber, nil, `1e400000`, "This is not true or false, a number, a text or a list of texts."},
		{refusal.TooSmall, fact.DeclaredAmount, nil, `-1`, "An amount is 0 or more, and below 10000000000000."},
		{refusal.UnknownValue, fact.DeclaredText, choices, `"planted"`, "This is not one of the choices; they are LLC, CORPORATION."},
		{refusal.UnknownValue, fact.DeclaredText, choices, `"LCC"`, "This is not one of the choices; did you mean LLC?"},
		{refusal.TooLong, fact.DeclaredText, choices, `"` + strings.Repeat("planted", 100_000) + `"`, "A text has 1 to 200 characters."},
		{refusal.WrongType, fact.DeclaredTextList, choices, `"LLC"`, "This is not of the type TEXT_LIST: write texts in square brackets; [] is none."},
		{refusal.UnknownValue, fact.DeclaredTextList, choices, `["LLC","planted"]`, "A text is not one of the choices; they are LLC, CORPORATION."},
		{refusal.Duplicate, fact.DeclaredTextList, nil, `["planted","planted"]`, "A text is in the list twice."},
		{refusal.WrongFormat, fact.DeclaredText, nil, `" "`, "A text may not be blank."},
		{refusal.WrongFormat, fact.DeclaredTextList, nil, `[""]`, "A text may not be blank."},
		{refusal.WrongFormat, fact.DeclaredText, nil, `"a\tb"`, control},
		{refusal.WrongFormat, fact.DeclaredText, choices, `"a\nb"`, control},
		{refusal.WrongFormat, fact.DeclaredTextList, nil, `["a\u0000b"]`, control},
	} {
		d := fact.Declaration{Name: "n", EntityType: fact.EntityBusiness, Type: c.kind, Choices: c.choices}
		known := fact.AccountFacts{declared(d, &last{d, true}, nil)}
		_, why := known.Canonical(fact.EntityBusiness, "n", json.RawMessage(c.value))
		require.Equal(t, c.want, why.Message)
		require.Equal(t, c.code, why.Code, c.want)
		require.Equal(t, c.code == refusal.UnknownValue, why.Allowed != nil)
		require.Equal(t, c.value == `"LCC"`, why.Suggestion == "LLC")
	}
}

func TestAccountFacts_NameTheNearest(t *testing.T) {
	of := func(name, entity string) fact.AccountFact {
		d := fact.Declaration{Name: name, EntityType: entity, Type: fact.DeclaredText}
		return declared(d, &last{d, true}, nil)
	}
	known := fact.AccountFacts{of("legal_form", fact.EntityBusiness), of("roles", fact.EntityPerson)}
	for _, c := range []struct{ entity, name, want string }{
		{fact.EntityBusiness, "legl_form", "did you mean legal_form?"},
		{fact.EntityBusiness, "Legal_form", "did you mean legal_form?"},
		{fact.EntityBusiness, "roles", "This is a fact of a Person: state it as person.custom.roles."},
		{fact.EntityPerson, "role", "did you mean roles?"},
		{fact.EntityPerson, "legal_form", "This is a fact of a Business: state it as business.custom.legal_form."},
		{fact.EntityPerson, "zodiac_sign", "account.fact.list answers those that they declare."},
		{fact.EntityWorkflow, "legl_form", "they declare none of a Workflow."},
		{fact.EntityBusiness, strings.Repeat("legal_form", 2000), "account.fact.list answers those that they declare."},
	} {
		for _, value := range []string{`"x"`, `null`} {
			_, why := known.Canonical(c.entity, c.name, json.RawMessage(value))
			require.Contains(t, why.Message, c.want)
			require.Equal(t, refusal.UnknownField, why.Code)
		}
	}
}

func TestAccountFacts_WriteNumbersInOneForm(t *testing.T) {
	d := fact.Declaration{Name: "n", EntityType: fact.EntityBusiness, Type: fact.DeclaredNumber}
	known := fact.AccountFacts{declared(d, &last{d, true}, nil)}
	for in, want := range map[string]string{
		`1.50`: `1.5`, `-0`: `0`, `1e3`: `1000`, `100E-2`: `1`, `9999999999999.999999`: `9999999999999.999999`, `-9999999999999.999999`: `-9999999999999.999999`, `0.000001`: `0.000001`,
	} {
		text, why := known.Canonical(fact.EntityBusiness, "n", json.RawMessage(in))
		require.Empty(t, why, in)
		require.Equal(t, want, string(text))
	}
	for _, in := range []string{`0.0000001`, `10000000000000`, `-10000000000000`, `1e999999999`, `"1"`, `true`, `["1"]`} {
		_, why := known.Canonical(fact.EntityBusiness, "n", json.RawMessage(in))
		require.NotEmpty(t, why, in)
	}
}

func TestAccountFacts_KeepTheOrderOfLists(t *testing.T) {
	d := fact.Declaration{Name: "l", EntityType: fact.EntityBusiness, Type: fact.DeclaredTextList}
	known := fact.AccountFacts{declared(d, &last{d, true}, nil)}
	for in, want := range map[string]string{`[ "b", "a" ]`: `["b","a"]`, `[]`: `[]`, `["\u003c&"]`: `["<&"]`} {
		text, why := known.Canonical(fact.EntityBusiness, "l", json.RawMessage(in))
		require.Empty(t, why, in)
		require.Equal(t, want, string(text))
	}
}

func TestAccountFacts_Clash(t *testing.T) {
	d := fact.Declaration{Name: "legal_form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText}
	known := fact.AccountFacts{declared(d, &last{d, false}, nil)}
	require.Empty(t, known.Clashes([]fact.Declaration{{Name: "other", Type: fact.DeclaredDate}, d}))
	require.Equal(t, []fact.Clash{
		{1, "type", "legal_form is of the type TEXT, a fact of a Business, since version 3 of the account's rules. A name keeps both for ever: use another name."},
	}, known.Clashes([]fact.Declaration{{Name: "other"}, {Name: "legal_form", EntityType: fact.EntityBusiness, Type: fact.DeclaredTextList}}))
	require.Equal(t, []fact.Clash{
		{0, "entity_type", "legal_form is a fact of a Business, of the type TEXT, since version 3 of the account's rules. A name keeps both for ever: use another name."},
	}, known.Clashes([]fact.Declaration{{Name: "legal_form", EntityType: fact.EntityPerson, Type: fact.DeclaredText}}))
	require.Equal(t, 1, known.New([]fact.Declaration{d, {Name: "other"}}))
}
