package author

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
)

// positions are problems as they are shown, path line:column, with the beginning of
// the message.
func positions(problems []requirement.Problem) []string {
	var shown []string
	for _, p := range problems {
		words := strings.Fields(p.Message)
		shown = append(shown, fmt.Sprintf("%d:%d %s: %s", p.Line, p.Column, p.Path, strings.Join(words[:min(3, len(words))], " ")))
	}
	return shown
}

const ruleHead = "documents:\n  - document_type_code: A\n    name: n\n    category: c\n    requirement_text: r\n    entity_type: Business\n    "

// The line and column point to the misspelt name, in any form of the condition.
func TestProblem_OfAConditionHasItsPositionInTheFile(t *testing.T) {
	const wrong = "evaluation_scor"
	for name, when := range map[string]string{
		"plain":                        "when: highest_ticket_sale > 1 && evaluation_scor < 2",
		"plain, on several lines":      "when: highest_ticket_sale > 1\n      && highest_ticket_sale < 9\n\n      &&   evaluation_scor < 2",
		"on the next line":             "when:\n      highest_ticket_sale > 1 &&\n      evaluation_scor < 2",
		"folded":                       "when: >-\n      highest_ticket_sale > 1\n      && evaluation_scor < 2\n      && highest_ticket_sale < 9",
		"folded, with a blank line":    "when: >\n      highest_ticket_sale > 1\n\n      && evaluation_scor < 2\n",
		"folded, indented further":     "when: >\n      highest_ticket_sale > 1\n         && evaluation_scor < 2\n",
		"folded, with a note":          "when: >- # both\n      highest_ticket_sale > 1\n      && evaluation_scor < 2",
		"folded, indented by a number": "when: >2-\n      highest_ticket_sale > 1\n      && evaluation_scor < 2",
		"literal":                      "when: |\n      highest_ticket_sale > 1\n      && evaluation_scor < 2",
		"literal, kept":                "when: |+\n\n      highest_ticket_sale > 1\n      && evaluation_scor < 2\n\n",
		"literal, with a comment":      "when: |\n      highest_ticket_sale > 1 // é \"\n      && evaluation_scor < 2",
		"double quotes":                `when: "'é😀' != \"\\\\\" && \u0065\x76aluation_score > 1 && evaluation_scor < 2"`,
		"double quotes, several lines": "when: \"highest_ticket_sale > 1 \\\n      && highest_ticket_sale < 9\n      && \\\n  evaluation_scor < 2\"",
		"double quotes, a line in it":  `when: "highest_ticket_sale > 1\n && evaluation_scor < 2"`,
		"single quotes":                `when: 'industry_category_code.exists(c, c == ''0742'' || c == "''") && evaluation_scor < 2'`,
		"single quotes, several lines": "when: 'highest_ticket_sale > 1\n\n      && evaluation_scor < 2'",
	} {
		for _, end := range []string{"\n", "\r\n"} {
			file := strings.ReplaceAll("\ufeff"+ruleHead+when+"\n", "\n", end)
			requirePosition(t, CheckRuleSet(rulefile.YAMLFile([]byte(file))).Problems, "documents[0].when", file, wrong, name)
		}
	}
	for name, file := range map[string]string{
		"on one line":      `{"documents":[{"document_type_code":"A","name":"n","category":"c","requirement_text":"r","entity_type":"Business","when":"evaluation_scor < 2"}]}`,
		"indented by tabs": "{\n\t\"documents\": [\n\t\t{\n\t\t\t\"document_type_code\": \"A\", \"name\": \"n\", \"category\": \"c\", \"requirement_text\": \"r\", \"entity_type\": \"Business\",\n\t\t\t\"when\": \"highest_ticket_sale > 1 && evaluation_scor < 2\"\n\t\t}\n\t]\n}\n",
		"with escapes":     `{"documents":[{"document_type_code":"A","name":"\ud83d\ude00\/","category":"c","requirement_text":"r","entity_type":"Business","when":"'\ud83d\ude00\/' != \"\\\\\" \n\t&& \u0065valuation_score > 1 &&\r\n evaluation_scor < 2"}]}`,
	} {
		requirePosition(t, CheckRuleSet(rulefile.JSONFile([]byte(file))).Problems, "documents[0].when", file, wrong, name)
	}
}

func requirePosition(t *testing.T, problems []requirement.Problem, path, file, wrong, name string) {
	t.Helper()
	require.Len(t, problems, 1, name)
	before, _, found := strings.Cut(strings.TrimPrefix(file, "\ufeff"), wrong)
	require.True(t, found)
	line := strings.Count(before, "\n") + 1
	column := len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
	require.Equal(t, path, problems[0].Path)
	require.Equal(t, [2]int{line, column}, [2]int{problems[0].Line, problems[0].Column}, "%s: %s", name, problems[0].Message)
	require.NotContains(t, problems[0].Message, "of the condition")
}

func TestFile_FindsThePositionOfEveryCharacter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("([a-zé😀\"'\\\\:#>|&!%@`] ?|\n| ){1,40}x").Draw(t, "text")
		set := requirement.RuleSet{Documents: []requirement.DocumentRule{{When: text}}}
		for written, f := range map[string]*rulefile.File{
			string(set.YAML()):          rulefile.YAMLFile(set.YAML()),
			string(set.CanonicalJSON()): rulefile.JSONFile(set.CanonicalJSON()),
		} {
			require.Empty(t, f.Problems)
			lines := strings.Split(written, "\n")
			line, column := 1, 1
			for i, c := range []rune(text) {
				at := f.Locate(requirement.Problem{Path: "documents[0].when", Line: line, Column: column})
				require.Empty(t, at.Message, "%q in %q", text, written)
				if strings.ContainsRune("abcxyzé:>", c) {
					require.Equal(t, string(c), string([]rune(lines[at.Line-1])[at.Column-1]), "%d of %q in %q", i, text, written)
				}
				if column++; c == '\n' {
					line, column = line+1, 1
				}
			}
		}
	})
}

func TestCheck_ReportsAllProblemsInTheOrderOfTheFile(t *testing.T) {
	checked := CheckRuleSet(rulefile.YAMLFile([]byte(`lists:
  codes: [7995, "0742"]
documents:
  - document_type_code: FIRST
    nmae: n
    category: c
    entity_type: business
    when: evaluation_scor > 5
  - document_type_code: SECOND
    name: n
    category: c
    requirement_text: r
    entity_type: Person
    when: ! (person.citizenship == "US")
  - name: n
    category: c
    requirement_text: r
    entity_type: Person
    when: >-
      person.citizenship == "US"
      && person.ownership_percentage = 25
  - {}
examples:
  - name: x
    facts: {score: 5}
    expect: {documents: []}
  - facts: {evaluation_score: 5}
    expect: {documents: []}
`)))
	require.Nil(t, checked.Program)
	require.Equal(t, []string{
		"2:11 lists.codes[0]: must be text",
		"4:5 documents[0].requirement_text: is missing",
		"5:5 documents[0].nmae: is not a",
		`7:18 documents[0].entity_type: "business" is not`,
		"8:11 documents[0].when: evaluation_scor is not",
		"14:11 documents[1].when: YAML reads !",
		"15:5 documents[2].document_type_code: is missing",
		"21:38 documents[2].when: = does not",
		"22:5 documents[3].document_type_code: is missing", "22:5 documents[3].name: is missing", "22:5 documents[3].category: is missing",
		"22:5 documents[3].requirement_text: is missing", "22:5 documents[3].entity_type: is missing: write",
		"25:13 examples[0].facts.score: is not a",
		"27:5 examples[1]: has no name:",
	}, positions(checked.Problems))

	// The same of a JSON file.
	checked = CheckRuleSet(rulefile.JSONFile([]byte("{\n\t\"documents\": [\n\t\t{\"nmae\": 5},\n\t\t{\"document_type_code\": \"A\", \"name\": \"n\", \"category\": \"c\", \"entity_type\": \"Business\"}\n\t]\n}")))
	require.Equal(t, []string{
		"3:3 documents[0].document_type_code: is missing", "3:3 documents[0].category: is missing",
		"3:3 documents[0].requirement_text: is missing", "3:3 documents[0].entity_type: is missing: write",
		"3:4 documents[0].nmae: is not a", "3:12 documents[0].nmae: must be text", "3:12 documents[0].name: is missing",
		"4:3 documents[1].requirement_text: is missing",
	}, positions(checked.Problems))
}

func TestCheck_LocatesWarningsAndExamplesInTheFile(t *testing.T) {
	file := ruleHead + "when: >\n      evaluation_score > 500\n      || 1.5 / average_individual_sale > 2\nexamples:\n  - {name: a, facts: {evaluation_score: 5, average_individual_sale: 1}, expect: {documents: []}}\n  - name: b\n    expect: {documents: []}\n"
	_, problems := RunExamples(t.Context(), rulefile.YAMLFile([]byte(file+"x: y\n")))
	require.Equal(t, []string{"14:1 x: is not a"}, positions(problems))
	_, problems = RunExamples(t.Context(), rulefile.JSONFile([]byte("{\"documents\": []")))
	require.Equal(t, []string{"1:17 : is not JSON:"}, positions(problems))
	run, problems := RunExamples(t.Context(), rulefile.YAMLFile([]byte(file)))
	require.Empty(t, problems)
	require.Equal(t, [2]int{12, 5}, [2]int{run.Results[1].Line, run.Results[1].Column})
	require.NotEmpty(t, run.Results[1].Failure)

	checked := CheckRuleSet(rulefile.YAMLFile([]byte(file)))
	require.Equal(t, []string{"12:5 examples[1]: \"b\" expects nothing;"}, positions(checked.Problems))
	without, _, _ := strings.Cut(file, "examples:")
	checked = CheckRuleSet(rulefile.YAMLFile([]byte(without)))
	require.NotNil(t, checked.Program)
	require.Equal(t, []string{"1:1 examples: there are none:", "9:14 documents[0].when: when average_individual_sale is"}, positions(checked.Warnings))

	priced := CheckPricingModel(rulefile.YAMLFile([]byte("base: 500\nrules:\n  - name: a\n    when: evaluation_score > 1\n    points: x\n")))
	require.Equal(t, []string{"4:11 rules[0].when: evaluation_score is what", "5:13 rules[0].points: must be a"}, positions(priced.Problems))
}

// Nothing is reported twice, and problems without a position come last.
func TestCheck_ReportsParseAndCompileProblemsTogether(t *testing.T) {
	fine := ruleHead + "when: evaluation_score > 1\n"
	require.NotNil(t, CheckRuleSet(rulefile.YAMLFile([]byte(fine))).Program)
	checked := CheckRuleSet(rulefile.YAMLFile([]byte(fine + "x: y\n")))
	require.Nil(t, checked.Program)
	require.Equal(t, []string{"8:1 x: is not a"}, positions(checked.Problems))
	require.Empty(t, checked.Warnings)

	checked = CheckRuleSet(rulefile.YAMLFile([]byte(ruleHead + "when: evaluation_scor > 1\nexamples:\n  - facts: {evaluation_score: 5}\n    expect: {documents: []}\n")))
	require.Equal(t, []string{"7:11 documents[0].when: evaluation_scor is not", "9:5 examples[0]: has no name:"}, positions(checked.Problems))

	checked = checkRuleSet(rulefile.YAMLFile([]byte("x: y\n"+fine+"z: y\n")), requirement.Options{EnvironmentVersion: requirement.Newest().EnvironmentVersion + 1})
	require.Equal(t, []string{"1:1 x: is not a", "9:1 z: is not a", "0:0 : the rules were"}, positions(checked.Problems))

	checked = CheckRuleSet(rulefile.YAMLFile([]byte("documents: [5]\nlists: {a: [x]}\n")))
	require.Equal(t, []string{"1:13 documents[0]: must be an"}, positions(checked.Problems), "what it lacks has been told by that")

	run, problems := RunExamples(t.Context(), rulefile.YAMLFile([]byte(fine+"examples:\n  - {name: a, facts: {evaluation_score: 5}, expect: {documents: [A]}}\n")))
	require.Empty(t, problems)
	require.Empty(t, run.Results[0].Failure)
	require.Equal(t, []string{"2:5 documents[0]: every example requires", "7:11 documents[0].when: evaluation_score > 1:"}, positions(run.Untried))

	priced := CheckPricingModel(rulefile.YAMLFile([]byte("base: 500\nrules:\n  - name: a\n    when: highest_ticket_sale > 1\n    points: 0\n")))
	require.Empty(t, priced.Problems)
	require.NotNil(t, priced.Pricing)
	require.Equal(t, []string{"5:13 rules[0].points: are 0, so"}, positions(priced.Warnings))
	priced = CheckPricingModel(rulefile.JSONFile([]byte(`{"base":500,"rules":[{"name":"a","when":"highest_ticket_sale > 1","points":5}]}`)))
	require.Empty(t, priced.Warnings)
	require.NotNil(t, priced.Pricing)
}

func TestCheck_RefusesHostileFiles(t *testing.T) {
	for name, input := range map[string]string{
		"too large":        strings.Repeat(" ", requirement.MaxSourceBytes+1),
		"deep":             strings.Repeat("[", 100_000),
		"deep objects":     strings.Repeat(`{"a":`, 100_000),
		"many names":       "{" + strings.Repeat(`"a":1,`, 170_000) + `"b":1}`,
		"many items":       `{"documents":[` + strings.Repeat(`1,`, 500_000) + `1]}`,
		"many documents":   `{"documents":[` + strings.Repeat(`{},`, 300_000) + `{}]}`,
		"doubling aliases": "a: &a [x]\nb: &b [*a,*a]\nc: &c [*b,*b]\ndocuments: [*c,*c]\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, open := range []func([]byte) *rulefile.File{rulefile.JSONFile, rulefile.YAMLFile} {
				checked := CheckRuleSet(open([]byte(input)))
				require.Nil(t, checked.Program)
				require.NotEmpty(t, checked.Problems)
				require.LessOrEqual(t, len(checked.Problems), rulefile.MaxProblems)
			}
		})
	}
}

func TestWarning_OfATextCutOffHasItsPosition(t *testing.T) {
	checked := CheckRuleSet(rulefile.YAMLFile([]byte("documents:\n  - document_type_code: A\n    name: n\n    category: c\n    requirement_text: r\n    entity_type: Business\n    when: evaluation_score > 5 # && business_age_years > 3\n")))
	require.Empty(t, checked.Problems)
	for _, w := range checked.Warnings {
		if strings.Contains(w.Message, "the start of a comment") {
			require.Equal(t, "7:11 documents[0].when", fmt.Sprintf("%d:%d %s", w.Line, w.Column, w.Path))
			require.NotContains(t, w.Message, "of the condition")
			return
		}
	}
	t.Fatal("the text is cut off, and nothing says so", checked.Warnings)
}
