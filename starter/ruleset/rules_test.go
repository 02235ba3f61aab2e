package ruleset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/docs"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulefile"
	"requisite/starter/cli"
	"requisite/starter/ruleset"
	"requisite/starter/startertest"
)

const oldRules = `lists:
  risky: ["7995"]
documents:
  - {document_type_code: OLD, name: Old business, category: c, requirement_text: t, entity_type: Business, when: business_age_years > 3}
  - {document_type_code: PASSPORT, name: Passport, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US"'}
  - {document_type_code: GONE, name: Gone, category: c, requirement_text: t, entity_type: Business}
`

const newRules = `lists:
  risky: ["7995", "5967"]
documents:
  - {document_type_code: OLD, name: Old business, category: c, requirement_text: t, entity_type: Business, when: business_age_years > 1000 || business_age_months < 3}
  - {document_type_code: PASSPORT, name: Passport, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US" && person.ownership_percentage >= 25'}
  - {document_type_code: NEW, name: Anything new, category: c, requirement_text: t, entity_type: Workflow}
`

const testedRules = `documents:
  - {document_type_code: PASSPORT, name: n, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != "US" && person.ownership_percentage >= 25'}
  - {document_type_code: STATEMENTS, name: n, category: c, requirement_text: t, entity_type: Business, when: 'evaluation_score < 500 || persons.exists(p, p.ownership_percentage > 70)'}
examples:
  - name: it holds
    facts: {evaluation_score: 400, persons: [{person_id: p1, citizenship: US, ownership_percentage: 100}]}
    expect: {documents: [STATEMENTS]}
  - name: it does not
    facts: {evaluation_score: 620.5, persons: [{person_id: p1, citizenship: CA, ownership_percentage: 60}, {person_id: p2, citizenship: CA, ownership_percentage: 40}]}
    expect: {documents: [STATEMENTS, {document_type_code: PASSPORT, person_id: p1}]}
  - name: a score is missing
    facts: {persons: [{person_id: p1, citizenship: US, ownership_percentage: 100}]}
    expect: {documents: []}
`

func TestRulesTest_CoverageListsUntriedRulesAndThresholds(t *testing.T) {
	path := startertest.RulesFile(t, "rules.yaml", `documents:
  - {document_type_code: STATEMENTS, name: Statements, category: c, requirement_text: t, entity_type: Business, when: average_monthly_credit_sales > 50000}
  - {document_type_code: PLAN, name: Plan, category: c, requirement_text: t, entity_type: Business, when: 'business_age_years < 2 || established_date < date("2001-02-03")'}
  - {document_type_code: PASSPORT, name: Passport, category: c, requirement_text: t, entity_type: Person, when: person.ownership_percentage >= 25 || size(persons) > 4}
examples:
  - name: one
    facts: {as_of: 2026-01-31, established_date: 2025-01-31, average_monthly_credit_sales: 50000, persons: [{person_id: p1, ownership_percentage: 25}]}
    expect: {documents: [PLAN, {document_type_code: PASSPORT, person_id: p1}]}
`)
	out, err := startertest.Run(t, "rules", "test", "--coverage", path)
	require.NoError(t, err)
	require.Equal(t, `ok    PATH: 1 example
      untried PATH:2:5: documents[0]: no example requires STATEMENTS: add one that does
      untried PATH:3:5: documents[1]: every example requires PLAN: add one that does not
      untried PATH:3:108: documents[1].when: business_age_years < 2: no example has business_age_years exactly 2
      untried PATH:3:134: documents[1].when: established_date < date("2001-02-03"): no example has established_date exactly 2001-02-03, and none makes it true
      untried PATH:4:5: documents[2]: every example requires PASSPORT: add one that does not
      untried PATH:4:113: documents[2].when: person.ownership_percentage >= 25: no example makes it false
      untried PATH:4:150: documents[2].when: size(persons) > 4: no example has exactly 4 persons on record, and none makes it true

1 example: 1 ok, 0 failed
`, strings.ReplaceAll(out, path, "PATH"))

	path = startertest.RulesFile(t, "rules.yaml", `documents:
  - {document_type_code: STATEMENTS, name: Statements, category: c, requirement_text: t, entity_type: Business, when: average_monthly_credit_sales > 50000}
examples:
  - {name: at, facts: {average_monthly_credit_sales: 50000}, expect: {documents: []}}
  - {name: above, facts: {average_monthly_credit_sales: 50000.01}, expect: {documents: [STATEMENTS]}}
`)
	out, err = startertest.Run(t, "rules", "test", "--coverage", path)
	require.NoError(t, err)
	require.Contains(t, out, "nothing is untried")
}

func TestRulesTest_ShowsTheDifferencesOfFailedExamples(t *testing.T) {
	path := startertest.RulesFile(t, "rules.yaml", testedRules)
	out, err := startertest.Run(t, "rules", "test", "-v", path)
	require.Equal(t, cli.ExitFailed, cli.ExitCode(new(bytes.Buffer), err))
	require.Equal(t, `ok    it holds
FAIL  it does not
      PATH:8:5
      - expected   + given by the rules
      - document STATEMENTS of the business
      + document PASSPORT of person p2
      PASSPORT of person p2: required
        person.citizenship != "US" && person.ownership_percentage >= 25  = true
        ├─ person.citizenship != "US"  = true
        │  └─ person.citizenship  = "CA"
        └─ person.ownership_percentage >= 25  = true
           └─ person.ownership_percentage  = 40
      STATEMENTS of the business: not required
        evaluation_score < 500 || persons.exists(p, p.ownership_percentage > 70)  = false
        ├─ evaluation_score < 500  = false
        │  └─ evaluation_score  = 620.5
        └─ persons.exists(p, p.ownership_percentage > 70)  = false
           ├─ persons  = ["p1", "p2"]
           ├─ [p = p1] p.ownership_percentage > 70  = false
           │  └─ p.ownership_percentage  = 60
           └─ [p = p2] p.ownership_percentage > 70  = false
              └─ p.ownership_percentage  = 40
FAIL  a score is missing
      PATH:11:5
      - expected   + given by the rules
      + missing evaluation_score (needed by STATEMENTS)
FAIL  PATH: 2 of 3 examples failed

3 examples: 1 ok, 2 failed
`, strings.ReplaceAll(out, path, "PATH"))

	out, err = startertest.Run(t, "rules", "test", path)
	require.Error(t, err)
	require.NotContains(t, out, "it holds")
}

func TestRulesTest_SeveralFiles(t *testing.T) {
	out, err := startertest.Run(t, "rules", "test", "../../examples/rules/us-card-acquirer.yaml", "../../examples/rules/eu-payment-facilitator.yaml")
	require.NoError(t, err, out)
	require.Regexp(t, `(?m)^ok    \.\./\.\./examples/rules/us-card-acquirer\.yaml: 10 examples$`, out)
	require.Regexp(t, `(?m)^\d+ examples: \d+ ok, 0 failed$`, out)
	require.Equal(t, 4, strings.Count(out, "\n"), "without -v only the files are told: %s", out)

	broken := startertest.RulesFile(t, "broken.yaml", "documents: 5\n")
	none := startertest.RulesFile(t, "none.json", `{"documents":[]}`)
	out, err = startertest.Run(t, "rules", "test", broken, none)
	require.Equal(t, cli.ExitFailed, cli.ExitCode(new(bytes.Buffer), err))
	require.Contains(t, out, broken+":1:12: documents: must be a list")
	require.Contains(t, out, "?     "+none+": no examples\n")
	require.Contains(t, out, "0 examples: 0 ok, 0 failed; 1 file that cannot be tested\n")

	_, err = startertest.Run(t, "rules", "test", none, "nothing-here.yaml")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestRulesDiff_TwoFiles(t *testing.T) {
	before, after := startertest.RulesFile(t, "old.yaml", oldRules), startertest.RulesFile(t, "new.yaml", newRules)
	out, err := startertest.Run(t, "rules", "diff", before, after)
	require.Equal(t, ruleset.ExitDifferent, cli.ExitCode(new(bytes.Buffer), err))
	require.Equal(t, `--- OLD
+++ NEW

+ document NEW (Workflow): Anything new
    when: always required
- document GONE (Business): Gone
~ document OLD (Business)
    when
    - business_age_years > 3
    + business_age_years > 1000 || business_age_months < 3
~ document PASSPORT (Person)
    when
    - person.citizenship != "US"
    + person.citizenship != "US" && person.ownership_percentage >= 25
~ list risky
    + "5967"

Facts needed from now on, which are new gaps wherever they are not on file:
    person.ownership_percentage, by PASSPORT
`, strings.NewReplacer(before, "OLD", after, "NEW").Replace(out))

	out, err = startertest.Run(t, "rules", "diff", after, before)
	require.Error(t, err)
	require.Contains(t, out, "Facts not needed any more:\n    person.ownership_percentage, by PASSPORT\n")

	out, err = startertest.Run(t, "rules", "diff", before, before)
	require.NoError(t, err)
	require.Contains(t, out, "the same content")
}

func TestRulesDiff_ExitCodes(t *testing.T) {
	file := startertest.RulesFile(t, "rules.yaml", oldRules)
	broken := startertest.RulesFile(t, "broken.yaml", "documents: 5\n")
	for _, c := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{file}, ruleset.ExitNotCompared, "--account"},
		{[]string{}, ruleset.ExitNotCompared, "name one file: starter rules diff FILE"},
		{[]string{file, file, file}, ruleset.ExitNotCompared, "name one file: starter rules diff FILE"},
		{[]string{file, "--colour"}, ruleset.ExitNotCompared, "--colour"},
		{[]string{file, file, "--account", "sb_1"}, ruleset.ExitNotCompared, "without --account"},
		{[]string{file, "nothing-here.yaml"}, ruleset.ExitNotCompared, "nothing-here.yaml"},
		{[]string{file, broken}, cli.ExitRefused, ""},
	} {
		_, err := startertest.Run(t, append([]string{"rules", "diff"}, c.args...)...)
		var told bytes.Buffer
		require.Equal(t, c.want, cli.ExitCode(&told, err), "%v: %v", c.args, err)
		require.Contains(t, told.String(), c.says)
	}
	require.Equal(t, cli.ExitFailed, cli.ExitCode(new(bytes.Buffer), errors.New("x")))
	require.Equal(t, 0, cli.ExitCode(nil, nil))
}

func TestRules_PublishGetAndDiff(t *testing.T) {
	b := startertest.Setup(t)
	before, after := startertest.RulesFile(t, "old.yaml", oldRules), startertest.RulesFile(t, "new.yaml", newRules)

	_, err := b.Try("rules", "get", "--account", b.Account)
	require.ErrorContains(t, err, "no rules in force")
	out, err := b.Try("rules", "diff", before, "--account", b.Account)
	require.Equal(t, ruleset.ExitDifferent, cli.ExitCode(new(bytes.Buffer), err))
	require.Contains(t, out, "--- no rules in force\n")
	require.Contains(t, out, "+ document GONE (Business): Gone\n")

	out = b.Publish(before, "--comment", "to begin\u202e with")
	require.Regexp(t, `^\S+:1:1: hint: examples: there are none: .*\n\S+:2:10: warning: lists\.risky: is used by no rule\nversion 1 \(rul_\w+\) is in force\n  published \S+Z by OPERATOR: to begin\\u202e with\n$`, out)
	first := regexp.MustCompile(`rul_\w+`).FindString(out)

	out = b.Publish(before, "--comment", "again")
	require.Contains(t, out, "version 1 ("+first+") is in force already, with the same content; nothing was published\n")
	require.Contains(t, out, "by OPERATOR: to begin")
	require.Contains(t, out, "the comment was not kept")
	require.Contains(t, b.MustRun("rules", "diff", before, "--account", b.Account), "the same content")

	b.Publish(after)
	out = b.MustRun("rules", "get", "--account", b.Account, "--version", first)
	require.Regexp(t, `^# version 1 \(`+first+`\)\n# published \S+Z by OPERATOR: to begin`, out)
	shown, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(out)))
	require.Empty(t, problems)
	written, problems := requirement.ReadRuleSet(rulefile.YAMLFile([]byte(oldRules)))
	require.Empty(t, problems)
	require.Equal(t, written, shown, "what is shown is a rule file with the same content")
	require.Contains(t, b.MustRun("rules", "get", "--account", b.Account), "document_type_code: NEW")

	require.Contains(t, b.MustRun("rules", "diff", before, "--account", b.Account, "--version", first), "the same content")
	require.Contains(t, b.MustRun("rules", "diff", before, "--account", b.Account, "--version", "1"), "the same content")
	require.Equal(t, out, b.MustRun("rules", "get", "--account", b.Account, "--version", "1"), "a version has a number, too")
	for _, none := range []string{"3", "0", "-1", "first"} {
		_, err = b.Try("rules", "get", "--account", b.Account, "--version", none)
		require.ErrorContains(t, err, "no version "+none+"; `starter rules list`")
	}
	_, err = b.Try("rules", "diff", before, "--account", b.Account)
	require.Equal(t, ruleset.ExitDifferent, cli.ExitCode(new(bytes.Buffer), err))

	unknown := "rul_" + strings.Repeat("1", 21)
	_, err = b.Try("rules", "get", "--account", b.Account, "--version", unknown)
	require.ErrorContains(t, err, "no version "+unknown)
	_, err = b.Try("rules", "diff", before, "--account", b.Account, "--version", unknown)
	require.Equal(t, ruleset.ExitNotCompared, cli.ExitCode(new(bytes.Buffer), err))
}

// oversizedRules require more of fifty persons than a run can carry.
func oversizedRules() string {
	var file strings.Builder
	file.WriteString("documents:\n")
	for i := range 60 {
		fmt.Fprintf(&file, "  - {document_type_code: DOC_%d, name: A document, category: c, requirement_text: t, entity_type: Person, when: 'person.citizenship != \"US\" && person.ownership_percentage >= 25'}\n", i)
	}
	return file.String()
}

func TestRules_TooLargeForARunAreRefused(t *testing.T) {
	b := startertest.Setup(t)
	file := startertest.RulesFile(t, "rules.yaml", oversizedRules())
	for _, args := range [][]string{{"rules", "validate", file}, {"rules", "publish", file, "--as-operator", b.Account}, {"rules", "preview", file, "--account", b.Account}} {
		out, err := b.Try(args...)
		require.Equal(t, cli.ExitRefused, cli.ExitCode(new(bytes.Buffer), err), out)
		require.Regexp(t, `^`+file+`:2:3: documents: may require 3000 documents at once of a business with 50 persons, `, out)
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM rule_set`))

	smaller := startertest.RulesFile(t, "smaller.yaml", strings.Join(strings.SplitAfter(oversizedRules(), "\n")[:31], ""))
	require.Regexp(t, `:2:3: warning: documents: may require 6000 documents at once of a business with 200 persons`, b.MustRun("rules", "validate", smaller))
	out := b.Publish(smaller)
	require.Regexp(t, `warning: documents: may require 6000 documents`, out)
	require.Contains(t, out, "version 1 (")
}

func TestRulesPublish_KeepsThePublisher(t *testing.T) {
	b := startertest.Setup(t)
	file := startertest.RulesFile(t, "rules.yaml", newRules)
	for _, by := range []string{"", " ", "Ada\x1b[2J", "Ada\nKing", strings.Repeat("é", cli.MaxOperatorName+1), "SYSTEM"} {
		_, err := b.Try("rules", "publish", file, "--as-operator", b.Account, "--as", by)
		require.ErrorContains(t, err, "--as must be a name of 1 to 100 characters on one line", "%q", by)
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM rule_set`))
	require.Contains(t, b.Publish(file, "--as", " Ada   King "), "by Ada King\n", "surplus blanks are no part of a name")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM operator_action WHERE operator = 'Ada King'`))
	require.Contains(t, b.Publish(file, "--as", "Bob"), "by Ada King\n", "the same content stays whose it was")
}

func TestPricingValidate_ReportsLineAndColumn(t *testing.T) {
	path := startertest.RulesFile(t, "pricing.yaml", "base: 500.5\nrules:\n  - {name: Any, when: business_age_years >= 0, points: 1.5}\n")
	out, err := startertest.Run(t, "pricing", "validate", path)
	require.NoError(t, err)
	require.Equal(t, `PATH:3:23: warning: rules[0].when: business_age_years >= 0 is always true: an age is 0 or more, in whole months or years; so its points are always added: make them part of the base if you mean that
PATH: base 500.5, 1 rule(s); facts needed: business_age_years
`, strings.ReplaceAll(out, path, "PATH"))

	path = startertest.RulesFile(t, "pricing.yaml", "base: 500\nrules:\n  - {name: A, when: website != 5, points: 10}\n")
	out, err = startertest.Run(t, "pricing", "validate", path)
	require.Error(t, err)
	require.Contains(t, out, path+":3:21: rules[0].when: website is on record, but rules cannot use it")

	models, err := filepath.Glob("../../examples/pricing/*")
	require.NoError(t, err)
	for _, model := range models {
		out, err := startertest.Run(t, "pricing", "validate", model)
		require.NoError(t, err, out)
		require.NotRegexp(t, "warning|hint", out, model)
	}
}

func TestRulesValidate_ReportsLineAndColumn(t *testing.T) {
	for content, want := range map[string]string{
		"": ":1:1: the file is empty\n",
		"documents:\n  - {document_type_code: A, name: n, category: c, requirement_text: t, entity_type: Business, when: evaluaton_score > 3}\n": ":2:101: documents[0].when: evaluaton_score is not the name of a fact; did you mean evaluation_score?",
	} {
		path := startertest.RulesFile(t, "rules.yaml", content)
		out, err := startertest.Run(t, "rules", "validate", path)
		require.ErrorIs(t, err, cli.ErrRefused)
		require.True(t, strings.HasPrefix(out, path+want), out)
	}
	out, err := startertest.Run(t, "rules", "validate", "../../examples/rules/us-card-acquirer.yaml")
	require.NoError(t, err, out)
	require.Contains(t, out, "facts needed: ")

	out, err = startertest.Run(t, "rules", "validate", startertest.RulesFile(t, "rules.yaml", `
facts:
  - {name: form, entity_type: Business, type: TEXT, choices: [A, B], default: A, label: form, ask: The form.}
  - {name: roles, entity_type: Person, type: TEXT_LIST, choices: [A, B], default: [], label: roles, ask: The roles.}
  - {name: code, entity_type: Business, type: TEXT, label: code, ask: The code.}
  - {name: votes, entity_type: Person, type: NUMBER, default: 0, asked_when: "custom.code == 'X'\n || person.person_id != ''", label: votes, ask: The votes.}
documents:
  - {document_type_code: A, name: n, category: c, requirement_text: t, entity_type: Person, when: '"A" in person.custom.roles || custom.form == custom.code && person.custom.votes > 5'}
`))
	require.NoError(t, err, out)
	require.Contains(t, out, "facts needed: custom.code, custom.form (has a default), person.custom.roles (has a default), "+
		"person.custom.votes (asked when custom.code == 'X' || person.person_id != ''), person.person_id")
}

// TestRulesValidate_WarnsBesideExamplesThatFail: a warning may say why one fails.
func TestRulesValidate_WarnsBesideExamplesThatFail(t *testing.T) {
	path := startertest.RulesFile(t, "rules.yaml", `documents:
  - {document_type_code: PASSPORT, name: n, category: c, requirement_text: t, entity_type: Person, when: person.ownership_percentage > 100}
examples:
  - name: the owner of all
    facts: {persons: [{person_id: p1, ownership_percentage: 100}]}
    expect: {documents: [{document_type_code: PASSPORT, person_id: p1}]}
`)
	out, err := startertest.Run(t, "rules", "validate", path)
	require.Error(t, err)
	require.Regexp(t, `(?m)^\S+:2:\d+: warning: documents\[0\]\.when: `, out)
	require.Contains(t, out, "the owner of all")
}

func TestSchema_PrintsThePublishedSchema(t *testing.T) {
	for command, want := range map[string][]byte{"rules": docs.RulesSchema, "pricing": docs.PricingSchema} {
		out, err := startertest.Run(t, command, "schema")
		require.NoError(t, err)
		require.Equal(t, string(want), out)
		require.True(t, json.Valid([]byte(out)))
	}
}
