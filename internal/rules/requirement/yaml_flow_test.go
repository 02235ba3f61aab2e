package requirement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/rulefile"
)

func TestYAML_MistakesInBracketsHaveTheirPosition(t *testing.T) {
	const (
		first = "documents:\n  - {document_type_code: A, name: A, category: F, requirement_text: t, entity_type: Business}\n"
		entry = "  - {document_type_code: B, name: "

		missing = "a comma or a closing bracket is missing before this: a text with , : [ ] { or } must stand in quotes"
		noEnd   = "this bracket has no end"
		begins  = "a text without quotes cannot begin with this character: put the whole text in quotes"
	)
	for file, want := range map[string]string{
		first + entry + "B [x](y), category: F}\n":                                             "3:37 is not YAML: " + missing,
		first + entry + "B, when: 'p' in [\"FR\", \"DE\"]}\n":                                  "3:48 is not YAML: " + missing,
		first + entry + "B, when: person.citizenship in [\"FR\", \"DE\"]}\n":                   "3:66 is not YAML: " + missing,
		first + entry + "B, when: [a] in lists.b, category: F}\n":                              "3:48 is not YAML: " + missing,
		first + entry + "Bank: the proof, category: F}\n":                                      "3:39 is not YAML: " + missing,
		first + entry + "@B}\n":                                                                "3:35 is not YAML: " + begins,
		first + entry + "B, when: !(custom.form==\"LLC\")}\n":                                  "3:44 is not YAML: " + begins,
		"definitions:\n  a: '!b\nlists: {x: '!c'}\n":                                           "3:13 is not YAML: " + "a quotation mark before this has no end",
		first + entry + "B,, category: F}\n":                                                   "3:37 is not YAML: " + "nothing stands before this comma: delete it",
		first + entry + "B}}\n":                                                                "3:37 is not YAML: " + "the brackets end before this: one that opens is missing, or one that closes is too many",
		first + entry + "B, category: [c}\n":                                                   "3:50 is not YAML: " + missing,
		first + entry + "\"B}\n":                                                               "3:35 is not YAML: " + "this quotation mark has no end",
		first + entry + "B\n" + "  - {document_type_code: C}\n":                                "3:5 is not YAML: " + noEnd,
		first + entry + "\"B\"\n     category: F}\n":                                           "4:6 is not YAML: " + missing,
		first + entry + "B\n     category: F}\n":                                               "4:14 is not YAML: " + missing,
		"examples:\n  - facts: {persons: [{person_id: p1}]\n    expect: {documents: []}\n":     "2:12 is not YAML: " + noEnd,
		"{\"documents\": [\n  {\"name\": \"A\" \"category\": \"c\"}\n]}\n":                     "2:16 is not YAML: " + missing,
		"documents: []\nexamples:\n- {name: 'it''s', facts: {a: ü [x]}, expect: {gaps: []}}\n": "3:32 is not YAML: " + missing,
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
		require.Len(t, problems, 1, "%s\n%v", file, problems)
		p := problems[0]
		require.Equal(t, want, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Message), file)
	}
}

// When a file in brackets lacks one character, the message is not YAML's own. It has the position of
// the line or one soon after it.
func TestYAML_EachMissingCharacterInBracketsIsExplained(t *testing.T) {
	t.Parallel()
	const file = "documents:\n" +
		"  - {document_type_code: A, name: \"A, b\", category: 'F', requirement_text: t, entity_type: Business, when: \"persons.exists(p, true)\"}\n" +
		"examples:\n" +
		"  - name: e\n" +
		"    facts: {industry_category_code: [\"0742\", '1'], persons: [{person_id: p1,\n" +
		"      citizenship: US}]} # a note\n" +
		"    expect: {documents: [A, {document_type_code: B, person_id: p1}]}\n" +
		"  - {name: f, facts: {}, expect: {documents: []}}\n"
	require.Empty(t, rulefile.YAMLFile([]byte(file)).Problems)
	refused := 0
	for at := range file {
		f := rulefile.YAMLFile([]byte(file[:at] + file[at+1:]))
		if f.Readable() || file[at] == '\n' {
			continue
		}
		problems := f.Problems
		refused++
		require.NotEmpty(t, problems)
		line, _ := rulefile.LineColumn(file, at)
		p := problems[0]
		require.NotContains(t, p.Message, "did not find", "without character %d %q: %v", at, file[at-5:min(len(file), at+5)], p)
		require.NotContains(t, p.Message, "mapping values", "without character %d: %v", at, p)
		require.LessOrEqual(t, max(p.Line-line, line-p.Line), 3, "without character %d, on line %d: %v", at, line, p)
		require.NotZero(t, p.Column)
	}
	require.Greater(t, refused, 20)
}

func TestYAML_MissingBlankAfterDashHasItsPosition(t *testing.T) {
	for file, want := range map[string]string{
		"documents:\n  -document_type_code: A\n   name: N\n":                                  "2:3 ",
		"documents:\n  - document_type_code: A\n    name: N\n  -document_type_code: B\n":      "4:3 ",
		"lists:\n  a:\n    -\"US\"\n    -\"CA\"\ndocuments: []\n":                             "3:5 lists.a: ",
		"documents: []\nexamples:\n-name: N\n facts: {}\n":                                    "3:1 ",
		"lists:\n  a:\n    -US\n    -CA\ndocuments: []\n":                                     "3:5 lists.a: ",
		"documents:\n  -document_type_code: A\n  -document_type_code: B\n":                    "2:3 documents: ",
		"documents: []\nexamples:\n  - {name: N, facts: {}, expect: {documents: [-A, -B]}}\n": "",
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
		if want == "" {
			require.False(t, slices.ContainsFunc(problems, func(p Problem) bool { return strings.Contains(p.Message, "blank after") }), "%v", problems)
			continue
		}
		require.NotEmpty(t, problems, file)
		p := problems[0]
		require.Contains(t, p.Message, "put a blank after the dash", file)
		path := ""
		if p.Path != "" {
			path = p.Path + ": "
		}
		require.Equal(t, want, fmt.Sprintf("%d:%d %s", p.Line, p.Column, path), file)
	}
}

func TestYAML_CommaInABracketedTextIsReportedOnce(t *testing.T) {
	const head = "documents: []\nexamples:\n  - name: e\n    expect: {documents: []}\n"
	for file, want := range map[string]string{
		head + "    facts: {average_monthly_credit_sales: 50,000, highest_ticket_sale: 4}\n":                                                                                "5:43 examples[0].facts.average_monthly_credit_sales: a comma ends a number in brackets: " + plainDigits,
		head + "    facts: {average_monthly_credit_sales: 1,050,000.25}\n":                                                                                                  "5:43 examples[0].facts.average_monthly_credit_sales: a comma ends a number in brackets: " + plainDigits,
		head + "    facts:\n      average_monthly_credit_sales: 50 000\n":                                                                                                   "6:37 examples[0].facts.average_monthly_credit_sales: must be a number and is text: " + plainDigits,
		head + "    facts:\n      average_monthly_credit_sales: 1.050.000\n":                                                                                                "6:37 examples[0].facts.average_monthly_credit_sales: must be a number and is text: " + plainDigits,
		head + "    facts: {average_monthly_credit_sales: 50_000}\n":                                                                                                        "5:43 examples[0].facts.average_monthly_credit_sales: 50_000 is not a plain number: " + plainDigits,
		"documents:\n  - {document_type_code: A, name: Proof, of, sorts, category: c, requirement_text: t, entity_type: Business}\n":                                        "2:42 documents[0].name: a comma ends a text in brackets: put the whole text of name in quotes",
		"documents:\n  - {document_type_code: A, name: n, category: c, requirement_text: t, entity_type: Business, when: persons.exists(p, p.ownership_percentage > 25)}\n": "2:119 documents[0].when: a comma ends a text in brackets: put the whole text of when in quotes",
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
		require.Len(t, problems, 1, "%s\n%v", file, problems)
		p := problems[0]
		require.Equal(t, want, fmt.Sprintf("%d:%d %s: %s", p.Line, p.Column, p.Path, p.Message), file)
	}
	_, problems := ReadRuleSet(rulefile.YAMLFile([]byte("documents: []\nexamples:\n  - {name: e, facts: {x}, expect: {documents: []}}\n")))
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "is not a name that belongs here")
}
