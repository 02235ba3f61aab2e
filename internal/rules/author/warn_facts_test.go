package author

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

const ownFacts = `facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [SOLE_PROPRIETOR, LLC, CORPORATION], label: legal form, ask: The legal form.}
  - {name: sells_cbd, entity_type: Business, type: BOOLEAN, default: false, label: sells CBD, ask: Whether the business sells CBD.}
  - {name: rate, entity_type: Business, type: NUMBER, label: rate, ask: The rate.}
  - {name: markets, entity_type: Business, type: TEXT_LIST, label: markets, ask: The markets.}
  - {name: note, entity_type: Business, type: TEXT, label: note, ask: A note.}
  - {name: opens, entity_type: Workflow, type: DATE, label: opening, ask: The day of the opening.}
  - {name: pep, entity_type: Person, type: BOOLEAN, label: politically exposed, ask: Whether this person is.}
`

func checkedOwn(t *testing.T, when, examples string) []string {
	t.Helper()
	file := ownFacts + "documents:\n  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, when: '" + when + "'}\n" + examples
	checked := CheckRuleSet(rulefile.YAMLFile([]byte(file)))
	require.Empty(t, checked.Problems, when)
	var found []string
	for _, w := range checked.Warnings {
		found = append(found, string(w.Severity)+" "+w.Path+": "+w.Message)
	}
	return found
}

// TestWarnings_OfDeclaredFacts: they get the analyses that built-in facts get.
func TestWarnings_OfDeclaredFacts(t *testing.T) {
	t.Parallel()
	for when, want := range map[string]string{
		`custom.legal_form == "LLC" && custom.legal_form == "CORPORATION"`:                                           "because no value equals both",
		`custom.legal_form != "LLC" && custom.legal_form != "CORPORATION" && custom.legal_form != "SOLE_PROPRIETOR"`: "are never true together",
		`custom.legal_form in ["LLC", "CORPORATION", "SOLE_PROPRIETOR"]`:                                             "is always true: the choices of custom.legal_form are SOLE_PROPRIETOR, LLC, CORPORATION",
		`custom.legal_form.startsWith("X")`:                                                                          "but no record can contain it: the choices of custom.legal_form are",
		`size(custom.legal_form) > 15`:                                                                               "is never true",
		`custom.sells_cbd && !custom.sells_cbd`:                                                                      "are never true together",
		`custom.rate > 10000000000000`:                                                                               "a number is above -10000000000000",
		`size(custom.markets) > 100`:                                                                                 "is never true: at most 100 markets are on record",
		`size(custom.markets) >= 0`:                                                                                  "is always true",
		`custom.markets.exists(m, m == "US" && m == "CA")`:                                                           "because no value equals both",
		`10 / size(custom.markets) > 1`:                                                                              "begin with size(custom.markets) != 0",
		`10 / custom.rate > 1`:                                                                                       "begin with custom.rate != 0",
		`custom.opens == date("1970-01-01")`:                                                                         "programs write 1970-01-01 where no date is known",
		`persons.exists(p, p.custom.pep && !p.custom.pep)`:                                                           "are never true together",
		`size(custom.note) > 200`:                                                                                    "is never true: a text has 1 to 200 characters",
	} {
		found := checkedOwn(t, when, "")
		require.True(t, strings.Contains(strings.Join(found, "\n"), want), "%s\n%s\n%s", when, want, strings.Join(found, "\n"))
	}
	for _, when := range []string{
		`custom.legal_form == "LLC" || custom.legal_form == "CORPORATION"`, `custom.opens > date("2999-01-01")`, `size(custom.markets) == 0 || custom.markets.all(m, m != "US")`,
		`custom.rate < -5 || custom.rate > 5.000001`, `persons.exists(p, p.custom.pep)`, `custom.note.contains("x") && size(custom.note) < 200`, `custom.sells_cbd != persons.exists(p, p.custom.pep)`,
	} {
		for _, w := range checkedOwn(t, when, "") {
			require.NotContains(t, w, "documents[0].when", when)
		}
	}
}

// TestWarnings_OfDeclarations: what nobody has stated reads as an answer, and what nothing uses or
// tries is told.
func TestWarnings_OfDeclarations(t *testing.T) {
	t.Parallel()
	const tried = `examples:
  - {name: a, facts: {custom: {rate: 6}}, expect: {documents: [A]}}
  - {name: b, facts: {custom: {rate: 5}}, expect: {documents: []}}
`
	all := strings.Join(checkedOwn(t, `custom.rate > 5 || custom.sells_cbd`, tried), "\n")
	require.Contains(t, all, "WARNING facts[1].default: counts what nobody has stated as false: leave the default out if the service should ask for it")
	require.Contains(t, all, "WARNING facts[1]: no example states custom.sells_cbd: add one that does")
	for _, i := range []string{"0", "3", "4", "5", "6"} {
		require.Contains(t, all, "WARNING facts["+i+"]: ")
	}
	require.Contains(t, all, "facts[6]: pep is used by no rule")
	require.NotContains(t, all, "facts[2]")

	all = strings.Join(checkedOwn(t, `custom.rate > 5 || persons.exists(p, p.custom.pep)`, `examples:
  - {name: a, facts: {no_persons_attested: true}, expect: {gaps: [custom.rate]}}
`), "\n")
	require.Contains(t, all, "HINT facts[2]: no example states custom.rate: add one that does")
	require.Contains(t, all, "HINT facts[6]: no example states custom.pep: add one that does")
	require.Contains(t, strings.Join(checkedOwn(t, `custom.rate > 5`, tried+"  - {name: c, facts: {custom: {rate: 4}}, expect: {documents: []}}\n"), "\n"), "is used by no rule")

	// A date from which a document is due is used.
	due := "documents:\n  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, due_within: 1 month, due_from: custom.opens}\n"
	checked := CheckRuleSet(rulefile.YAMLFile([]byte(ownFacts + due)))
	require.Empty(t, checked.Problems)
	require.False(t, slices.ContainsFunc(checked.Warnings, func(w requirement.Problem) bool { return w.Path == "facts[5]" }))

	// The threshold of a declared fact is tried as that of a built-in one.
	all = strings.Join(checkedOwn(t, `custom.rate > 5`, strings.ReplaceAll(tried, "rate: 5", "rate: 4")), "\n")
	require.Contains(t, all, "custom.rate > 5: no example has custom.rate exactly 5")
	require.NotContains(t, strings.Join(checkedOwn(t, `custom.rate > 5`, tried), "\n"), "no example has")

	model := CheckPricingModel(rulefile.YAMLFile([]byte(ownFacts + "base: 1\nrules: [{name: n, when: custom.rate > 5, points: 1}]\n")))
	require.Empty(t, model.Problems)
	all = ""
	for _, w := range model.Warnings {
		all += w.Path + ": " + w.Message + "\n"
	}
	require.Contains(t, all, "facts[0]: legal_form is used by no rule")
	require.Contains(t, all, "facts[1].default: counts what nobody has stated as false")
	require.NotContains(t, all, "facts[2]")

	hidden := CheckRuleSet(rulefile.YAMLFile([]byte("facts: [{name: f, entity_type: Business, type: BOOLEAN, label: \"a\\u202eb\", ask: a}]\ndocuments: []\n")))
	require.True(t, slices.ContainsFunc(hidden.Warnings, func(w requirement.Problem) bool {
		return w.Path == "facts[0].label" && strings.Contains(w.Message, "U+202E")
	}))
}

// TestWarnings_OfExcludedDocuments: an example with a misspelt code would hold whatever the rules say.
func TestWarnings_OfExcludedDocuments(t *testing.T) {
	t.Parallel()
	const file = `documents:
  - {document_type_code: PASSPORT, name: Passport, category: c, requirement_text: r, entity_type: Person, when: person.citizenship == "US"}
examples:
  - {name: a, facts: {persons: [{person_id: p1, citizenship: CA}]}, expect: {excludes: [PASSPORT, PASPORT, {document_type_code: PASSPORT, person_id: p1}, {document_type_code: PASSPORT, entity_type: Business}, {document_type_code: PASSPORT, person_id: p9}]}}
`
	checked := CheckRuleSet(rulefile.YAMLFile([]byte(file)))
	require.Empty(t, checked.Problems)
	said := map[string]string{}
	for _, w := range checked.Warnings {
		if strings.Contains(w.Path, "excludes") {
			said[w.Path] = w.Message
		}
	}
	require.Equal(t, map[string]string{
		"examples[0].expect.excludes[1]": "no rule requires PASPORT of this entity, so this always holds; did you mean PASSPORT?",
		"examples[0].expect.excludes[3]": "no rule requires PASSPORT of this entity, so this always holds",
		"examples[0].expect.excludes[4]": "the facts have no person p9, so this always holds",
	}, said)
}

// TestWarnings_OfTermsOfDocuments: their texts go out to applicants, and alternatives tell rules apart.
func TestWarnings_OfTermsOfDocuments(t *testing.T) {
	t.Parallel()
	const file = `documents:
  - {document_type_code: A, name: Proof, category: c, requirement_text: r, entity_type: Business, explanation: "a\u202eb", legal_basis: "a\u202eb",
     any_of: [{document_type_code: B, name: "a\u202eb"}, {document_type_code: C, name: n, requirement_text: "a\u202eb"}]}
  - {document_type_code: D, name: Proof, category: c, requirement_text: r, entity_type: Business, any_of: [{document_type_code: E, name: n}, {document_type_code: F, name: n}]}
`
	checked := CheckRuleSet(rulefile.YAMLFile([]byte(file)))
	require.Empty(t, checked.Problems)
	var paths []string
	for _, w := range checked.Warnings {
		if w.Severity == requirement.SeverityWarning {
			paths = append(paths, w.Path)
		}
	}
	require.ElementsMatch(t, []string{"documents[0].explanation", "documents[0].legal_basis", "documents[0].any_of[0].name", "documents[0].any_of[1].requirement_text"}, paths)
}

// TestWarnings_OfAskedWhen: the condition is looked at as those of rules are, and a default that
// counts only where nobody is asked is no answer that nobody gave.
func TestWarnings_OfAskedWhen(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		`custom.legal_form == "LLC"`:                                       "",
		`custom.legal_form == "LLC" && custom.legal_form == "CORPORATION"`: "so nobody is asked for the fact",
		`country != "US" || country != "CA"`:                               "one is always true",
		`true`:                                                             "refers to no fact, so it is always true",
		`country in lists.abroad`:                                          "",
		`highest_ticket_sale / average_individual_sale > 5`:                "begin with average_individual_sale != 0",
		`business_age_years < 50.000`:                                      "write 50000 for thousands",
		"country == \"U\u200bS\"":                                          "holds U+200B",
	} {
		file := fmt.Sprintf(`facts:
  - {name: legal_form, entity_type: Business, type: TEXT, choices: [SOLE_PROPRIETOR, LLC, CORPORATION], label: legal form, ask: The legal form.}
  - {name: bearer, entity_type: Business, type: BOOLEAN, default: false, asked_when: '%s', label: bearer shares, ask: Are there any?}
`, asked)
		for name, check := range map[string]func() Checked{
			"rules": func() Checked {
				return CheckRuleSet(rulefile.YAMLFile([]byte(file + "lists: {abroad: [CA]}\ndocuments:\n  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, when: 'custom.bearer && custom.legal_form == \"LLC\" && country in lists.abroad'}\n")))
			},
			"pricing": func() Checked {
				checked := CheckPricingModel(rulefile.YAMLFile([]byte(file + "base: 1\nrules:\n  - {name: r, points: 1, when: 'custom.bearer && custom.legal_form == \"LLC\"'}\n")))
				return Checked{Problems: checked.Problems, Warnings: checked.Warnings}
			},
		} {
			if name == "pricing" && (strings.Contains(asked, "lists.") || strings.Contains(asked, "\u200b")) {
				continue
			}
			checked := check()
			require.Empty(t, checked.Problems, asked)
			said := ""
			for _, w := range checked.Warnings {
				if strings.HasPrefix(w.Path, "facts[1]") && w.Severity == requirement.SeverityWarning && !strings.Contains(w.Message, "no example states") {
					require.Equal(t, "facts[1].asked_when", w.Path)
					said += w.Message
				}
			}
			if want == "" {
				require.Empty(t, said, "%s %s", name, asked)
				continue
			}
			require.Contains(t, said, want, "%s %s", name, asked)
		}
	}
	list := `facts:
  - {name: bearer, entity_type: Business, type: BOOLEAN, default: false, asked_when: country in lists.abroad, label: bearer shares, ask: Are there any?}
lists: {abroad: [CA]}
documents:
  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, when: custom.bearer}
`
	for _, w := range CheckRuleSet(rulefile.YAMLFile([]byte(list))).Warnings {
		require.NotContains(t, w.Message, "is used by no rule")
	}
}
