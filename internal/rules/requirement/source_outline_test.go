package requirement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/rulefile"
)

const outlined = `lists:
  risky: ["7995", "5967"]

documents:
  - document_type_code: A
    name: "A: quoted"
    # a comment
    category: c
    requirement_text: |
      One: line.
      - two
    entity_type: Business
    when: >-
      business_age_years < 2 &&
      evaluation_score > 5
  - document_type_code: B
    name: B
    category: c
    requirement_text: plain text
      that goes on
    entity_type: Business
    when:
      business_age_years < 2
examples:
- name: e
  facts:
    as_of: 2026-01-01
    industry_category_code: [a,
      b]
  expect: {documents: []}
`

// A line that is moved to the left or to the right is the one that is named, or one
// soon after it, where that is the first that no longer fits.
func TestYAML_IndentationMistakeIsReportedNearItsLine(t *testing.T) {
	t.Parallel()
	lines := strings.Split(outlined, "\n")
	require.Empty(t, rulefile.YAMLFile([]byte(outlined)).Problems)
	found, exact := 0, 0
	for i, line := range lines[:len(lines)-1] {
		for indent := range 12 {
			changed := slices.Clone(lines)
			changed[i] = strings.Repeat(" ", indent) + strings.TrimLeft(line, " ")
			f := rulefile.YAMLFile([]byte(strings.Join(changed, "\n")))
			if f.Readable() {
				continue
			}
			problems := f.Problems
			require.Len(t, problems, 1)
			p := problems[0]
			require.Contains(t, p.Message, "is not YAML: indent ", "line %d at %d: %v", i+1, indent, p)
			require.GreaterOrEqual(t, p.Line, i+1, "line %d at %d: %v", i+1, indent, p)
			require.LessOrEqual(t, p.Line, i+5, "line %d at %d: %v", i+1, indent, p)
			found++
			if p.Line == i+1 {
				exact++
			}
		}
	}
	require.Greater(t, exact*3, found*2, "most are named themselves: %d of %d", exact, found)
}

func TestYAML_MistakesHaveTheirPosition(t *testing.T) {
	const head = "documents:\n  - document_type_code: A\n    name: n\n    category: c\n    requirement_text: r\n    entity_type: Business\n"
	for file, want := range map[string]string{
		head + "   when: business_age_years < 2\n":                               "7:4 is not YAML: indent this line as deep as the names above it",
		head + "  when: business_age_years < 2\n":                                "7:3 is not YAML: indent this line as deep as the names above it",
		head + "      when: business_age_years < 2\n":                            "7:7 is not YAML: indent this line as deep as the names above it, or put a colon after the name above it",
		head + " - document_type_code: B\n":                                      "7:2 is not YAML: indent this line as deep as the dashes above it",
		head + "    when:\nbusiness_age_years < 2\n":                             "8:1 is not YAML: indent this text further than the name above it; or if it is a name, put a colon and a blank after it",
		head + "    when: >-\n    business_age_years < 2\n":                      "8:5 is not YAML: indent this text further than the name above it; or if it is a name, put a colon and a blank after it",
		head + "    when: business_age_years < 2\n    && evaluation_score > 5\n": "8:5 is not YAML: indent this text further than the name above it; or if it is a name, put a colon and a blank after it",
		head + "    when: 'business_age_years < 2\n":                             "7:11 is not YAML: this quotation mark has no end",
		head + "    when: business_age_years < 2\nexamples: [\n":                 "9:1 is not YAML: a value or a closing bracket is missing before this",
		head + "---\n" + head:                                                    "7:1 two files are joined here by ---: keep one",
		"---\n" + head + "---\n":                                                 "8:1 two files are joined here by ---: keep one",
		"documents:\n  # caf\xe9\n":                                              "2:8 this character is not UTF-8: save the file as UTF-8",
		"\xff\xfed\x00o\x00":                                                     "1:1 this character is not UTF-8: save the file as UTF-8",
		"documents: []\n# \x07\n":                                                "2:3 holds the control character U+0007: take it out",
		head + "when: business_age_years < 2\n":                                  "7:1 is not a name that belongs here; indent it as deep as the other names of the entry; the names are definitions, documents, examples, facts, findings, lists",
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
		require.Len(t, problems, 1, "%s\n%v", file, problems)
		p := problems[0]
		require.Equal(t, want, fmt.Sprintf("%d:%d %s", p.Line, p.Column, p.Message), file)
	}
	for _, file := range []string{`{"documents": [{"name": "caf` + "\xe9" + `"}]}`} {
		_, problems := ParseRuleSetJSON([]byte(file))
		require.Equal(t, []Problem{{Message: "this character is not UTF-8: save the file as UTF-8", Line: 1, Column: 29}}, problems)
	}
}

// Without a blank after the colon YAML reads one text, and everything else would
// seem to be missing.
func TestYAML_MissingBlankAfterColonIsReportedOnce(t *testing.T) {
	for file, want := range map[string]string{
		"documents:\n  - document_type_code:A\n": "2:5 documents[0]: must be an object and is text: put a blank after the colon",
		"documents:\n  - {document_type_code:A, name: n, category: c, requirement_text: r, entity_type: Business}\n": "2:6 documents[0].document_type_code: put a blank after the colon",
		"documents:[]\n": "1:1 : must be an object and is text: put a blank after the colon",
	} {
		_, problems := ReadRuleSet(rulefile.YAMLFile([]byte(file)))
		require.Len(t, problems, 1, "%s\n%v", file, problems)
		p := problems[0]
		require.Equal(t, want, fmt.Sprintf("%d:%d %s: %s", p.Line, p.Column, p.Path, p.Message), file)
	}
}
