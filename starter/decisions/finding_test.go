package decisions_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const foundRules = oldRules + `findings:
  - {finding_code: ABROAD, kind: REVIEW, name: Owner abroad, message: Look at the funds., entity_type: Person, when: 'person.citizenship != "US"', legal_basis: Section 9}
  - {finding_code: YOUNG, kind: DECLINE, name: Young business, message: Too young., entity_type: Business, when: business_age_years < 1}
`

// TestDecisionShow_HasFindings in the words of then, and the record is made again alike.
func TestDecisionShow_HasFindings(t *testing.T) {
	b := &examined{bundle: setup(t)}
	b.publishRules(foundRules)
	made := b.DecideByRules(b.Workflow)
	b.setCitizenship("US")
	b.publishRules(newRules)
	ended := b.DecideByRules(b.Workflow)
	of := made.DecisionID.String()

	out := b.MustRun("decision", "show", of)
	require.Contains(t, out, "\nDocuments: 3 added. Findings: 1.\n")
	require.Contains(t, out, "\nFindings (1)\n\n  ABROAD, Owner abroad, of ")
	require.Regexp(t, `\n +Kind +REVIEW\n +Message +Look at the funds.\n +Legal basis +Section 9\n +Why +Owner abroad: found because [^\n]+\n`, out)
	require.Contains(t, out, "\n  finding YOUNG, Young business of Secret Name Ltd (")
	require.NotContains(t, b.MustRun("decision", "show", ended.DecisionID.String()), "ABROAD")

	out = b.MustRun("decision", "show", of, "--document", "ABROAD", "--steps")
	require.Contains(t, out, "finding ABROAD of ")
	require.Contains(t, out, ": found\n")
	require.Contains(t, out, "0 documents evaluated, 0 required; 1 finding evaluated, 1 found\n")
	require.NotContains(t, out, "PASSPORT")
	require.Contains(t, b.page(made), "<h3>Owner abroad, of ")

	b.MustRun("decision", "replay", "--account", b.Account)
	b.erase()
	out = b.MustRun("decision", "show", of)
	require.Contains(t, out, "ABROAD")
	require.NotContains(t, out, "found because")
	b.MustRun("decision", "verify", "--account", b.Account)
}
