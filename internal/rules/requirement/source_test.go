package requirement

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/rulefile"
)

// YAML takes a lone ! for a tag that says nothing, and the condition would be
// read as its contrary.
func TestYAML_NegationIsNeverReadAsATag(t *testing.T) {
	const head = "documents:\n  - document_type_code: A\n    name: n\n    category: c\n    requirement_text: r\n    entity_type: Business\n    "
	for _, c := range []struct {
		when         string
		line, column int
	}{
		{"when: ! (evaluation_score > 5)", 7, 11},
		{"when: !(evaluation_score > 5)", 7, 11},
		{"when:\n      ! (evaluation_score > 5)", 8, 7},
		{"when: !\n      evaluation_score > 5", 7, 11},
		{"when: !<!> evaluation_score > 5", 7, 11},
		{"when: ! 'evaluation_score > 5'", 7, 11},
		{"when: ! >-\n      evaluation_score > 5", 7, 11},
		{"{when: ! evaluation_score > 5}", 0, 0},
	} {
		for _, end := range []string{"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"} {
			file := strings.ReplaceAll(head+c.when+"\n", "\n", end)
			rs, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
			require.NotEmpty(t, problems, "%q: %v", file, rs)
			if c.line > 0 {
				require.Contains(t, problems[0].Message, ">-", "%q", file)
				require.Equal(t, []int{c.line, c.column}, []int{problems[0].Line, problems[0].Column}, "%q", file)
			}
		}
	}
	for _, when := range []string{"when: >-\n      !(evaluation_score > 5)", `when: "!(evaluation_score > 5)"`, "when: evaluation_score != 5"} {
		rs, problems := ReadRuleSet(rulefile.YAMLFile([]byte(head + when + "\n")))
		require.Empty(t, problems, when)
		require.Contains(t, rs.Documents[0].When, "!")
	}
}

func TestYAML_ProblemsSayWhatToWrite(t *testing.T) {
	for line, want := range map[string]string{
		`    when: "0742" in industry_category_code`:        "3:18 is not YAML: text follows the closing quotation mark or bracket: write >- after the colon",
		`    when: [1, 2].exists(x, x == evaluation_score)`: "3:17 is not YAML: text follows the closing quotation mark or bracket: write >- after the colon",
		`    when: evaluation_score > (a ? 5 : 6)`:          "3:37 is not YAML: the colon in this text ends a name: write >- after the colon",
		`    name: Statements: the last three`:              "3:21 is not YAML: the colon in this text ends a name",
		`    when: @a`:                                      "3:11 is not YAML: a text without quotes cannot begin with this character",
		`    when:true`:                                     "3:5 is not YAML: put a blank after the colon",
		"\tname: n":                                         "3:1 is not YAML: indent with blanks",
		`    - name: "a" b`:                                 `3:5 is not YAML: indent this line as deep as the dashes above it`,
		`    when: "evaluation_score > 5`:                   "3:11 is not YAML: this quotation mark has no end",
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte("documents:\n  - document_type_code: A\n" + line + "\n    category: c\n")))
		require.Len(t, problems, 1, line)
		require.Contains(t, fmt.Sprintf("%d:%d %s", problems[0].Line, problems[0].Column, problems[0].Message), want, line)
	}
	_, problems := ReadRuleSet(rulefile.YAMLFile([]byte("documents:\n  - when: \"a == \\\"b\\\" and\n      c\"\n    name: 'it''s' \n    category: a: b\n")))
	require.Len(t, problems, 1, "a text in quotes on several lines is not blamed")
	require.Equal(t, 5, problems[0].Line)
	// A value that is no YAML does not hide the next one.
	_, problems = ReadRuleSet(rulefile.YAMLFile([]byte("documents:\n  - name: \"a\" b\n    when: @a\n    category: >-\n      @x\n    entity_type: a: b\n")))
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	require.Equal(t, []int{2, 3, 6}, lines)
	// Lines that are as they should be are not blamed for another's mistake.
	_, problems = ReadRuleSet(rulefile.YAMLFile([]byte("documents: # \"a\" b\n  - name: \"a: b\" # c: d\n    when: >-\n      a ? b : c\n    category: [a, b] # c\n    requirement_text: 'it''s'\n    entity_type: | # x\n      \"a\" b\n   x: y\n")))
	require.Len(t, problems, 1)
	require.Equal(t, Problem{Message: "is not YAML: indent this line as deep as the names above it", Line: 9, Column: 4}, problems[0])
}

func TestJSON_ProblemsSayWhatToWrite(t *testing.T) {
	for file, want := range map[string]string{
		"{\"documents\": [\n  {\"name\": \"n\",}\n]}":                "2:15 is not JSON: delete the comma before the closing bracket",
		"{\"documents\": [\n  {\"name\": \"n\"},\n]}":                "2:16 is not JSON: delete the comma before the closing bracket",
		"{\"documents\": [\n  {'name': \"n\"}\n]}":                   "2:4 is not JSON: write texts and names in double quotes",
		"{\"documents\": [\n  {\"name\": “n”}\n]}":                   "2:12 is not JSON: this quotation mark is not plain",
		"{ // rules\n\"documents\": []}":                             "1:3 is not JSON: JSON has no comments",
		"{\"documents\": [\n  {\"name\": \"n\" \"category\": 1}\n]}": "2:16 is not JSON: a comma is missing before this",
		"{\"documents\": [\n  {\"name\": \"n\"} {}\n]}":              "2:17 is not JSON: ",
		"{\"documents\": [\n  {\"name\": \"n\"}\n":                   "2:16 is not JSON: it ends too early: a closing bracket is missing",
	} {
		_, problems := ParseRuleSetJSON([]byte(file))
		require.Len(t, problems, 1, file)
		require.Contains(t, fmt.Sprintf("%d:%d %s", problems[0].Line, problems[0].Column, problems[0].Message), want, file)
	}
}

// TestCompile_RefusesWhatCouldNotBeReadAgain: an expected document is a text in the file, and an
// object in the canonical form, which is stored.
func TestCompile_RefusesWhatCouldNotBeReadAgain(t *testing.T) {
	set := manyRules(700, "Business", "")
	for i := range 150 {
		e := Example{Name: fmt.Sprint("e", i)}
		for _, d := range set.Documents {
			e.Expect.Documents = append(e.Expect.Documents, ExpectedDocument{DocumentTypeCode: d.DocumentTypeCode})
		}
		set.Examples = append(set.Examples, e)
	}
	_, problems := Compile(set, Options{})
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "at most 1048576 are allowed")
	set.Examples = set.Examples[:20]
	_, problems = Compile(set, Options{})
	require.Empty(t, problems)
}

func TestParse_SaysWhatANullMustBe(t *testing.T) {
	_, problems := ReadRuleSet(rulefile.YAMLFile([]byte("documents: []\nexamples:\n  - name: x\n    facts: {}\n    expect:\n      documents:\n        -\n")))
	require.Len(t, problems, 1)
	require.Equal(t, "must be an object and is null: write a value, or leave it out if it is not needed", problems[0].Message)
}
