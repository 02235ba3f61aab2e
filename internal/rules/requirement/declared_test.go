package requirement

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulefile"
	"requisite/internal/rules/rulestest"
)

// declaredFacts are facts of each type and entity.
const declaredFacts = `facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [SOLE_PROPRIETOR, LLC, CORPORATION], label: legal form, ask: The legal form.}
  - {name: sells_cbd, entity_type: Business, type: BOOLEAN, default: false, label: sells CBD, ask: Whether the business sells CBD.}
  - {name: chargebacks, entity_type: Business, type: NUMBER, label: chargeback rate, ask: The rate of chargebacks.}
  - {name: reserve, entity_type: Business, type: AMOUNT, label: reserve, ask: The reserve.}
  - {name: markets, entity_type: Business, type: TEXT_LIST, label: markets, ask: The markets.}
  - {name: first_sale_date, entity_type: Workflow, type: DATE, label: date of the first sale, ask: The day of the first sale.}
  - {name: roles, entity_type: Person, type: TEXT_LIST, choices: [DIRECTOR, CONTROL_PERSON, SIGNATORY], label: roles, ask: The roles of this person; none is an answer.}
  - {name: pep, entity_type: Person, type: BOOLEAN, label: politically exposed, ask: Whether this person is politically exposed.}
  - {name: shares, entity_type: Person, type: NUMBER, default: 0, label: shares, ask: The shares.}
`

// declaring is a rule set with these declarations and one rule.
func declaring(t fataler, declarations, entityType, when string) RuleSet {
	t.Helper()
	rs, problems := ReadRuleSet(rulefile.YAMLFile([]byte(declarations + "documents: []\n")))
	require.Empty(t, problems)
	one := oneRule(entityType, when)
	rs.Lists, rs.Documents = one.Lists, one.Documents
	return rs
}

// values are values of declared facts, in JSON.
func values(t fataler, text string) (found fact.Values) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &found))
	return found
}

// completeDeclared has every built-in and every declared fact on file.
func completeDeclared(t fataler) fact.Facts {
	f := rulestest.CompleteFacts()
	f.Custom = values(t, `{"legal_form":"LLC","sells_cbd":true,"chargebacks":0.25,"reserve":100.5,"markets":["US","CA"],"first_sale_date":"2026-02-01"}`)
	f.Persons[0].Custom = values(t, `{"roles":["SIGNATORY","DIRECTOR"],"pep":true,"shares":10.5}`)
	f.Persons[1].Custom = values(t, `{"roles":[],"pep":false,"shares":0.000001}`)
	return f
}

// TestDeclaredFacts_AreReadAsBuiltInFactsAre: exact and typed.
func TestDeclaredFacts_AreReadAsBuiltInFactsAre(t *testing.T) {
	t.Parallel()
	for when, want := range map[string][]string{
		`custom.legal_form == "LLC"`: {"b_1"}, `custom.legal_form != "LLC"`: {}, `custom.legal_form in ["LLC", "CORPORATION"]`: {"b_1"}, `custom.legal_form.startsWith("LL")`: {"b_1"},
		`custom.sells_cbd`: {"b_1"}, `!custom.sells_cbd`: {}, `custom.sells_cbd == true && custom.sells_cbd != false`: {"b_1"}, `custom.sells_cbd ? true : false`: {"b_1"},
		`custom.chargebacks * 4 == 1`: {"b_1"}, `custom.chargebacks in [0.25]`: {"b_1"}, `custom.reserve > 100.49 && custom.reserve < 100.51`: {"b_1"},
		`"US" in custom.markets && !("MX" in custom.markets)`: {"b_1"}, `custom.markets.all(m, m.size() == 2)`: {"b_1"}, `size(custom.markets) == 2`: {"b_1"}, `custom.markets.exists(m, m in ["CA"])`: {"b_1"},
		`custom.first_sale_date > established_date`: {"b_1"}, `custom.first_sale_date == date("2026-02-01")`: {"b_1"},
		`persons.exists(p, "DIRECTOR" in p.custom.roles)`: {"b_1"}, `persons.all(p, p.custom.pep)`: {}, `persons.exists_one(p, p.custom.pep)`: {"b_1"},
		`persons.filter(p, p.custom.shares > 0).size() == 2`: {"b_1"}, `persons.map(p, p.custom.shares).exists(s, s == 0.000001)`: {"b_1"}, `true in persons.map(p, p.custom.pep)`: {"b_1"},
		`persons.exists(p, size(p.custom.roles) == 0)`: {"b_1"}, `persons.exists(p, p.custom.roles.exists(r, r == "SIGNATORY"))`: {"b_1"},
		`persons.exists(p, p.custom.roles.exists(r, r in custom.markets))`: {},
	} {
		require.ElementsMatch(t, want, entityIDs(evaluate(t, declaring(t, declaredFacts, fact.EntityBusiness, when), completeDeclared(t))), when)
	}
	for when, want := range map[string][]string{
		`"DIRECTOR" in person.custom.roles`: {"p_1"}, `!person.custom.pep`: {"p_2"}, `person.custom.shares < 1 && custom.sells_cbd`: {"p_2"}, `size(person.custom.roles) == 0`: {"p_2"},
		`person.custom.roles.all(r, r != "DIRECTOR")`: {"p_2"}, `persons.exists(p, p.person_id != person.person_id && p.custom.pep)`: {"p_2"},
	} {
		require.ElementsMatch(t, want, entityIDs(evaluate(t, declaring(t, declaredFacts, fact.EntityPerson, when), completeDeclared(t))), when)
	}
}

// TestDeclaredFacts_InReasons: the sentence, and the values by their names.
func TestDeclaredFacts_InReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entityType, when, message, facts string }{
		{fact.EntityBusiness, `custom.legal_form == "LLC"`, `the legal form is LLC`, `{"custom.legal_form":"LLC"}`},
		{fact.EntityBusiness, `custom.legal_form in ["LLC", "CORPORATION"]`, `the legal form is LLC, one of LLC or CORPORATION`, `{"custom.legal_form":"LLC"}`},
		{fact.EntityBusiness, `custom.sells_cbd`, `"sells CBD" is true`, `{"custom.sells_cbd":true}`},
		{fact.EntityBusiness, `custom.chargebacks > 0.2`, `the chargeback rate is 0.25, more than 0.2`, `{"custom.chargebacks":0.25}`},
		{fact.EntityBusiness, `custom.first_sale_date > date("2026-01-31")`, `the date of the first sale is 2026-02-01, after 2026-01-31`, `{"custom.first_sale_date":"2026-02-01"}`},
		{fact.EntityBusiness, `"US" in custom.markets`, `the markets include US`, `{"custom.markets":["US"]}`},
		{fact.EntityBusiness, `size(custom.markets) > 1`, `the number of markets is 2, more than 1`, `{"custom.markets":["CA","US"]}`},
		{fact.EntityBusiness, `custom.markets.all(m, m != "MX")`, `every entry of the markets is not MX`, `{"custom.markets":["CA","US"]}`},
		{fact.EntityBusiness, `persons.exists(p, p.custom.pep)`, `the "politically exposed" of person p_1 is true`, `{"persons":{"p_1":{"custom.pep":true}}}`},
		{fact.EntityBusiness, `!persons.all(p, p.custom.pep)`, `the "politically exposed" of person p_2 is false`, `{"persons":{"p_2":{"custom.pep":false}}}`},
		{fact.EntityPerson, `"DIRECTOR" in person.custom.roles`, `the roles of person p_1 include DIRECTOR`, `{"persons":{"p_1":{"custom.roles":["DIRECTOR"]}}}`},
		{fact.EntityPerson, `person.custom.roles.all(r, r != "DIRECTOR")`, `every entry of the roles of person p_2 is not DIRECTOR`, `{"persons":{"p_2":{"custom.roles":[]}}}`},
		{fact.EntityPerson, `size(person.custom.roles) == 0`, `the number of roles of person p_2 is 0`, `{"persons":{"p_2":{"custom.roles":[]}}}`},
	} {
		reason := evaluate(t, declaring(t, declaredFacts, c.entityType, c.when), completeDeclared(t)).Required[0].Reason
		require.Equal(t, "A document: required because "+c.message+".", reason.Message, c.when)
		facts, err := json.Marshal(reason.Facts)
		require.NoError(t, err)
		require.JSONEq(t, c.facts, string(facts), c.when)
	}
}

// TestDeclaredFacts_RefusedConditions: each problem says what to write.
func TestDeclaredFacts_RefusedConditions(t *testing.T) {
	t.Parallel()
	const (
		unknown = `; the facts are persons, evaluation_score, `
		choices = `is not one of the choices of custom.legal_form; did you mean LLC?`
	)
	for _, c := range []struct{ entityType, when, want string }{
		{fact.EntityBusiness, `custom.legal_form == "LCC"`, `1:22 "LCC" ` + choices},
		{fact.EntityBusiness, `"LCC" != custom.legal_form`, `1:1 "LCC" ` + choices},
		{fact.EntityBusiness, `custom.legal_form in ["CORPORATION", "LCC"]`, `1:38 "LCC" ` + choices},
		{fact.EntityBusiness, `["LCC"].exists(f, custom.legal_form == f)`, `1:2 "LCC" ` + choices},
		{fact.EntityBusiness, `custom.legal_form == (custom.sells_cbd ? "LCC" : "LLC")`, `1:42 "LCC" ` + choices},
		{fact.EntityBusiness, `custom.legal_form in lists.high_risk`, `1:28 lists.high_risk: "5967" is not one of the choices of custom.legal_form; they are SOLE_PROPRIETOR, LLC, CORPORATION`},
		{fact.EntityPerson, `"DIRECTR" in person.custom.roles`, `1:1 "DIRECTR" is not one of the choices of custom.roles; did you mean DIRECTOR?`},
		{fact.EntityPerson, `person.custom.roles.exists(r, r == "DIRECTR")`, `1:36 "DIRECTR" is not one of the choices of custom.roles; did you mean DIRECTOR?`},
		{fact.EntityBusiness, `legal_form == "LLC"`, `1:1 legal_form is a declared fact: write custom.legal_form`},
		{fact.EntityBusiness, `legl_form == "LLC"`, `1:1 legl_form is not the name of a fact; did you mean custom.legal_form?`},
		{fact.EntityBusiness, `risk_flag == "LLC"`, `1:1 risk_flag is not the name of a fact: declare it under facts and write custom.risk_flag; or if it is text, put it in quotes: "risk_flag"` + unknown},
		{fact.EntityBusiness, `custom.legal_form == LLC`, `1:22 LLC is not the name of a fact; if it is text, put it in quotes: "LLC"` + unknown},
		{fact.EntityBusiness, `custom.legl_form == "LLC"`, `1:1 custom.legl_form is not a declared fact; did you mean custom.legal_form?`},
		{fact.EntityBusiness, `custom.risk == "LLC"`, `1:1 custom.risk is not a declared fact: declare it under facts; declared are custom.chargebacks, `},
		{fact.EntityBusiness, `custom.roles.size() > 1`, `1:1 custom.roles belongs to a person: write persons.exists(p, p.custom.roles …)`},
		{fact.EntityPerson, `custom.pep`, `1:1 custom.pep belongs to a person: write person.custom.pep`},
		{fact.EntityBusiness, `persons.exists(p, custom.pep)`, `1:19 custom.pep belongs to a person: write p.custom.pep`},
		{fact.EntityPerson, `person.custom.sells_cbd`, `1:15 custom.sells_cbd is a fact of the business: write custom.sells_cbd`},
		{fact.EntityPerson, `person.custom.first_sale_date == date("2026-01-01")`, `1:15 custom.first_sale_date is a fact of the workflow: write custom.first_sale_date`},
		{fact.EntityPerson, `person.custom.role == "x"`, `1:15 person.custom.role is not a declared fact; did you mean custom.roles?`},
		{fact.EntityPerson, `person.pep`, `1:8 pep is a declared fact: write person.custom.pep`},
		{fact.EntityBusiness, `p.custom.pep`, `1:1 p stands for a person only within a loop: write persons.exists(p, p.custom.pep …)`},
		{fact.EntityBusiness, `persons.roles.exists(r, r == "DIRECTOR")`, `1:9 persons is a list of persons and has no field roles: write persons.exists(p, p.custom.roles …)`},
		{fact.EntityBusiness, `pep`, `1:1 pep is a declared fact: write persons.exists(p, p.custom.pep …)`},
		{fact.EntityBusiness, `persons.custom.pep`, `1:16 persons is a list of persons and has no field custom.pep: write persons.exists(p, p.custom.pep …)`},
		{fact.EntityBusiness, `business.custom.sells_cbd`, `1:1 business.custom.sells_cbd: write custom.sells_cbd`},
		{fact.EntityBusiness, `custom`, `1:1 custom is not a value by itself: write custom.NAME`},
		{fact.EntityPerson, `person.custom == 1`, `1:8 custom is not a value by itself: write person.custom.NAME`},
		{fact.EntityBusiness, `custom["sells_cbd"]`, `1:7 write custom.sells_cbd`},
		{fact.EntityBusiness, `custom.sells_cbd == "yes"`, `1:18 == compares true or false with text: write custom.sells_cbd alone, or !custom.sells_cbd`},
		{fact.EntityBusiness, `custom.sells_cbd == 1`, `1:18 == compares true or false with a number: write custom.sells_cbd alone, or !custom.sells_cbd`},
		{fact.EntityBusiness, `custom.chargebacks > "5"`, `1:20 > compares a number with text: write the number without quotes`},
		{fact.EntityBusiness, `custom.first_sale_date > "2026-01-01"`, `1:24 > compares a date with text: write date("2026-01-01")`},
		{fact.EntityBusiness, `custom.markets == "US"`, `1:16 == compares a list of texts with text: write "US" in custom.markets`},
		{fact.EntityBusiness, `custom.legal_form`, `1:8 custom.legal_form is text, and a condition must be true or false: compare it with something`},
		{fact.EntityBusiness, `custom.legal_form > 5`, `1:19 > compares text with a number`},
		{fact.EntityBusiness, `custom.markets.custom.x`, `1:23 custom.markets is a list of texts and has no field custom.x`},
		{fact.EntityBusiness, `persons.exists(custom, true)`, `1:9 the variable of exists is named custom, which already stands for something else here: choose another name`},
	} {
		_, problems := Compile(declaring(t, declaredFacts, c.entityType, c.when), Options{})
		require.Len(t, problems, 1, "%s: %v", c.when, problems)
		said := positionOf(problems[0]) + " " + problems[0].Message
		require.True(t, strings.HasPrefix(said, c.want), "%s\n%s\n%s", c.when, c.want, said)
	}
}

// TestDeclaredFacts_BelongToTheirSet: a set reads only facts that it declares itself.
func TestDeclaredFacts_BelongToTheirSet(t *testing.T) {
	t.Parallel()
	mustCompile(t, declaring(t, declaredFacts, fact.EntityBusiness, `custom.sells_cbd`))
	_, problems := Compile(oneRule(fact.EntityBusiness, `custom.sells_cbd`), Options{})
	require.Len(t, problems, 1)
	require.Equal(t, "custom.sells_cbd is not a declared fact: declare it under facts; none is declared", problems[0].Message)
	// A set without declarations may name a loop variable so.
	mustCompile(t, oneRule(fact.EntityBusiness, `persons.exists(custom, custom.citizenship == "US")`))
}

func TestDeclaredFacts_Problems(t *testing.T) {
	t.Parallel()
	declare := func(fields string) string {
		all := map[string]string{"name": "n", "entity_type": "Business", "type": "TEXT", "label": "l", "ask": "a"}
		var texts []string
		for _, field := range strings.Split(fields, "; ") {
			name, value, _ := strings.Cut(field, "=")
			all[name] = value
		}
		for name, value := range all {
			if value != "" {
				texts = append(texts, name+": "+value)
			}
		}
		return "  - {" + strings.Join(texts, ", ") + "}\n"
	}
	repeated := func(n int, fields string) string {
		text := ""
		for i := range n {
			text += declare(fmt.Sprintf("name=f%d; %s", i, fields))
		}
		return text
	}
	for facts, want := range map[string]string{
		declare("name="):                                     "facts[0].name is missing",
		declare("name=Legal-Form"):                           "facts[0].name must start with a-z and go on with a-z, 0-9 and _, at most 48 characters: write legal_form",
		declare("name=custom.risk"):                          "facts[0].name must start with a-z and go on with a-z, 0-9 and _, at most 48 characters: write risk",
		declare("name=" + strings.Repeat("a", 49)):           "facts[0].name must start with a-z and go on with a-z, 0-9 and _, at most 48 characters",
		declare("name=in"):                                   "facts[0].name in is a word of the language of conditions: choose another name, such as in_fact",
		declare("entity_type=Busines"):                       `facts[0].entity_type "Busines" is not Workflow, Business or Person; did you mean Business?`,
		declare("entity_type="):                              "facts[0].entity_type is missing: write Workflow, Business or Person",
		declare("type=STRING"):                               `facts[0].type "STRING" is not BOOLEAN, NUMBER, AMOUNT, DATE, TEXT or TEXT_LIST`,
		declare("type=TXT"):                                  `facts[0].type "TXT" is not BOOLEAN, NUMBER, AMOUNT, DATE, TEXT or TEXT_LIST; did you mean TEXT?`,
		declare("type="):                                     "facts[0].type is missing: write BOOLEAN, NUMBER, AMOUNT, DATE, TEXT or TEXT_LIST",
		declare("label="):                                    "facts[0].label is missing: write what the fact is, in a few words, such as legal form",
		declare("label=" + strings.Repeat("é", 61)):          "facts[0].label is longer than 60 characters",
		declare("ask="):                                      "facts[0].ask is missing: write what to ask the applicant for, in a sentence",
		declare("ask=" + strings.Repeat("é", 301)):           "facts[0].ask is longer than 300 characters",
		declare(`ask="a\x00"`):                               "facts[0].ask holds the control character U+0000: take it out",
		declare("type=NUMBER; choices=[a]"):                  "facts[0].choices belong only to TEXT and TEXT_LIST: leave them out, or write one of the two as type",
		declare("choices=[]"):                                "facts[0].choices holds none: list them, or leave choices out where any text will do",
		declare("choices=[a, b, a]"):                         `facts[0].choices[2] "a" is already choices[0]: take one out`,
		declare(`choices=[""]`):                              "facts[0].choices[0] a text may not be blank: write what applicants can choose, or take it out",
		declare(`choices=["a\tb"]`):                          "facts[0].choices[0] a text may not contain control characters, such as tabs and line breaks: write what applicants can choose, or take it out",
		declare(`default=" "`):                               "facts[0].default a text may not be blank",
		declare(`default="a\nb"`):                            "facts[0].default a text may not contain control characters, such as tabs and line breaks",
		declare("choices=[" + strings.Repeat("é", 65) + "]"): "facts[0].choices[0] is longer than 64 characters",
		declare("choices=[" + strings.Join(rulestest.Numbered("c", 101), ", ") + "]"): "facts[0].choices holds 101 choices; at most 100 are allowed",
		declare("type=NUMBER; default=x"):                                             "facts[0].default is not of the type NUMBER: write a number, without quotes",
		declare("type=NUMBER; default=0.0000001"):                                     "facts[0].default a number is above -10000000000000 and below 10000000000000, with at most 6 decimals",
		declare("type=AMOUNT; default=-1"):                                            "facts[0].default an amount is 0 or more, and below 10000000000000",
		declare("type=DATE; default=2026-02-30"):                                      `facts[0].default a date is written YYYY-MM-DD`,
		declare(`type=BOOLEAN; default="no"`):                                         "facts[0].default is not of the type BOOLEAN: write true or false",
		declare("choices=[alpha, beta]; default=c"):                                   `facts[0].default "c" is not one of the choices; they are alpha, beta`,
		declare("type=TEXT_LIST; default=a"):                                          "facts[0].default is not of the type TEXT_LIST: write texts in square brackets; [] is none",
		declare("type=TEXT_LIST; default=[a, a]"):                                     `facts[0].default "a" is in the list twice`,
		declare("default=5"):                                                          "facts[0].default is not of the type TEXT: write a text, in quotes",
		declare("default={a: 1}"):                                                     "facts[0].default is an object: write true or false, a number, a text or a list of texts, or leave the name out",
		declare("default=null"):                                                       "facts[0].default is null: write true or false, a number, a text or a list of texts, or leave the name out",
		declare("name=a") + declare("name=a; type=NUMBER"):                            "facts[1].name a is already facts[0]: give each fact its own name",
		repeated(51, "type=DATE"):                                                     "facts holds 51 facts; at most 50 are allowed",
		repeated(21, "entity_type=Person"):                                            "facts[20].entity_type is one more fact of persons than the 20 that are allowed",
	} {
		set, problems := ReadRuleSet(rulefile.YAMLFile([]byte("facts:\n" + facts + "documents: []\n")))
		if len(problems) == 0 {
			_, problems = Compile(set, Options{})
		}
		require.Len(t, problems, 1, "%s: %v", facts, problems)
		require.Equal(t, want, problems[0].Path+" "+problems[0].Message, facts)
		// The same of a pricing model.
		model, problems := ReadPricingModel(rulefile.YAMLFile([]byte("facts:\n" + facts + "base: 1\n")))
		if len(problems) == 0 {
			_, problems = CompilePricing(model, Options{})
		}
		require.Len(t, problems, 1, "%s: %v", facts, problems)
		require.Equal(t, want, problems[0].Path+" "+problems[0].Message, facts)
	}
	for _, facts := range []string{repeated(50, "type=DATE"), repeated(20, "entity_type=Person"), declare("name=" + strings.Repeat("a", 48)), declare("label=" + strings.Repeat("é", 60) + "; ask=" + strings.Repeat("é", 300))} {
		set, problems := ReadRuleSet(rulefile.YAMLFile([]byte("facts:\n" + facts + "documents: []\n")))
		require.Empty(t, problems)
		mustCompile(t, set)
	}
}

// TestDeclaredFacts_OfAnUnknownEntityTypeAreOneProblem: conditions that use such a fact may be right.
func TestDeclaredFacts_OfAnUnknownEntityTypeAreOneProblem(t *testing.T) {
	t.Parallel()
	const roles = "facts:\n  - {name: roles, entity_type: person, type: TEXT, label: l, ask: a}\n"
	for entityType, when := range map[string]string{fact.EntityPerson: `person.custom.roles == "x"`, fact.EntityBusiness: `custom.roles == "x"`} {
		_, problems := Compile(declaring(t, roles, entityType, when), Options{})
		require.Len(t, problems, 1, "%s: %v", when, problems)
		require.Equal(t, "facts[0].entity_type", problems[0].Path)
	}
}

// gapsOf are the gaps of rules about declared facts, as JSON.
func gapsOf(t *testing.T, rs RuleSet, f fact.Facts) string {
	t.Helper()
	text, err := json.MarshalIndent(evaluate(t, rs, f).Gaps, "", " ")
	require.NoError(t, err)
	return string(text)
}

// TestDeclaredFacts_Gaps: what is absent is asked for of the entity that declares it, built-in facts
// first, then by name. The first gap of each fact has its words.
func TestDeclaredFacts_Gaps(t *testing.T) {
	t.Parallel()
	f := completeDeclared(t)
	f.EvaluationScore, f.EstablishedDate, f.Custom = nil, nil, nil
	f.Persons[0].Custom, f.Persons[1].Custom, f.Persons[1].Citizenship = nil, nil, nil
	rs := declaring(t, declaredFacts, fact.EntityPerson, `custom.reserve > 1 && custom.legal_form == "LLC" && evaluation_score > 1 && custom.first_sale_date > date("2026-01-01") &&
		person.custom.pep && "DIRECTOR" in person.custom.roles && person.citizenship == "US" && business_age_years > 1 && custom.sells_cbd && person.custom.shares > 1`)
	require.JSONEq(t, `[
		{"code":"CALCULATED_PRICING_REQUIRED","entity_type":"Workflow","entity_id":"w_1","message":"The evaluation score of this workflow has not been calculated: call workflow.pricing.calculate, then calculate the required documents again.",
			"related_endpoints":["workflow.pricing.calculate"],"missing":[{"field":"evaluation_score","value_type":"NUMBER","label":"evaluation score"}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Workflow","entity_id":"w_1","message":"Supply the date of the first sale: call workflow.update with custom.first_sale_date.",
			"related_endpoints":["workflow.update"],"fields":["custom.first_sale_date"],"missing":[{"field":"custom.first_sale_date","value_type":"DATE","label":"date of the first sale","ask":"The day of the first sale."}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Business","entity_id":"b_1","message":"Supply the date on which the business was established: call business.update with established_date.",
			"related_endpoints":["business.update"],"fields":["established_date"],"missing":[{"field":"established_date","value_type":"DATE","label":"established date","ask":"The day on which the business was established."}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Business","entity_id":"b_1","message":"Supply the legal form: call business.update with custom.legal_form.",
			"related_endpoints":["business.update"],"fields":["custom.legal_form"],
			"missing":[{"field":"custom.legal_form","value_type":"TEXT","label":"legal form","ask":"The legal form.","choices":["SOLE_PROPRIETOR","LLC","CORPORATION"]}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Business","entity_id":"b_1","message":"Supply the reserve: call business.update with custom.reserve.",
			"related_endpoints":["business.update"],"fields":["custom.reserve"],"missing":[{"field":"custom.reserve","value_type":"AMOUNT","label":"reserve","ask":"The reserve."}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"p_1","message":"State whether \"politically exposed\" is true of this person: call person.update with custom.pep.",
			"related_endpoints":["person.update"],"fields":["custom.pep"],"missing":[{"field":"custom.pep","value_type":"BOOLEAN","label":"politically exposed","ask":"Whether this person is politically exposed."}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"p_1","message":"Supply the roles of this person: call person.update with custom.roles.",
			"related_endpoints":["person.update"],"fields":["custom.roles"],
			"missing":[{"field":"custom.roles","value_type":"TEXT_LIST","label":"roles","ask":"The roles of this person; none is an answer.","choices":["DIRECTOR","CONTROL_PERSON","SIGNATORY"]}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"p_2","message":"Supply the citizenship of this person: call person.update with citizenship.",
			"related_endpoints":["person.update"],"fields":["citizenship"],"missing":[{"field":"citizenship","value_type":"TEXT","label":"citizenship","ask":"The country of citizenship, or that this person is stateless or a refugee."}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"p_2","message":"State whether \"politically exposed\" is true of this person: call person.update with custom.pep.",
			"related_endpoints":["person.update"],"fields":["custom.pep"],"missing":[{"field":"custom.pep","value_type":"BOOLEAN"}]},
		{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"p_2","message":"Supply the roles of this person: call person.update with custom.roles.",
			"related_endpoints":["person.update"],"fields":["custom.roles"],"missing":[{"field":"custom.roles","value_type":"TEXT_LIST"}]}
	]`, gapsOf(t, rs, f))

	f.Persons = nil
	rs = declaring(t, declaredFacts, fact.EntityBusiness, `persons.exists(p, p.custom.pep)`)
	nobody := "No person is on record for this business: call person.create for each of its persons, with custom.pep. If it has none, call business.update with no_persons_attested: true."
	require.JSONEq(t, `[{"code":"FIELDS_REQUIRED","entity_type":"Person","entity_id":"b_1","message":"`+nobody+`","related_endpoints":["person.create"],"fields":["custom.pep"],"business_id":"b_1",
		"missing":[{"field":"first_name","value_type":"TEXT","label":"first name","ask":"The first name of this person."},
			{"field":"last_name","value_type":"TEXT","label":"last name","ask":"The last name of this person."},{"field":"custom.pep","value_type":"BOOLEAN","label":"politically exposed","ask":"Whether this person is politically exposed."}]}]`, gapsOf(t, rs, f))
	// A default says what an absent fact counts as, and not that there are persons.
	rs = declaring(t, declaredFacts, fact.EntityBusiness, `persons.exists(p, p.custom.shares > 1)`)
	require.Equal(t, "persons", evaluate(t, rs, f).Gaps[0].Fact)
	require.Equal(t, []string{"persons"}, mustCompile(t, rs).GapNames())
}

// TestDeclaredFacts_ValuesThatDoNotCount: a stored value of another type or outside of the choices
// is absent. The gap says so, and never the value.
func TestDeclaredFacts_ValuesThatDoNotCount(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ custom, when, again string }{
		{`{"legal_form":"planted"}`, `custom.legal_form == "LLC"`, "not one of the choices"},
		{`{"legal_form":true}`, `custom.legal_form == "LLC"`, "not of the type TEXT"},
		{`{"legal_form":["LLC"]}`, `custom.legal_form == "LLC"`, "not of the type TEXT"},
		{`{"chargebacks":"planted"}`, `custom.chargebacks > 1`, "not of the type NUMBER"},
		{`{"chargebacks":0.0000001}`, `custom.chargebacks > 1`, "not of the type NUMBER"},
		{`{"reserve":-1}`, `custom.reserve > 1`, "not of the type AMOUNT"},
		{`{"first_sale_date":"planted"}`, `custom.first_sale_date > date("2026-01-01")`, "not of the type DATE"},
		{`{"first_sale_date":20260101}`, `custom.first_sale_date > date("2026-01-01")`, "not of the type DATE"},
		{`{"markets":"planted"}`, `"US" in custom.markets`, "not of the type TEXT_LIST"},
		{`{"markets":["planted","planted"]}`, `"US" in custom.markets`, "not of the type TEXT_LIST"},
		{`{"markets":[""]}`, `"US" in custom.markets`, "not of the type TEXT_LIST"},
	} {
		f := fact.Facts{WorkflowID: "w_1", BusinessID: "b_1", Custom: values(t, c.custom)}
		gaps := evaluate(t, declaring(t, declaredFacts, fact.EntityBusiness, c.when), f).Gaps
		require.Len(t, gaps, 1, c.custom)
		require.Contains(t, gaps[0].Message, " again, for the value on file is "+c.again+": call ", c.custom)
		require.NotContains(t, gapsOf(t, declaring(t, declaredFacts, fact.EntityBusiness, c.when), f), "planted", c.custom)
	}
	f := fact.Facts{Persons: []fact.PersonFacts{{PersonID: "p_1", Custom: values(t, `{"roles":["DIRECTOR","planted"]}`)}}}
	gaps := evaluate(t, declaring(t, declaredFacts, fact.EntityPerson, `"DIRECTOR" in person.custom.roles`), f).Gaps
	const asked = "facts:\n  - {name: sells_cbd, entity_type: Business, type: BOOLEAN, label: sells CBD, ask: Whether.}\n  - {name: pep, entity_type: Person, type: BOOLEAN, label: PEP, ask: Whether.}\n"
	for custom, want := range map[string]string{
		`{}`: `State whether "sells CBD" is true: call business.update with custom.sells_cbd. State whether "PEP" is true of this person: call person.update with custom.pep.`,
		`{"sells_cbd":"planted","pep":1}`: `State again, for the value on file is not of the type BOOLEAN, whether "sells CBD" is true: call business.update with custom.sells_cbd. ` +
			`State again, for the value on file is not of the type BOOLEAN, whether "PEP" is true of this person: call person.update with custom.pep.`,
	} {
		stated := values(t, custom)
		lacking := fact.Facts{Custom: stated, Persons: []fact.PersonFacts{{PersonID: "p_1", Custom: stated}}}
		found := evaluate(t, declaring(t, asked, fact.EntityPerson, `custom.sells_cbd || person.custom.pep`), lacking).Gaps
		require.Len(t, found, 2)
		require.Equal(t, want, found[0].Message+" "+found[1].Message)
	}
	require.Equal(t, "Supply the roles of this person again, for the value on file is not one of the choices: call person.update with custom.roles.", gaps[0].Message)
}

// TestDeclaredFacts_ValuesThatDoNotCountAreTheDefault: nobody says that such a value is not stated.
func TestDeclaredFacts_ValuesThatDoNotCountAreTheDefault(t *testing.T) {
	t.Parallel()
	const (
		withDefaults = `facts:
  - {name: form, entity_type: Business, type: TEXT, choices: [LLC, INC], default: LLC, label: legal form, ask: The form.}
  - {name: roles, entity_type: Person, type: TEXT_LIST, choices: [A, B], default: [], label: roles, ask: The roles.}
`
		when = `custom.form == "LLC" && persons.all(p, !("A" in p.custom.roles))`
	)
	old := values(t, `{"roles":["A","planted"]}`)
	f := fact.Facts{Custom: values(t, `{"form":"planted"}`), Persons: []fact.PersonFacts{{PersonID: "p_1", Custom: old}}}
	rs := declaring(t, withDefaults, fact.EntityBusiness, when)
	message := evaluate(t, rs, f).Required[0].Reason.Message
	require.Contains(t, message, `; the legal form (on file with a value that does not count, counted as LLC); the roles of person p_1 (on file with a value that does not count, counted as none).`)
	require.NotContains(t, message, "planted")
	program := mustCompile(t, rs)
	for _, v := range factValues(t, program, f) {
		if v.Name != "persons" {
			require.Equal(t, fact.NotCounted, v.DefaultBecause, v.Name)
		}
	}
	explained, err := program.Explain(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, fact.NotCounted, explained.Rules[0].Steps.Steps[0].Steps[0].DefaultBecause)

	f.Persons = append(f.Persons, fact.PersonFacts{PersonID: "p_2", Custom: old}, fact.PersonFacts{PersonID: "p_3"})
	message = evaluate(t, rs, f).Required[0].Reason.Message
	require.Contains(t, message, `; the roles of person p_3 (not stated, counted as none); the roles of 2 persons (on file with a value that does not count, counted as none).`)
	f.Persons = append(f.Persons, fact.PersonFacts{PersonID: "p_4"})
	requireSized(t, program, f)
	// A Person rule that holds for nobody may say as much.
	requireSized(t, mustCompile(t, declaring(t, withDefaults, fact.EntityPerson, `persons.exists(p, "A" in p.custom.roles)`)), f)
}

// TestDeclaredFacts_Defaults: what counts as its default is said in the reason, in the facts of an
// explanation and in its steps.
func TestDeclaredFacts_Defaults(t *testing.T) {
	t.Parallel()
	f := completeDeclared(t)
	f.Custom["sells_cbd"] = fact.Value{}
	f.Persons[0].Custom = nil
	delete(f.Custom, "sells_cbd")
	rs := declaring(t, declaredFacts, fact.EntityBusiness, `!custom.sells_cbd && persons.exists(p, p.custom.shares == 0)`)
	reason := evaluate(t, rs, f).Required[0].Reason
	require.Equal(t, `A document: required because "sells CBD" is false; and the shares of person p_1 is 0; "sells CBD" (not stated, counted as false); the shares of person p_1 (not stated, counted as 0).`, reason.Message)
	f.Persons[1].Custom = nil
	reason = evaluate(t, declaring(t, declaredFacts, fact.EntityBusiness, `persons.all(p, p.custom.shares == 0)`), f).Required[0].Reason
	require.Contains(t, reason.Message, "; the shares of 2 persons (not stated, counted as 0).")
	// What did not decide is not mentioned.
	reason = evaluate(t, declaring(t, declaredFacts, fact.EntityBusiness, `custom.legal_form == "LLC" || custom.sells_cbd`), f).Required[0].Reason
	require.NotContains(t, reason.Message, "not stated")

	// A Person rule that holds for nobody says the defaults that decided, and nothing else.
	for when, want := range map[string]string{
		`person.custom.shares > 1`:                                  "the shares of 2 persons (not stated, counted as 0)",
		`person.custom.shares > 1 && person.person_id == "p_1"`:     "the shares of 2 persons (not stated, counted as 0)",
		`person.person_id == "p_1" && person.custom.shares > 1`:     "the shares of person p_1 (not stated, counted as 0)",
		`persons.exists(p, p.custom.shares > person.custom.shares)`: "the shares of 2 persons (not stated, counted as 0)",
		`custom.sells_cbd && person.person_id == "p_1"`:             `"sells CBD" (not stated, counted as false)`,
		`custom.legal_form == "CORPORATION" && custom.sells_cbd`:    "",
		`person.person_id == "p_3"`:                                 "",
	} {
		result := evaluate(t, declaring(t, declaredFacts, fact.EntityPerson, when), f)
		require.Empty(t, result.Required, when)
		require.Len(t, result.NotRequired, 1, when)
		if got := result.NotRequired[0].Reason; want == "" {
			require.Empty(t, got, when)
		} else {
			require.Equal(t, Reason{Message: "A document: required of nobody; " + want + ".", Facts: ReasonFacts{}}, got, when)
		}
	}

	program := mustCompile(t, declaring(t, declaredFacts, fact.EntityPerson, `person.custom.shares == 0 || custom.sells_cbd`))
	require.Equal(t, []FactValue{
		{Name: "custom.sells_cbd", Value: false, DefaultBecause: fact.NotStated}, {Name: "persons", Value: 2},
		{Name: "custom.shares", PersonID: "p_1", Value: *rulestest.Decimal(0), DefaultBecause: fact.NotStated}, {Name: "custom.shares", PersonID: "p_2", Value: *rulestest.Decimal(0), DefaultBecause: fact.NotStated},
	}, factValues(t, program, f))
	explained, err := program.Explain(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, "person.custom.shares", explained.Rules[0].Steps.Steps[0].Steps[0].Expression)
	require.Equal(t, fact.NotStated, explained.Rules[0].Steps.Steps[0].Steps[0].DefaultBecause)
	f.Persons[0].Custom = values(t, `{"shares":0}`)
	explained, err = program.Explain(t.Context(), f)
	require.NoError(t, err)
	require.Empty(t, explained.Rules[0].Steps.Steps[0].Steps[0].DefaultBecause, "it is stated")

	// A list with a default that is empty.
	const listed = "facts:\n  - {name: tags, entity_type: Business, type: TEXT_LIST, default: [], label: tags, ask: The tags.}\n"
	reason = evaluate(t, declaring(t, listed, fact.EntityBusiness, `size(custom.tags) == 0`), fact.Facts{}).Required[0].Reason
	require.Equal(t, "A document: required because the number of tags is 0; the tags (not stated, counted as none).", reason.Message)
	require.Equal(t, ReasonFacts{"custom.tags": []string{}}, reason.Facts)
	set, problems := ParseStoredRuleSet(declaring(t, listed, fact.EntityBusiness, `size(custom.tags) == 0`).CanonicalJSON())
	require.Empty(t, problems)
	require.NotNil(t, set.Facts[0].Default, "an empty list is a default, and kept")
}

// TestDeclaredFacts_GapsFitIntoAnAnswer: a set whose gaps may be too many bytes is refused.
func TestDeclaredFacts_GapsFitIntoAnAnswer(t *testing.T) {
	t.Parallel()
	set := func(name string) RuleSet {
		rs := oneRule(fact.EntityBusiness, "")
		var conditions []string
		for i := range fact.MaxDeclaredPersons {
			d := fact.Declaration{Name: fmt.Sprintf("%s%d", name, i), EntityType: fact.EntityPerson, Type: fact.DeclaredTextList, Label: "label", Ask: strings.Repeat("ask ", 75), Choices: rulestest.Numbered("choice", 100)}
			rs.Facts, conditions = append(rs.Facts, d), append(conditions, fmt.Sprintf("p.custom.%s.size() > 1", d.Name))
		}
		rs.Documents[0].When = "persons.exists(p, " + strings.Join(conditions, " || ") + ")"
		return rs
	}
	_, problems := compile(t.Context(), set(strings.Repeat("n", 40)), Options{CostLimit: 1 << 40})
	require.Len(t, problems, 1)
	require.Regexp(t, `^may lead to 4000 gaps at once for a business with 200 persons, which take up to [0-9]+ bytes, and an answer holds 1500000: read fewer facts of persons`, problems[0].Message)
	require.Equal(t, "facts", problems[0].Path)
	model := PricingModel{Facts: set(strings.Repeat("n", 40)).Facts, Rules: []PricingRule{{Name: "n", When: set(strings.Repeat("n", 40)).Documents[0].When}}}
	_, problems = CompilePricing(model, Options{CostLimit: 1 << 40})
	require.Len(t, problems, 1)

	program, problems := compile(t.Context(), set("n"), Options{CostLimit: 1 << 40})
	require.Empty(t, problems)
	f := fact.Facts{Persons: rulestest.ManyPersons(fact.MaxPersons)}
	for i := range f.Persons {
		f.Persons[i] = fact.PersonFacts{PersonID: fmt.Sprintf("p_%022d", i), Custom: fact.Values{}}
		for _, d := range set("n").Facts {
			f.Persons[i].Custom[d.Name] = values(t, `{"x":["other"]}`)["x"]
		}
	}
	result, err := program.Evaluate(t.Context(), f)
	require.NoError(t, err)
	require.Len(t, result.Gaps, 4000)
	require.Less(t, jsonBytes(result.Gaps), MaxResultBytes)
	require.Greater(t, jsonBytes(result.Gaps), MaxResultBytes/2)
}

// TestDeclaredFacts_StoredSetsKeepTheirMeaning: a stored set is read with its own declarations,
// whatever others declare, and in any order. Without declarations it keeps its bytes.
func TestDeclaredFacts_StoredSetsKeepTheirMeaning(t *testing.T) {
	t.Parallel()
	before := oneRule(fact.EntityBusiness, `persons.exists(custom, custom.citizenship == "US")`)
	require.Equal(t, `{"lists":{"high_risk":["5967","7995"]},"documents":[{"document_type_code":"DOC","name":"A document","category":"TEST","requirement_text":"A copy.",`+
		`"entity_type":"Business","when":"persons.exists(custom, custom.citizenship == \"US\")"}]}`, string(before.CanonicalJSON()))
	require.Equal(t, `{"base":1,"rules":[]}`, string(PricingModel{Base: *rulestest.Decimal(1)}.CanonicalJSON()))
	load := func(rs RuleSet) *Program {
		program, problems, err := LoadRuleSet(t.Context(), rs.CanonicalJSON(), Options{EnvironmentVersion: 1})
		require.NoError(t, err)
		require.Empty(t, problems)
		return program
	}
	decide := func(p *Program, custom string) string {
		f := rulestest.CompleteFacts()
		f.Custom = values(t, custom)
		result, err := p.Evaluate(t.Context(), f)
		require.NoError(t, err)
		if len(result.Gaps) > 0 {
			return result.Gaps[0].Message
		}
		return fmt.Sprint(len(result.Required))
	}
	require.Equal(t, "1", decide(load(before), `{"form":"LLC"}`), "values that the set does not declare")

	set := func(choices string) RuleSet {
		const one, other = "  - {name: form, entity_type: Business, type: TEXT, %s, label: form, ask: The form.}\n", "  - {name: cbd, entity_type: Business, type: BOOLEAN, default: true, label: CBD, ask: CBD.}\n"
		return declaring(t, "facts:\n"+fmt.Sprintf(one, choices)+other, fact.EntityBusiness, `custom.form == "LLC" && custom.cbd`)
	}
	old, newest := set("choices: [LLC, GMBH]"), set("choices: [LLC, LTD]")
	dropped := newest
	dropped.Facts, dropped.Documents = nil, []DocumentRule{documentRule(fact.EntityBusiness, "evaluation_score > 1")}
	const again = "Supply the form again, for the value on file is not one of the choices: call business.update with custom.form."
	// In all orders of loading.
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		programs := make([]*Program, 3)
		for _, i := range order {
			programs[i] = load([]RuleSet{old, newest, dropped}[i])
		}
		require.Equal(t, []string{"0", again, "1"}, []string{decide(programs[0], `{"form":"GMBH"}`), decide(programs[1], `{"form":"GMBH"}`), decide(programs[2], `{"form":"GMBH"}`)})
		require.Equal(t, []string{again, "0"}, []string{decide(programs[0], `{"form":"LTD"}`), decide(programs[1], `{"form":"LTD"}`)})
		require.Equal(t, []string{"1", "0"}, []string{decide(programs[0], `{"form":"LLC"}`), decide(programs[1], `{"form":"LLC","cbd":false}`)})
	}
	// The order of the declarations carries no meaning.
	turned := set("choices: [LLC, LTD]")
	turned.Facts[0], turned.Facts[1] = turned.Facts[1], turned.Facts[0]
	require.Equal(t, decide(load(newest), `{}`), decide(load(turned), `{}`))
}

// TestDeclaredFacts_InExamples: examples state them as records do.
func TestDeclaredFacts_InExamples(t *testing.T) {
	t.Parallel()
	check := func(facts, expect string) []string {
		file := declaredFacts + "documents:\n  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, when: 'custom.legal_form == \"LLC\" || persons.exists(p, \"DIRECTOR\" in p.custom.roles)'}\n" +
			"examples:\n  - {name: e, facts: " + facts + ", expect: " + expect + "}\n"
		set, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
		if len(problems) == 0 {
			_, problems = Compile(set, Options{})
		}
		var found []string
		for _, p := range problems {
			found = append(found, p.Path+" "+p.Message)
		}
		return found
	}
	require.Empty(t, check(`{custom: {legal_form: LLC}, persons: [{person_id: p1, custom: {roles: [DIRECTOR]}}]}`, `{documents: [A]}`))
	require.Empty(t, check(`{custom: {legal_form: CORPORATION}, persons: [{person_id: p1, custom: {roles: []}}]}`, `{documents: []}`))
	require.Empty(t, check(`{persons: [{person_id: p1}]}`, `{gaps: [custom.legal_form, {fact: person.custom.roles, person_id: p1}]}`))
	require.Empty(t, check(`{}`, `{gaps: [custom.legal_form, person.custom.roles]}`))
	for facts, want := range map[string]string{
		`{custom: {legal_form: LCC}}`:                              `examples[0].facts.custom.legal_form "LCC" is not one of the choices; did you mean LLC?`,
		`{custom: {legal_form: 5}}`:                                `examples[0].facts.custom.legal_form is not of the type TEXT: write a text, in quotes`,
		`{custom: {legl_form: LLC}}`:                               `examples[0].facts.custom.legl_form is not a declared fact; did you mean custom.legal_form?`,
		`{custom: {other: LLC}}`:                                   `examples[0].facts.custom.other is not a declared fact: declare it under facts; declared are custom.chargebacks, custom.first_sale_date, custom.legal_form, custom.markets, custom.reserve, custom.sells_cbd, custom.pep, custom.roles, custom.shares`,
		`{custom: {roles: [DIRECTOR]}}`:                            `examples[0].facts.custom.roles is a fact of persons: write it in the custom of each person`,
		`{persons: [{person_id: p1, custom: {sells_cbd: true}}]}`:  `examples[0].facts.persons[0].custom.sells_cbd is a fact of the business: write it in the custom of the facts themselves`,
		`{persons: [{person_id: p1, custom: {roles: [DIRECTR]}}]}`: `examples[0].facts.persons[0].custom.roles "DIRECTR" is not one of the choices; did you mean DIRECTOR?`,
		`{custom: {first_sale_date: 2026-02-30}}`:                  `examples[0].facts.custom.first_sale_date a date is written YYYY-MM-DD`,
		`{custom: {reserve: -5}}`:                                  `examples[0].facts.custom.reserve an amount is 0 or more, and below 10000000000000`,
		`{custom: {markets: [US, US]}}`:                            `examples[0].facts.custom.markets "US" is in the list twice`,
		`{custom: {sells_cbd: null}}`:                              `examples[0].facts.custom.sells_cbd is null: write true or false, a number, a text or a list of texts, or leave the name out`,
		`{custom: [LLC]}`:                                          `examples[0].facts.custom must be an object and is a list`,
	} {
		require.Equal(t, []string{want}, check(facts, `{documents: []}`), facts)
	}
	require.Contains(t, check(`{}`, `{gaps: [custom.sells_cbd]}`)[0], "examples[0].expect.gaps[0] custom.sells_cbd is not a fact that can be missing")
	require.Contains(t, check(`{}`, `{gaps: [custom.legl_form]}`)[0], "did you mean custom.legal_form?")
}
