package author

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// mistakesAt returns the warnings of a rule set at a path, without the hints.
func mistakesAt(t *testing.T, rs requirement.RuleSet, path string) string {
	t.Helper()
	var said []string
	for _, w := range likelyMistakes(t, rs) {
		if strings.HasPrefix(w.Path, path) {
			said = append(said, w.Message)
		}
	}
	return strings.Join(said, "\n")
}

func TestWarnings_OfALoopThatAsksForACodeOutsideOfAList(t *testing.T) {
	says := func(when string) string {
		rs := oneRule(fact.EntityPerson, when)
		rs.Facts = []fact.Declaration{{Name: "markets", EntityType: fact.EntityBusiness, Type: fact.DeclaredTextList, Label: "markets", Ask: "a"}}
		for _, name := range []string{"risky_trades", "licensed_trades", "usual_trades", "accepted_trades", "no_license_needed", "eea", "sanctioned_countries"} {
			rs.Lists[name] = []string{"1799", "5967"}
		}
		rs.Documents = append(rs.Documents, documentRule(fact.EntityBusiness, "industry_category_code.exists(c, c in lists.licensed_trades)"))
		rs.Documents[1].DocumentTypeCode = "LICENSE"
		return mistakesAt(t, rs, "documents[0].when")
	}
	const loop = "industry_category_code.exists(c, "
	for when, meant := range map[string]string{
		loop + "!(c in lists.risky_trades))":                                "write !industry_category_code.exists(c, c in lists.risky_trades); if you mean it, write !industry_category_code.all(c, c in lists.risky_trades)",
		loop + "!(c in lists.licensed_trades)) && country == \"US\"":        "write !industry_category_code.exists(c, c in lists.licensed_trades)",
		loop + "!(c in lists.risky_trades) && c != \"7995\")":               `write !industry_category_code.exists(c, c in lists.risky_trades || c == "7995")`,
		loop + "!(c == \"7995\"))":                                          `if none of its codes may be "7995", write !("7995" in industry_category_code)`,
		"custom.markets.exists(m, !(m in lists.sanctioned_countries))":      "write !custom.markets.exists(m, m in lists.sanctioned_countries)",
		"persons.exists(p, !(p.citizenship in lists.sanctioned_countries))": "write !persons.exists(p, p.citizenship in lists.sanctioned_countries)",
	} {
		require.Contains(t, says(when), meant, when)
	}
	for _, when := range []string{
		"!" + loop + "!(c in lists.risky_trades))", loop + "!(c in lists.accepted_trades))", loop + "!(c in lists.usual_trades))", loop + "!(c in [\"7995\", \"5967\"]))", loop + "!(c in lists.no_license_needed))", loop + "c in lists.risky_trades)",
		loop + "!(c in lists.risky_trades) && size(c) == 4)", "!industry_category_code.all(c, c in lists.risky_trades)",
		"custom.markets.exists(m, !(m in lists.eea))", "persons.exists(p, !(p.citizenship in [\"US\", \"CA\"]))", "persons.exists(p, !(person.citizenship in [\"US\", \"CA\"]) && p.citizenship == \"US\")",
	} {
		require.NotContains(t, says(when), "write !", when)
	}
}

// TestLint_AnotherWordIsNoCode: a list of words or places may well hold another.
func TestLint_AnotherWordIsNoCode(t *testing.T) {
	require.Empty(t, withoutHints(checkedOwn(t, `custom.markets.exists(m, m != "US")`, "")))
	require.Empty(t, withoutHints(checkedOwn(t, `custom.markets.exists(m, "online shops" != m)`, "")))
}

// withoutHints leaves out hints, and warnings about the declarations that a test shares.
func withoutHints(found []string) (mistakes []string) {
	for _, w := range found {
		if strings.HasPrefix(w, "WARNING documents") {
			mistakes = append(mistakes, w)
		}
	}
	return mistakes
}

func TestWarnings_OfACodeThatIsWrittenUnlikeTheOthers(t *testing.T) {
	for _, c := range []struct{ codes, want string }{
		{`["GB", "DE", "FR", "gbr"]`, `[3]: "gbr" is written unlike all other codes of the list, such as "GB": correct it`},
		{`["GB", "DE", "FR", "it"]`, `[3]: "it" is written unlike all other codes of the list: did you mean "IT"?`},
		{`["GB ", "DE", "FR"]`, `[0]: "GB " is written unlike all other codes of the list: did you mean "GB"?`},
		{`["GB", "DE", "FR", "USA"]`, `[3]: "USA" is written unlike`},
		{`["GB", "DE", "FR", "U5"]`, `[3]: "U5" is written unlike`},
		{`["541110", "541120", "541110x", "541310"]`, `[2]: "541110x" is written unlike all other codes of the list, such as "541310": correct it`},
		{`["541110", "541120", "54131", "541310"]`, `[2]: "54131" is written unlike`},
		{`["GB/LLC", "DE/SOLE_TRADER", "FR/PARTNERSHIP", "FR_LLC"]`, `[3]: "FR_LLC" is written unlike`},
		{`["GB/LLC", "DE/SOLE_TRADER", "FR/PARTNERSHIP", "fr/LLC"]`, `[3]: "fr/LLC" is written unlike all other codes of the list: did you mean "FR/LLC"?`},
		{`["LLC", "SOLE_TRADER", "PARTNERSHIP", "Nonprofit"]`, `[3]: "Nonprofit" is written unlike all other codes of the list: did you mean "NONPROFIT"?`},
		{`["EUR", "USD", "GBP", "CH1"]`, `[3]: "CH1" is written unlike`},

		{`["GB", "DE", "FR", "IT"]`, ""},
		{`["GB", "DE", "it"]`, ""},                   // too few
		{`["44", "45", "722", "5411"]`, ""},          // beginnings
		{`["LLC", "LTD", "PLC", "SOLE_TRADER"]`, ""}, // words
		{`["LLC", "LTD", "PLC", "CORPORATION"]`, ""},
		{`["Delaware", "Nevada", "Texas", "New York"]`, ""},
		{`["crypto", "gambling", "arms", "adult content"]`, ""},
		{`["GB/LLC", "DE/SOLE_TRADER", "FR/PARTNERSHIP", "FR/LLC"]`, ""},
		{`["7995", "5967", "541110", "541120"]`, ""}, // two of each
	} {
		const file = "facts: [{name: f, entity_type: Business, type: TEXT, label: f, ask: f}]\nlists:\n  codes: %s\ndocuments:\n" +
			"  - {document_type_code: D, name: n, category: c, requirement_text: r, entity_type: Business, when: 'custom.f in lists.codes'}\n"
		for path, source := range map[string]string{
			"lists.codes":       fmt.Sprintf(file, c.codes),
			"documents[0].when": fmt.Sprintf(strings.Replace(file, "lists.codes'", "%s'", 1), `["a"]`, c.codes),
		} {
			var said []string
			for _, w := range CheckRuleSet(rulefile.YAMLFile([]byte(source))).Warnings {
				if strings.HasPrefix(w.Path, path) && strings.Contains(w.Message, "unlike") {
					require.NotZero(t, w.Column)
					said = append(said, strings.TrimPrefix(w.Path, path)+": "+w.Message)
				}
			}
			want := c.want
			if _, message, found := strings.Cut(want, "]: "); found && path != "lists.codes" {
				want = ": " + message
			}
			require.True(t, want == "" && said == nil || want != "" && len(said) == 1 && strings.HasPrefix(said[0], want), "%s: %s", source, said)
		}
	}
	// Beginnings of codes have any length.
	rs := oneRule(fact.EntityBusiness, "industry_category_code.exists(c, lists.high_risk.exists(beginning, c.startsWith(beginning)))")
	rs.Lists["high_risk"] = []string{"52", "53", "55", "5411"}
	require.Empty(t, mistakesAt(t, rs, "lists"))
	// A fact whose codes are known checks them itself.
	rs = oneRule(fact.EntityBusiness, `country in ["US", "GB", "CA", "gbr"]`)
	require.NotContains(t, mistakesAt(t, rs, "documents"), "unlike")
	rs = oneRule(fact.EntityPerson, "person.citizenship in lists.places")
	rs.Lists["places"] = []string{"US", "GB", "CA", "XXA"}
	require.Empty(t, mistakesAt(t, rs, "lists.places"))
}

func TestWarnings_OfAChoiceThatNoRuleNames(t *testing.T) {
	const says = "no rule names %s, and rules name the other choices of form: name it in a rule, or add an example with it if nothing more is required then"
	form := func(choices ...string) fact.Declaration {
		return fact.Declaration{Name: "form", EntityType: fact.EntityBusiness, Type: fact.DeclaredText, Choices: choices, Label: "form", Ask: "a"}
	}
	legal := form("SOLE", "LLC", "CORPORATION", "PARTNERSHIP")
	warnings := func(d fact.Declaration, conditions ...string) string {
		rs := manyRules(len(conditions), fact.EntityBusiness, "")
		rs.Facts, rs.Lists = []fact.Declaration{d}, map[string][]string{"forms": {"LLC", "CORPORATION"}}
		for i, when := range conditions {
			if strings.HasPrefix(when, "definitions") {
				rs.Definitions = map[string]string{"company": `custom.form in ["LLC", "CORPORATION"]`}
			}
			rs.Documents[i].When = when
		}
		return mistakesAt(t, rs, "facts")
	}
	missing := func(choice string) string { return fmt.Sprintf(says, choice) }
	require.Equal(t, missing("PARTNERSHIP"), warnings(legal, `custom.form in lists.forms`, `custom.form == "SOLE"`))
	require.Equal(t, missing("PARTNERSHIP"), warnings(legal, `definitions.company`, `custom.form == "SOLE"`))
	require.Equal(t, missing("PARTNERSHIP"), warnings(legal, `custom.form == "LLC" || custom.form == "CORPORATION"`, `custom.form == "SOLE"`, `custom.form != "SOLE"`))
	require.Equal(t, missing("CORPORATION"), warnings(form("SOLE", "LLC", "CORPORATION"), `custom.form == "LLC"`, `custom.form == "SOLE"`))
	roles := form("OWNER", "DIRECTOR", "SIGNATORY", "SECRETARY")
	roles.Type = fact.DeclaredTextList
	require.Equal(t, missing("SECRETARY"), warnings(roles, `"OWNER" in custom.form`, `custom.form.exists(r, r == "DIRECTOR" || r == "SIGNATORY")`))

	other := legal
	other.Default = new(fact.Value)
	require.NoError(t, other.Default.UnmarshalJSON([]byte(`"PARTNERSHIP"`)))
	for _, c := range []struct {
		declared   fact.Declaration
		conditions []string
	}{
		{legal, []string{`custom.form in lists.forms`, `custom.form in ["SOLE", "PARTNERSHIP"]`}},
		{legal, []string{`custom.form == "LLC"`}},                                                                      // one case and the rest
		{legal, []string{`custom.form in lists.forms`}},                                                                // half of them
		{legal, []string{`custom.form != "SOLE"`, `custom.form != "LLC"`, `!(custom.form == "CORPORATION")`}},          // all but one
		{legal, []string{`custom.form in lists.forms`, `custom.form == "SOLE"`, `(country + custom.form) == "USLLC"`}}, // a table
		{legal, []string{`custom.form in lists.forms`, `custom.form == "SOLE"`, `custom.form.startsWith("P")`}},
		{form("SOLE", "LLC", "CORPORATION"), []string{`custom.form in lists.forms`}}, // the first
		{form("SOLE", "LLC", "CORPORATION"), []string{`custom.form == "SOLE"`, `custom.form == "LLC"`, `custom.form != "LLC"`}},
		{form("LLC", "CORPORATION", "OTHER"), []string{`custom.form == "LLC"`, `custom.form == "CORPORATION"`}},
		{form("HIGH", "MEDIUM", "LOW"), []string{`custom.form == "HIGH"`, `custom.form == "MEDIUM"`}},
		{other, []string{`custom.form in lists.forms`, `custom.form == "SOLE"`}},
	} {
		require.Empty(t, strings.ReplaceAll(warnings(c.declared, c.conditions...), "no example states custom.form: add one that does", ""), c)
	}
	rs := manyRules(2, fact.EntityBusiness, "")
	rs.Facts, rs.Documents[0].When, rs.Documents[1].When = []fact.Declaration{legal}, `custom.form in ["LLC", "CORPORATION"]`, `custom.form == "SOLE"`
	require.NotEmpty(t, mistakesAt(t, rs, "facts"))
	var stated fact.Value
	require.NoError(t, stated.UnmarshalJSON([]byte(`"PARTNERSHIP"`)))
	rs.Examples = []requirement.Example{{Name: "e", Facts: fact.ExampleFacts{Custom: map[string]fact.Value{"form": stated}}, Expect: requirement.Expectation{Documents: []requirement.ExpectedDocument{}}}}
	require.Empty(t, mistakesAt(t, rs, "facts"))
}

func TestWarnings_OfPercentagesAsFractions(t *testing.T) {
	declared := []fact.Declaration{
		{Name: "voting", EntityType: fact.EntityPerson, Type: fact.DeclaredNumber, Label: "share of votes, in percent", Ask: "a"},
		{Name: "chargebacks", EntityType: fact.EntityBusiness, Type: fact.DeclaredNumber, Label: "chargebacks in percent", Ask: "a"},
		{Name: "stake", EntityType: fact.EntityPerson, Type: fact.DeclaredNumber, Label: "stake", Ask: "a"},
	}
	says := func(when string) string {
		rs := oneRule(fact.EntityBusiness, when)
		rs.Facts = declared
		return mistakesAt(t, rs, "documents[0].when")
	}
	const quarter, all = "so a quarter is 25, not 0.25", "so all of it is 100, not 1"
	for when, want := range map[string]string{
		`persons.exists(p, p.ownership_percentage >= 0.25)`:                              quarter,
		`persons.exists(p, p.ownership_percentage >= 1 / 4)`:                             quarter,
		`persons.sum(p, p.ownership_percentage) > 0.75`:                                  "persons.sum(p, p.ownership_percentage) > 0.75: ownership is in percent, from 0 to 100, " + quarter,
		`0.5 <= persons.filter(p, p.citizenship == "US").sum(p, p.ownership_percentage)`: quarter,
		`persons.map(p, p.ownership_percentage).sum(share, share) < 0.25`:                quarter,
		`persons.sum(p, p.ownership_percentage) < 1`:                                     all,
		`persons.sum(p, p.ownership_percentage) == 1`:                                    all,
		`persons.exists(p, p.ownership_percentage + p.custom.voting > 0.25)`:             quarter,
		`persons.exists(p, p.custom.voting >= 0.25)`:                                     "custom.voting is in percent, " + quarter,
		`persons.sum(p, p.custom.voting) >= 0.5`:                                         quarter,
	} {
		require.Contains(t, says(when), want, when)
		require.Equal(t, 1, strings.Count(says(when), " is in percent"), says(when))
	}
	for _, when := range []string{
		`persons.sum(p, p.ownership_percentage) > 75`, `persons.sum(p, p.ownership_percentage) > 0`, `persons.sum(p, p.ownership_percentage) / 100 >= 0.75`, `persons.sum(p, p.ownership_percentage / 100) > 0.75`,
		`custom.chargebacks > 0.9`, `persons.sum(p, p.custom.stake) > 0.25`, `persons.exists(p, p.ownership_percentage >= 1)`, `size(persons) > 0.5`,
		`persons.sum(p, p.ownership_percentage) - custom.chargebacks > 0.5`, `persons.exists(p, p.ownership_percentage * 1 / 100 >= 0.25)`,
	} {
		require.NotContains(t, says(when), "in percent", when)
	}
}

func TestWarnings_OfExactSumsOfShares(t *testing.T) {
	for _, when := range []string{
		`persons.sum(p, p.ownership_percentage) == 100`, `100 == persons.sum(p, p.ownership_percentage)`, `persons.sum(p, p.ownership_percentage) != 100`,
		`persons.map(p, p.ownership_percentage).sum(s, s) == 100`, `persons.sum(p, p.ownership_percentage) in [100]`, `persons.sum(p, p.ownership_percentage) / 100 == 1`,
		`persons.sum(p, p.ownership_percentage) - 100 == 0`, `100 - persons.sum(p, p.ownership_percentage) != 0`, `persons.sum(p, p.ownership_percentage) >= 100`, `!(persons.sum(p, p.ownership_percentage) == 100)`,
		`persons.sum(p, p.ownership_percentage) < 100 && size(persons) > 1`, `(size(persons) > 1 ? persons.sum(p, p.ownership_percentage) : 100) == 100`,
	} {
		require.Contains(t, mistakesAt(t, oneRule(fact.EntityBusiness, when), "documents[0].when"), "three owners of a third each have 99.99 percent together", when)
	}
	for _, when := range []string{`persons.sum(p, p.ownership_percentage) >= 99.5`, `persons.sum(p, p.ownership_percentage) > 100.5`, `persons.sum(p, p.ownership_percentage) < 75`, `persons.exists(p, p.ownership_percentage == 100)`} {
		require.NotContains(t, mistakesAt(t, oneRule(fact.EntityBusiness, when), "documents[0].when"), "99.99", when)
	}
}

func TestWarnings_OfAgesByDaysOrTwoCounts(t *testing.T) {
	for when, count := range map[string]string{
		`days_since(person.date_of_birth) / 365 < 18`:                                          "years_since(person.date_of_birth)",
		`days_since(person.date_of_birth) / 365.25 >= 18`:                                      "years_since(person.date_of_birth)",
		`days_since(person.date_of_birth) < 18 * 365`:                                          "years_since(person.date_of_birth)",
		`days_since(person.date_of_birth) < 6570`:                                              "years_since(person.date_of_birth)",
		`days_since(established_date) > 3 * 365`:                                               "years_since(established_date)",
		`days_since(established_date) / 30 < 6`:                                                "months_since(established_date)",
		`days_between(person.date_of_birth, established_date) / 365 < 18`:                      "years_between(person.date_of_birth, established_date)",
		`days_between(person.date_of_birth, established_date) < 18 * 365`:                      "years_between(person.date_of_birth, established_date)",
		`years_since(person.date_of_birth) - business_age_years < 18`:                          "years_between(person.date_of_birth, established_date)",
		`years_since(person.date_of_birth) - years_since(established_date) < 18`:               "years_between(person.date_of_birth, established_date)",
		`years_since(person.date_of_birth) < business_age_years + 18`:                          "years_between(person.date_of_birth, established_date)",
		`business_age_years - years_since(person.date_of_birth) > -18`:                         "years_between(established_date, person.date_of_birth)",
		`(days_since(person.date_of_birth) - days_since(established_date)) / 365 < 18`:         "years_between(person.date_of_birth, established_date)",
		`months_since(person.date_of_birth) - business_age_months < 216`:                       "months_between(person.date_of_birth, established_date)",
		`persons.exists(p, years_since(p.date_of_birth) - years_since(established_date) < 18)`: "years_between(p.date_of_birth, established_date)",
	} {
		require.Contains(t, mistakesAt(t, oneRule(fact.EntityPerson, when), "documents[0].when"), "count ", when)
		require.Contains(t, mistakesAt(t, oneRule(fact.EntityPerson, when), "documents[0].when"), count, when)
		rs := oneRule(fact.EntityPerson, "definitions.age")
		rs.Definitions = map[string]string{"age": when}
		require.Contains(t, mistakesAt(t, rs, "definitions.age"), count, when)
	}
	for _, when := range []string{
		`years_since(person.date_of_birth) < 18`, `years_between(person.date_of_birth, established_date) < 18`, `days_since(established_date) < 90`, `business_age_months / 12 >= 1.5`, `days_between(person.date_of_birth, established_date) < 30`,
	} {
		require.Empty(t, mistakesAt(t, oneRule(fact.EntityPerson, when), "documents[0].when"), when)
	}
}
