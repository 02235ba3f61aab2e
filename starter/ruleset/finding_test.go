package ruleset_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/starter/startertest"
)

const foundRules = oldRules + `findings:
  - {finding_code: ABROAD, kind: REVIEW, name: Owner abroad, message: Look at the funds., entity_type: Person, when: 'person.citizenship != "US"'}
`

// TestFindings_AreShownBesideTheDocuments by each command that tries or explains rules.
func TestFindings_AreShownBesideTheDocuments(t *testing.T) {
	b := startertest.Setup(t)
	old, found := startertest.RulesFile(t, "old.yaml", oldRules), startertest.RulesFile(t, "found.yaml", foundRules)
	stricter := startertest.RulesFile(t, "stricter.yaml", strings.Replace(foundRules, "REVIEW", "DECLINE", 1))
	b.Publish(old)
	b.DecideByRules(b.Workflow)

	out, _ := startertest.Run(t, "rules", "diff", old, found)
	require.Contains(t, out, "+ finding ABROAD (Person): Owner abroad\n    kind: REVIEW\n    when: person.citizenship != \"US\"\n")
	out, _ = startertest.Run(t, "rules", "diff", found, stricter)
	require.Contains(t, out, "~ finding ABROAD (Person)\n    kind\n    - REVIEW\n    + DECLINE\n")

	csv := filepath.Join(t.TempDir(), "changes.csv")
	out = b.MustRun("rules", "preview", found, "--account", b.Account, "--csv", csv)
	require.Contains(t, out, "  1 would change: ")
	require.Regexp(t, `\nFindings\n +CODE +KIND +OF +BEGIN +END +WHERE\n +ABROAD +REVIEW +Person +1 +0 `, out)
	text, err := os.ReadFile(csv)
	require.NoError(t, err)
	require.Regexp(t, `,ADDED,,ABROAD,Person,`+b.Person+`,"Owner abroad: found because `, string(text))
	out = b.MustRun("rules", "preview", found, "--account", b.Account, "--workflow", b.Workflow)
	require.Contains(t, out, "\nfindings that begin\n  REVIEW ABROAD of person "+b.Person+"\n      Owner abroad: found because ")
	out = b.MustRun("rules", "backtest", found, "--account", b.Account, "--since", "2020-01-01")
	require.Contains(t, out, "\nfinding ABROAD of Person\n")
	require.Regexp(t, `\nFindings\n +CODE +KIND +OF +BEGIN +END +WHERE\n +ABROAD +REVIEW +Person +1 +0 +in 1 application: dec_`, out)

	b.Publish(found)
	b.DecideByRules(b.Workflow)
	out = b.MustRun("rules", "preview", stricter, "--account", b.Account, "--workflow", b.Workflow)
	require.Contains(t, out, "\nfindings that begin\n  DECLINE ABROAD of ")
	require.Contains(t, out, "\nfindings that end\n  REVIEW ABROAD of ")
	out = steps(b)
	require.Contains(t, out, "finding ABROAD of ")
	require.Contains(t, out, "; 1 finding evaluated, 1 found\n")
}

func TestRulesTest_AcceptsFindings(t *testing.T) {
	file := startertest.RulesFile(t, "found.yaml", foundRules+`examples:
  - name: it
    facts: {as_of: 2026-03-01, established_date: 2025-09-01, persons: [{person_id: p1, citizenship: CA}]}
    expect: {documents: [], findings: []}
`)
	out, err := startertest.Run(t, "rules", "test", file)
	require.Error(t, err)
	require.Contains(t, out, "+ finding ABROAD of person p1\n")
	_, err = startertest.Run(t, "rules", "test", file, "--accept", "it")
	require.NoError(t, err)
	_, err = startertest.Run(t, "rules", "test", file)
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "findings: [{finding_code: ABROAD, person_id: p1}]")
}
