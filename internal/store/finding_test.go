package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// publishFindings publishes rules with one document and these findings of the business.
func (b *bundle) publishFindings(findings ...requirement.FindingRule) {
	b.Helper()
	set := requirement.RuleSet{Documents: []requirement.DocumentRule{{DocumentTypeCode: "D", Name: "n", Category: "c", RequirementText: "t", EntityType: fact.EntityBusiness}}}
	for _, f := range findings {
		f.Name, f.Message, f.EntityType = f.FindingCode, "Message of "+f.FindingCode, fact.EntityBusiness
		set.Findings = append(set.Findings, f)
	}
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Rules.Publish(b.Context(), b.Account.WireID(), calculation.NewDraft(set.CanonicalJSON())))
	})
}

// findings are those of the workflow, as workflow.get shows them.
func (b *bundle) findings() []calculation.Finding {
	b.Helper()
	w, err := b.Store.Records(b.Call.Scope).Workflows.WithFindings(b.Context(), b.Workflow.WireID())
	require.NoError(b, err)
	return w.Findings
}

func (b *bundle) findingEvents(where string) int {
	return b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WORKFLOW_FINDINGS_CHANGED' AND ` + where)
}

var (
	bigOwner = requirement.FindingRule{FindingCode: "BIG_OWNER", Kind: requirement.KindHold, When: "persons.exists(p, p.ownership_percentage >= 25)"}
	owners   = requirement.FindingRule{FindingCode: "OWNERS", Kind: requirement.KindReview, When: "persons.size() > 0"}
)

// TestFindings_AreThoseOfTheLastCalculation: they keep their day while they are found, the decision has
// them, and an event tells what begins and ends.
func TestFindings_AreThoseOfTheLastCalculation(t *testing.T) {
	b := setup(t)
	require.Empty(t, b.findings())
	b.publishFindings(bigOwner, owners)
	first := b.mustCalculate()
	found := b.findings()
	require.Len(t, found, 2)
	today, business := calculationDay(b), b.Business.WireID().String()
	require.Equal(t, []any{"BIG_OWNER", requirement.KindHold, "Message of BIG_OWNER", fact.EntityBusiness, business, today},
		[]any{found[0].FindingCode, found[0].Kind, found[0].Message, found[0].EntityType, found[0].EntityID, found[0].Since.String()})
	require.Equal(t, bigOwner.When, found[0].Reasons[0].Rule)
	require.Contains(t, found[0].Reasons[0].Message, "BIG_OWNER: found because the ownership percentage of ")
	require.NotContains(t, found[0].Reasons[0].Message, "p_", "names stand for ids")
	require.NotEmpty(t, found[0].Reasons[0].VersionID)

	made := b.decision(first.Decision)
	ref := calculation.FindingRef{FindingCode: "BIG_OWNER", Kind: requirement.KindHold, EntityType: fact.EntityBusiness, EntityID: business}
	require.Equal(t, ref, made.Changed.Findings[0])
	require.Len(t, made.Changed.Findings, 2)
	require.Equal(t, []any{"BIG_OWNER", "", true}, []any{made.Evaluated[1].FindingCode, made.Evaluated[1].DocumentTypeCode, made.Evaluated[1].Holds})
	require.NotNil(t, made.Evaluated[1].Reason)
	require.Equal(t, 1, b.findingEvents(`jsonb_array_length(fields -> 'added') = 2 AND fields -> 'removed' = '[]' AND fields ->> 'decision_id' = '`+made.ID.String()+`' AND fields ->> 'digest' = '`+decision.Hex(made.Digest)+`'`))
	require.Equal(t, 1, b.calculatedEvents())

	b.Pass(48 * time.Hour)
	again := b.mustCalculate()
	require.Equal(t, made.Changed.Findings, b.decision(again.Decision).Changed.Findings, "a decision has all that holds")
	require.Equal(t, found, b.findings(), "the same facts change nothing")
	require.Equal(t, 1, b.findingEvents(`true`))

	b.setOwnership(2600)
	b.mustCalculate()
	require.Equal(t, today, b.findings()[0].Since.String(), "other values are a reason of the same finding")
	require.NotEqual(t, found[0].Reasons, b.findings()[0].Reasons)
	require.Equal(t, 1, b.findingEvents(`true`))

	b.setOwnership(2499)
	b.mustCalculate()
	require.Equal(t, []string{"OWNERS"}, codes(b.findings()))
	require.Equal(t, 1, b.findingEvents(`fields -> 'added' = '[]' AND fields -> 'removed' @> '[{"finding_code": "BIG_OWNER", "kind": "HOLD"}]'`))
	require.Equal(t, 1, b.calculatedEvents(), "the documents are as they were")

	declined := owners
	declined.Kind = requirement.KindDecline
	b.publishFindings(declined)
	b.mustCalculate()
	require.Equal(t, 1, b.findingEvents(`fields -> 'added' @> '[{"finding_code": "OWNERS", "kind": "DECLINE"}]' AND fields -> 'removed' @> '[{"finding_code": "OWNERS", "kind": "REVIEW"}]'`))
	b.publishFindings()
	b.mustCalculate()
	require.Empty(t, b.findings(), "they end with their rule")
	b.record()
}

func calculationDay(b *bundle) string { return b.Now().UTC().Format(time.DateOnly) }

func codes(findings []calculation.Finding) (codes []string) {
	for _, f := range findings {
		codes = append(codes, f.FindingCode)
	}
	return codes
}

func TestPreview_HasFindings(t *testing.T) {
	b := setup(t)
	b.publishFindings(bigOwner)
	b.mustCalculate()
	b.publishFindings(bigOwner, owners)
	preview, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, b.evaluate)
	require.NoError(t, err)
	require.Equal(t, []any{2, 1, 0}, []any{len(preview.Changes.Findings.Now), len(preview.Changes.Findings.Added), len(preview.Changes.Findings.Removed)})
	require.Equal(t, []string{"BIG_OWNER"}, codes(b.findings()), "nothing was written")
}

// TestErase_RemovesTheReasonsOfFindings. What was found stays, and the record verifies.
func TestErase_RemovesTheReasonsOfFindings(t *testing.T) {
	b := setup(t)
	b.rename("Quillfeather")
	b.publishFindings(bigOwner, owners)
	b.mustCalculate()
	before := b.findings()
	require.Contains(t, before[0].Reasons[0].Message, "Quillfeather")
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	after := b.findings()
	require.Equal(t, []string{"BIG_OWNER", "OWNERS"}, codes(after))
	for i, f := range after {
		require.Equal(t, []any{before[i].Message, before[i].Since, before[i].Reasons[0].Rule}, []any{f.Message, f.Since, f.Reasons[0].Rule})
		require.Empty(t, f.Reasons[0].Facts)
	}
	require.Zero(t, b.Count(`SELECT (SELECT count(*) FROM workflow w WHERE w::text ~ 'Quillfeather') + (SELECT count(*) FROM decision d WHERE d::text ~ 'Quillfeather')`))
	b.record()
}

// TestPrune_KeepsTheVersionThatAFindingNames, although no document and no decision names it.
func TestPrune_KeepsTheVersionThatAFindingNames(t *testing.T) {
	b := setup(t)
	publish := func(code string) calculation.Publication {
		var p store.Published
		b.Write(b.Call, func(r *store.Records) (err error) {
			set := requirement.RuleSet{Findings: []requirement.FindingRule{{FindingCode: code, Kind: requirement.KindHold, Name: "n", Message: "m", EntityType: fact.EntityBusiness, When: "true"}}}
			p, err = r.Rules.Publish(t.Context(), b.Account.WireID(), calculation.NewDraft(set.CanonicalJSON()))
			return err
		})
		return p.Publication
	}
	kept := func(p calculation.Publication) bool {
		_, err := b.Store.Records(b.Call.Scope).Rules.Version(t.Context(), b.Account.WireID(), p.WireID())
		return err == nil
	}
	forgotten, named := publish("A"), publish("B")
	b.mustCalculate()
	publish("C")
	b.Pass(31 * day)
	require.NoError(t, b.Exec(`UPDATE decision SET rule_set_id = NULL, rule_set_sha256 = NULL`))
	b.prune(store.Retention{})
	require.False(t, kept(forgotten))
	require.True(t, kept(named))
}

func TestWorkflowGet_IsOneStatement(t *testing.T) {
	b := setup(t)
	b.publishFindings(bigOwner)
	b.mustCalculate()
	spy := &pgtest.Spy{}
	of := server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Tracer: spy})
	spy.Sent = nil
	w, err := of.Records(b.Call.Scope).Workflows.WithFindings(t.Context(), b.Workflow.WireID())
	require.NoError(t, err)
	require.Len(t, w.Findings, 1)
	asked := 0
	for _, sent := range spy.Sent {
		if strings.Contains(sent.SQL, "workflow") {
			asked++
		}
	}
	require.Equal(t, 1, asked)
}

func TestComplete_WarnsOfFindings(t *testing.T) {
	b := setup(t)
	complete := func(strict bool) (warned []refusal.Warning, err error) {
		err = b.Try(b.keyed("strict"), func(r *store.Records) error {
			warned, err = r.Workflows.Complete(t.Context(), b.Workflow.WireID(), strict)
			return err
		})
		return warned, err
	}
	b.publishFindings(owners, bigOwner)
	b.mustCalculate()
	_, err := complete(true)
	refused := pgtest.Refused(t, err)
	require.Equal(t, refusal.DocumentsNotCompleted, refused.SubCode)
	require.Contains(t, string(refused.Details), string(refusal.FindingsOpen), "details list all")
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Documents.Waive(t.Context(), id.Must[id.RequiredDocumentID](b.document(b.Workflow.WireID(), "D").ID), "r", id.DecisionID{}))
	})
	_, err = complete(true)
	refused = pgtest.Refused(t, err)
	require.Equal(t, refusal.FindingsOpen, refused.SubCode)
	require.Contains(t, refused.Message, "The workflow has 2 finding(s): HOLD BIG_OWNER, REVIEW OWNERS. See findings of workflow.get.")
	require.Equal(t, []string{"BIG_OWNER", "OWNERS"}, refused.FindingCodes)
	require.Empty(t, refused.RequiredDocumentIDs, "none is open")
	b.setOwnership(100)
	b.mustCalculate()
	warned, err := complete(true)
	require.NoError(t, err, "a review refuses nothing")
	require.Len(t, warned, 1)
	require.Equal(t, refusal.WarningCode(refusal.FindingsOpen), warned[0].Code)
	require.True(t, strings.HasSuffix(warned[0].Message, ": REVIEW OWNERS."))
}

// TestFindings_OfDocumentsThatHoldUp are derived on the day, in the account's time zone.
func TestFindings_OfDocumentsThatHoldUp(t *testing.T) {
	b := setup(t)
	b.publishText("one", requirement.Terms{Hold: requirement.HoldWhenOverdue, DueWithin: lasting("2 days")})
	b.mustCalculate()
	require.Empty(t, b.findings())
	b.Pass(48 * time.Hour)
	require.Empty(t, b.findings(), "on its last day")
	b.Pass(24 * time.Hour)
	found := b.findings()
	passport := b.document(b.Workflow.WireID(), "PASSPORT")
	require.Equal(t, []any{requirement.DocumentOverdue, requirement.KindHold, passport.ID, calculationDay(b)},
		[]any{found[0].FindingCode, found[0].Kind, found[0].RequiredDocumentID.String(), found[0].Since.String()})
	b.review(passport, document.Review{Status: document.NeedsReview})
	require.Empty(t, b.findings(), "the applicant has done it")
	b.publishText("one", requirement.Terms{Hold: requirement.HoldWhenOpen})
	b.mustCalculate()
	open := b.findings()
	require.Equal(t, requirement.DocumentOpen, open[0].FindingCode)
	require.Equal(t, passport.DueSince, open[0].Since)
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.Documents.Waive(t.Context(), open[0].RequiredDocumentID, "r", id.DecisionID{}))
	})
	require.Empty(t, b.findings())
	require.Zero(t, b.findingEvents(`true`), "they are no findings of rules")
}
