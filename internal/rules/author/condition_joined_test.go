package author

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/rulefile"
)

const joinedRules = `facts:
  - {name: form, entity_type: Business, type: TEXT, choices: [LLC, LTD, LLCS], label: form, ask: The form.}
  - {name: town, entity_type: Business, type: TEXT, label: town, ask: The town.}
lists: {table: [%s]}
documents:
  - {document_type_code: A, name: n, category: c, requirement_text: r, entity_type: Business, when: '%s'}
  - {document_type_code: B, name: m, category: c, requirement_text: s, entity_type: Business, when: '%s'}
`

func joinedWarnings(t *testing.T, entries, condition string) (found []string) {
	t.Helper()
	checked := CheckRuleSet(rulefile.YAMLFile(fmt.Appendf(nil, joinedRules, entries, condition, condition+" && country in [\"GB\", \"US\"]")))
	require.Empty(t, checked.Problems)
	for _, w := range checked.Warnings {
		if strings.Contains(w.Message, " can never be ") {
			found = append(found, w.Path+": "+w.Message)
		}
	}
	return found
}

// A misspelt entry of a table would silently require less.
func TestWarnings_OfTextsThatJoinedTextsCanNeverBe(t *testing.T) {
	t.Parallel()
	const table = `(country + "/" + custom.form) in lists.table`
	for entry, why := range map[string]string{
		"GB/LLC": "", "US/LLCS": "", "XK/LTD": "",
		"UK/LLC":  `"UK" is no value of country: a country is an ISO 3166-1 code of two capital letters, such as US, or XK; did you mean GB?`,
		"GB/LCC":  `"LCC" is not one of the choices of custom.form; did you mean LLC?`,
		"GB-LLC":  `"/" must follow "GB"`,
		"GB/LLC/": `nothing follows "GB/LLC"`,
	} {
		var want []string
		if why != "" {
			want = []string{fmt.Sprintf(`lists.table[1]: %q can never be country + "/" + custom.form: %s`, entry, why)}
		}
		require.Equal(t, want, joinedWarnings(t, `"GB/LTD", "`+entry+`"`, table), entry)
	}
	for condition, want := range map[string]int{
		`country + custom.form == "GBLLC"`:                       0,
		`country + custom.form != "GBLCC"`:                       2, // a warning in each rule
		`"GB/LCC" == country + "/" + custom.form`:                2,
		`country + "/" + custom.town in ["GB/Bath", "anything"]`: 2,
		`country + "/" + custom.town in ["GB/Bath"]`:             0, // any text may be a town
		`custom.form + custom.form == "LLCSLTD"`:                 0, // LLC, and LLCS
		`country + "/" + custom.form < "GB/LCC"`:                 0,
		// In a list, and as the element at hand of one.
		`[country + "/" + custom.form].exists(x, x == "GB/LCC")`:                                     2,
		`[country + "/" + custom.form].exists(x, x == "GB/LLC")`:                                     0,
		`"GB/LCC" in [country + "/" + custom.form]`:                                                  2,
		`persons.map(p, country + "/" + p.citizenship).exists(x, x == "UK/US")`:                      2,
		`persons.map(p, country + "/" + p.citizenship).exists(x, x == "GB/US")`:                      0,
		`"UK/US" in persons.map(p, country + "/" + p.citizenship)`:                                   2,
		`persons.map(p, country + "/" + p.citizenship).filter(x, x != "GB/US").all(x, x != "UK/US")`: 2,
		`persons.exists(p, [country + "/" + p.citizenship].map(x, x).exists(x, x == "UK/US"))`:       2,
		`(country == "US" ? country + "/" + custom.form : custom.form + "/" + country) == "US/LCC"`:  2,
		// It can be another text.
		`(country == "US" ? country + "/" + custom.form : custom.form + "/" + country) == "LLC/GB"`: 0,
		`(country == "US" ? country + "/" + custom.form : "none") == "none"`:                        0,
		`[country + "/" + custom.form, "none"].exists(x, x == "none")`:                              0,
		`["LLC", "LCC"].map(f, country + "/" + f).exists(x, x == "GB/LCC")`:                         0,
	} {
		require.Len(t, joinedWarnings(t, "", condition), want, condition)
	}
}
