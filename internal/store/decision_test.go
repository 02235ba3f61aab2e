package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

// record reads the workflow's decisions, the oldest first, and checks their chain.
func (b *bundle) record() []decision.Decision {
	b.Helper()
	found, problems := b.check()
	require.Empty(b, problems)
	return found
}

func (b *bundle) check() (found []decision.Decision, problems []decision.Problem) {
	b.Helper()
	var erasures decision.Erasures
	require.NoError(b, b.Operator.AllDecisions.EachRecord(b.Context(), b.Account.WireID(), id.WorkflowID{}, id.BusinessID{}, func(business id.BusinessID) error {
		chain := &decision.Chain{KeptSince: b.Now().Add(-store.DefaultDecisionLife)}
		return b.Operator.AllDecisions.WholeRecord(b.Context(), b.Call.Scope, store.RecordPart{BusinessID: business}, func(d decision.Decision) error {
			chain.Add(d)
			found = append(found, d)
			return nil
		}, func(w id.WorkflowID, head decision.Head) error {
			chain.WorkflowID = w
			problems = append(problems, chain.End(&head)...)
			erasures.Add(chain)
			chain = &decision.Chain{KeptSince: chain.KeptSince}
			return nil
		})
	}))
	return found, append(problems, erasures.Problems()...)
}

func (b *bundle) decision(ref *refusal.DecisionRef) decision.Recorded {
	b.Helper()
	found, err := b.Store.Records(b.Call.Scope).Decisions.Get(b.Context(), ref.DecisionID)
	require.NoError(b, err)
	require.Equal(b, ref.Digest, decision.Hex(found.Digest))
	return found
}

func (b *bundle) refuse(run domain.Run, kind decision.Kind, r *refusal.Refusal) error {
	snapshot, err := b.Store.LoadFacts(b.Context(), run.Call, run.WorkflowID, run.StartedAt)
	require.NoError(b, err)
	return only(b.Store.Save(b.Context(), run, snapshot, store.Refused{Kind: kind, Refusal: r}))
}

var missing = refusal.Missing([]fact.Gap{{Code: "FIELDS_REQUIRED", EntityType: "Business", EntityID: "b_1", RelatedEndpoints: []string{"business.update"}}})

// TestDecision_KeepsWhatWasDecidedOnWhichFacts, also after the facts and the rules have changed.
func TestDecision_KeepsWhatWasDecidedOnWhichFacts(t *testing.T) {
	b := setup(t)
	version := b.publish(rule("BIG", "persons.exists(p, p.ownership_percentage >= 25)"), rule("OLD", "business_age_years >= 500"))
	first := b.mustCalculate()
	b.setOwnership(1000)
	b.publish(rule("BIG", "persons.exists(p, p.ownership_percentage >= 50)"))
	second := b.mustCalculate()
	require.Len(t, second.Changed.Removed, 1)

	found := b.decision(first.Decision)
	require.Equal(t, decision.Calculation, found.Kind)
	require.Equal(t, decision.Calculated, found.Outcome)
	require.EqualValues(t, 1, found.Number)
	require.Equal(t, version.WireID(), found.RuleSet.ID)
	require.Equal(t, "tester", found.UserID)
	require.Equal(t, "50", found.OnFile.Facts.Persons[0].OwnershipPercentage.Value.String())
	require.Equal(t, "Ltd", found.OnFile.Facts.Business.LegalName)
	require.Equal(t, first.Changed.Added, found.Changed.Added)
	require.Len(t, found.Evaluated, 2)
	require.True(t, found.Evaluated[0].Holds)
	require.Contains(t, found.Evaluated[0].Reason.Message, "50")
	require.False(t, found.Evaluated[1].Holds)
	require.Equal(t, "OLD: not required because Ltd's age in years is 25, less than 500.", found.Evaluated[1].Reason.Message)
	facts, err := found.OnFile.Facts.ForRules(found.AsOf)
	require.NoError(t, err)
	again, err := b.evaluateFacts(version, facts)
	require.NoError(t, err)
	require.Len(t, again.Required, 1)
	require.Equal(t, second.Changed.Removed, b.decision(second.Decision).Changed.Removed)
	require.Len(t, b.record(), 2)
}

func (b *bundle) evaluateFacts(p calculation.Publication, f fact.Facts) (requirement.Result, error) {
	program, problems, err := requirement.LoadRuleSet(b.Context(), []byte(p.Content), requirement.Newest())
	require.NoError(b, err)
	require.Empty(b, problems)
	return program.Evaluate(b.Context(), f)
}

// TestDecision_OfTheSameIsWhole: a caller's calculation that finds the same as the one before is a decision
// with facts and results of its own.
func TestDecision_OfTheSameIsWhole(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	first, again := b.decision(b.mustCalculate().Decision), b.decision(b.mustCalculate().Decision)
	require.Len(t, b.record(), 2)
	require.Equal(t, first.Personal, again.Personal)
	require.Equal(t, first.Results, again.Results)
	require.Equal(t, first.Fingerprint, again.Fingerprint)
	require.NotEqual(t, first.Salt, again.Salt)
}

// TestDecision_OfAStatusAndAPrice: both are recorded, with what is on file.
func TestDecision_OfAStatusAndAPrice(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	required := id.Must[id.RequiredDocumentID](b.mustCalculate().Changed.Added[0].RequiredDocumentID)
	var moved refusal.DecisionRef
	b.Write(b.Call, func(r *store.Records) (err error) {
		moved, err = r.Documents.Update(t.Context(), required, document.Review{Status: document.NeedsReview}, id.DecisionID{})
		return err
	})
	found := b.decision(&moved)
	require.Equal(t, document.Pending, found.Changed.Document.PreviousStatus)
	require.Equal(t, "Ltd", found.OnFile.Facts.Business.LegalName)
	documents, _, err := b.Store.Records(b.Call.Scope).Documents.List(t.Context(), b.Workflow.WireID(), calculation.DocumentFilter{}, nil)
	require.NoError(t, err)
	require.Equal(t, moved.DecisionID, documents[0].DecisionID)
	b.saveScore(rational.Int(620))
	recorded := b.record()
	require.Len(t, recorded, 3)
	require.Equal(t, decision.Pricing, recorded[2].Kind)
	require.JSONEq(t, `{"evaluation_score":620}`, recorded[2].Changes)
}

// TestDecision_OfARefusal: it is recorded once, stays a refusal, and a repeat decides again.
func TestDecision_OfARefusal(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.Call = b.keyed("a key")
	run := b.Run()
	first := pgtest.Refused(t, b.refuse(run, decision.Calculation, missing))
	require.NotNil(t, first.Decision)
	require.Equal(t, first.Decision, pgtest.Refused(t, b.refuse(run, decision.Calculation, missing)).Decision, "the same run records once")
	_, err := b.calculate(run)
	require.Equal(t, first.Decision, pgtest.Refused(t, err).Decision, "a refusal never becomes a success")
	found := b.decision(first.Decision)
	require.EqualValues(t, "MISSING_REQUIREMENTS", found.Outcome)
	require.Len(t, found.OnFile.Gaps, 1)

	saved, err := b.calculate(b.Run())
	require.NoError(t, err, "no outcome of the key is kept")
	require.Len(t, b.record(), 2)
	late := b.refuse(b.Run(), decision.Calculation, missing)
	require.NoError(t, late, "an earlier run with the key has succeeded")
	repeated, err := b.calculate(b.Run())
	require.NoError(t, err)
	require.Equal(t, saved.Decision, repeated.Decision)
	require.Len(t, b.record(), 2)
}

// TestDecision_OfARefusalComparesFacts as saving does.
func TestDecision_OfARefusalComparesFacts(t *testing.T) {
	b := setup(t)
	snapshot := b.load()
	b.setOwnership(1000)
	require.ErrorIs(t, b.save(snapshot, store.Refused{Kind: decision.Calculation, Refusal: missing}), calculation.ErrFactsChanged)
	require.Empty(t, b.record())
}

// TestDecision_IsBoundedByDay: the workflow's day is full, and the next day is not.
func TestDecision_IsBoundedByDay(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	b.addDecisions(store.MaxDecisionsADay - 2)
	b.mustCalculate()
	_, err := b.calculate(b.Run())
	require.Equal(t, refusal.DecisionLimitExceeded, pgtest.Refused(t, err).SubCode)
	require.NoError(t, only(b.Operator.Erase(b.Context(), b.Call.Scope, b.Business.WireID(), false)), "an erasure is never refused")
	b.Clock.Add(int64(24 * time.Hour))
	require.Len(t, b.record(), store.MaxDecisionsADay+1)
}

// addDecisions adds copies of the first decision.
func (b *bundle) addDecisions(count int) {
	b.Helper()
	chain := b.record()
	last := chain[len(chain)-1]
	require.NoError(b, b.Exec(`ALTER TABLE decision DISABLE TRIGGER decision_follows`))
	for range count {
		next := last
		next.Number, next.PreviousDigest, next.PreviousAt = last.Number+1, last.Digest, &last.DecidedAt
		next.ID = id.DecisionID{UUID: id.NewAt(next.DecidedAt)}
		next.Seal()
		require.NoError(b, b.Exec(`
			INSERT INTO decision (id, workflow_id, number, kind, outcome, decided_at, previous_at, as_of, user_id, user_type, trace_id, rule_set_id, rule_set_sha256, changes,
				results, personal, salt, personal_sha256, fingerprint, previous_digest, digest)
			SELECT $1, workflow_id, $2, kind, outcome, decided_at, decided_at, as_of, user_id, user_type, trace_id, rule_set_id, rule_set_sha256, changes,
				results, personal, salt, personal_sha256, fingerprint, $3, $4 FROM decision WHERE number = 1`,
			next.ID.UUID, next.Number, next.PreviousDigest, next.Digest))
		last = next
	}
	require.NoError(b, b.Exec(`UPDATE workflow SET decision_number = $1, decision_digest = $2`, last.Number, last.Digest))
	require.NoError(b, b.Exec(`ALTER TABLE decision ENABLE TRIGGER decision_follows`))
}

// TestDecision_AnyChangedByteIsFound: in each column of each decision.
func TestDecision_AnyChangedByteIsFound(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	b.mustCalculate()
	b.setOwnership(1000)
	b.mustCalculate()
	b.record()
	require.NoError(t, b.Exec(`ALTER TABLE decision DISABLE TRIGGER decision_follows`))
	require.NoError(t, b.Exec(`CREATE TABLE decision_before AS SELECT * FROM decision`))
	changed := map[string]bool{}
	for column, change := range map[string]string{
		"id": `gen_random_uuid()`, "number": `number + 10`, "kind": `'PRICING'`, "outcome": `outcome || 'X'`, "decided_at": `decided_at + interval '1 millisecond'`,
		"previous_at": `previous_at - interval '1 millisecond'`, "as_of": `as_of + 1`, "sandbox_today": `NOT sandbox_today`, "user_id": `'another'`, "user_type": `'SYSTEM'`, "trace_id": `'trc_1'`,
		"rule_set_id": `gen_random_uuid()`, "rule_set_sha256": `sha256('x')`, "changes": `replace(changes, 'rd_', 'rx_')`, "results": `results || ' '`,
		"personal": `replace(personal, 'Ltd', 'Inc')`, "salt": `sha256('x')`, "personal_sha256": `sha256('x')`, "previous_digest": `sha256('x')`, "digest": `sha256('x')`,
		"fingerprint": `sha256('x')`,
	} {
		for number := 1; number <= 3; number++ {
			tag, err := b.Pool().Exec(t.Context(), fmt.Sprintf(`UPDATE decision SET %s = %s WHERE number = $1 AND %[1]s IS NOT NULL`, column, change), number)
			if err != nil || tag.RowsAffected() == 0 { // a constraint forbids it, or there is nothing to change
				continue
			}
			changed[column] = true
			_, problems := b.check()
			require.NotEmpty(t, problems, "%s of decision %d", column, number)
			require.NoError(t, b.Exec(`DELETE FROM decision`))
			require.NoError(t, b.Exec(`INSERT INTO decision SELECT * FROM decision_before`))
		}
	}
	require.Equal(t, b.Count(`SELECT count(*) - 3 FROM information_schema.columns WHERE table_name = 'decision'`), len(changed), "all but workflow_id and the prices were changed: %v", changed)
}

// TestDecision_SaltHasOneSize: otherwise facts could be moved into it.
func TestDecision_SaltHasOneSize(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	for _, salt := range []string{`salt || '\x00'`, `substring(salt FOR 31)`, `''`} {
		require.ErrorContains(t, b.Exec(`UPDATE decision SET salt = `+salt), "decision_salt_check", salt)
	}
}

// TestErase_RemovesThePersonalPartsOfDecisions, and the chain stays whole.
func TestErase_RemovesThePersonalPartsOfDecisions(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	calculated := b.mustCalculate()
	b.mustCalculate()
	before := b.record()
	for range 2 { // again does no harm
		e, err := b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)
		require.NoError(t, err)
		require.NotEmpty(t, e.WorkflowIDs)
	}
	after := b.record()
	require.Len(t, after, len(before)+1)
	require.Equal(t, decision.Erasure, after[2].Kind)
	require.Equal(t, domain.System, domain.Actor{UserID: after[2].UserID, UserType: after[2].UserType}, "the operator erases")
	found := b.decision(calculated.Decision)
	require.True(t, found.Erased())
	require.Nil(t, found.OnFile)
	require.Equal(t, "ALWAYS", found.Evaluated[0].DocumentTypeCode)
	require.Nil(t, found.Evaluated[0].Reason)
	require.Zero(t, b.Count(`SELECT count(*) FROM decision d WHERE d::text LIKE '% Ltd%'`))
}

// TestErase_RemovesTheAmountsInGapsOfDecisions: a gap tells what the record to replace holds.
func TestErase_RemovesTheAmountsInGapsOfDecisions(t *testing.T) {
	b := setup(t)
	amount := rational.Hundredths(731837)
	gap := fact.Gap{Code: "FIELDS_REQUIRED", EntityType: "BusinessSalesInfo", EntityID: "bsi_1", Message: "m", RelatedEndpoints: []string{"business.salesInfo.delete", "business.salesInfo.create"},
		Fields: []string{"sales_amount"}, Missing: []fact.MissingField{{Field: "sales_amount", Type: "HIGHEST_TICKET_SALE", Currency: "USD"}}, BusinessID: "b_1", DeleteFirst: "bsi_1",
		Present: []fact.MissingField{{Field: "sales_amount", Type: "AVERAGE_MONTHLY_CREDIT_SALES", Currency: "USD", Value: &amount}}}
	refused := pgtest.Refused(t, b.refuse(b.Run(), decision.Calculation, refusal.Missing([]fact.Gap{gap})))
	require.Equal(t, []fact.Gap{gap}, b.decision(refused.Decision).OnFile.Gaps)
	const holding = `SELECT count(*) FROM decision d WHERE d::text LIKE '%7318.37%'`
	require.Equal(t, 1, b.Count(holding))
	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	require.Zero(t, b.Count(holding))
}

// TestWholeRecord_SeesAnErasureInAllWorkflowsOrInNone, also when it comes while the record is
// read.
func TestWholeRecord_SeesAnErasureInAllWorkflowsOrInNone(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	b.calculateOther()
	read := func(meanwhile func()) (found []decision.Decision) {
		require.NoError(t, b.Operator.AllDecisions.WholeRecord(t.Context(), b.Call.Scope, store.RecordPart{BusinessID: b.Business.WireID()}, func(d decision.Decision) error {
			found = append(found, d)
			return nil
		}, func(_ id.WorkflowID, head decision.Head) error {
			meanwhile()
			require.Equal(t, found[len(found)-1].Number, head.Number)
			return nil
		}))
		return found
	}
	before := read(func() {
		require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	})
	require.Len(t, before, 2)
	require.NotEmpty(t, before[1].Personal)
	after := read(func() {})
	require.Len(t, after, 4)
	require.Empty(t, after[0].Personal+after[2].Personal)
	b.record()
}

// calculateOther makes a decision about another workflow of the business.
func (b *bundle) calculateOther() id.WorkflowID {
	b.Helper()
	var other domain.Workflow
	b.Write(b.Call, func(r *store.Records) (err error) {
		other, err = r.Workflows.Create(b.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	run := b.Run()
	run.WorkflowID = other.WireID()
	_, err := b.calculate(run)
	require.NoError(b, err)
	return other.WireID()
}

// TestWholeRecord_EndsAtATime, and the end is what the next decision says of it. A later erasure
// is part of it, because the facts before it are gone.
func TestWholeRecord_EndsAtATime(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	for range 4 {
		b.mustCalculate()
		b.Clock.Add(int64(time.Minute))
	}
	whole := b.record()
	until := func(at time.Time) (found []int64, end decision.Head) {
		require.NoError(t, b.Operator.AllDecisions.WholeRecord(t.Context(), b.Call.Scope, store.RecordPart{BusinessID: b.Business.WireID(), Until: at}, func(d decision.Decision) error {
			found = append(found, d.Number)
			return nil
		}, func(_ id.WorkflowID, head decision.Head) error {
			end = head
			return nil
		}))
		return found, end
	}
	head := func(n int) decision.Head {
		return decision.Head{Number: whole[n-1].Number, Digest: whole[n-1].Digest, DecidedAt: whole[n-1].DecidedAt}
	}
	found, end := until(whole[2].DecidedAt)
	require.Equal(t, []int64{1, 2}, found)
	require.Equal(t, head(2), end)
	found, end = until(whole[0].DecidedAt)
	require.Empty(t, found)
	require.Equal(t, decision.Head{}, end)
	found, end = until(b.Now())
	require.Len(t, found, 4)
	require.Equal(t, head(4), end)

	require.NoError(t, only(b.Operator.Erase(t.Context(), b.Call.Scope, b.Business.WireID(), false)))
	found, end = until(whole[2].DecidedAt)
	require.Equal(t, []int64{1, 2, 3, 4, 5}, found)
	require.True(t, end.Erased)
	require.EqualValues(t, 5, end.Number)
}

// TestDecision_ForgedErasureIsFound: of one decision, of one workflow, and of a business that
// was not erased.
func TestDecision_ForgedErasureIsFound(t *testing.T) {
	for what, c := range map[string]struct {
		hide, erased, found string
	}{
		"one decision": {`number = 2`, `now()`, "keeps its facts, although decision 3 says that they were erased"},
		"one workflow": {`true`, `now()`, "keeps its facts, although its business b_"},
		"no business":  {`true`, `NULL`, "records an erasure, although the business was not erased"},
	} {
		t.Run(what, func(t *testing.T) {
			b := setup(t)
			b.publish(rule("ALWAYS", ""))
			b.mustCalculate()
			b.setOwnership(1000)
			b.mustCalculate()
			b.calculateOther()
			last := b.record()[1]
			require.Equal(t, b.Workflow.WireID(), last.WorkflowID)
			require.NoError(t, b.Exec(`UPDATE decision SET personal = NULL, salt = NULL, fingerprint = NULL WHERE workflow_id = $1 AND `+c.hide, b.Workflow.ID))
			forged := decision.Decision{
				ID: id.DecisionID{UUID: id.NewAt(last.DecidedAt)}, WorkflowID: last.WorkflowID, BusinessID: last.BusinessID, Number: 3, Kind: decision.Erasure, Outcome: decision.Erased,
				DecidedAt: last.DecidedAt, PreviousAt: &last.DecidedAt, AsOf: last.AsOf, UserID: "SYSTEM", UserType: "SYSTEM", Changes: "{}", PreviousDigest: last.Digest,
			}
			forged.Seal()
			require.NoError(t, b.Exec(`
				INSERT INTO decision (id, workflow_id, number, kind, outcome, decided_at, previous_at, as_of, user_id, user_type, trace_id, changes, previous_digest, digest)
				SELECT $1, workflow_id, 3, 'ERASURE', 'ERASED', decided_at, decided_at, as_of, 'SYSTEM', 'SYSTEM', '', '{}', digest, $2 FROM decision WHERE id = $3`,
				forged.ID.UUID, forged.Digest, last.ID.UUID))
			require.NoError(t, b.Exec(`UPDATE business SET erased_at = `+c.erased))
			_, problems := b.check()
			require.NotEmpty(t, problems)
			require.Contains(t, problems[0].Message, c.found)
		})
	}
}

// TestDecision_RemovingAllOfARecordIsFound: the workflow still names its last one.
func TestDecision_RemovingAllOfARecordIsFound(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	require.NoError(t, b.Exec(`DELETE FROM decision`))
	_, problems := b.check()
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "all of its 1 decisions were removed")
}

// TestDecision_ResettingTheEndOfARecordIsFound: its number, and its time.
func TestDecision_ResettingTheEndOfARecordIsFound(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	for reset, found := range map[string]string{
		`decision_number = 0, decision_digest = NULL, decided_at = NULL`: "was inserted: the workflow has decided 0 times",
		`decided_at = '2001-01-01Z'`:                                     "is not the last one of its workflow, which was decided at 2001-01-01T00:00:00.000000Z",
	} {
		require.NoError(t, b.Exec(`CREATE TABLE workflow_before AS SELECT * FROM workflow`))
		require.NoError(t, b.Exec(`UPDATE workflow SET `+reset))
		_, problems := b.check()
		require.Len(t, problems, 1)
		require.Contains(t, problems[0].Message, found)
		require.NoError(t, b.Exec(`UPDATE workflow w SET decision_number = o.decision_number, decision_digest = o.decision_digest, decided_at = o.decided_at FROM workflow_before o WHERE o.id = w.id`))
		require.NoError(t, b.Exec(`DROP TABLE workflow_before`))
	}
	b.record()
}

// TestRun_KeepsTheSuccessOfItsKey, which another run has committed before the workflow ended.
func TestRun_KeepsTheSuccessOfItsKey(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	snapshot := b.load()
	required, err := b.evaluate(t.Context(), snapshot)
	require.NoError(t, err)
	key := b.keyed("a key")
	run := func() domain.Run {
		run := b.Run()
		run.Call = key
		return run
	}
	saved, err := b.Store.Save(t.Context(), run(), snapshot, store.Required(required))
	require.NoError(t, err)
	require.NoError(t, b.completeWorkflow())
	again, err := b.Store.Save(t.Context(), run(), snapshot, store.Required(required))
	require.NoError(t, err)
	require.Equal(t, saved.Decision, again.Decision)
	require.True(t, again.Repeated)
}

// TestDecision_OfAStatusHasFactsOfOneMoment: it waits for transactions that change the business.
func TestDecision_OfAStatusHasFactsOfOneMoment(t *testing.T) {
	b := setup(t)
	required := id.Must[id.RequiredDocumentID](b.publishOne())
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, only(tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended('business/' || id::text, 0)) FROM business`)))
	require.NoError(t, only(tx.Exec(t.Context(), `UPDATE business SET legal_name = 'Renamed Ltd', version = version + 1`)))
	var moved refusal.DecisionRef
	done := make(chan error, 1)
	go func() {
		done <- b.Try(b.Call, func(r *store.Records) (err error) {
			moved, err = r.Documents.Update(t.Context(), required, document.Review{Status: document.NeedsReview}, id.DecisionID{})
			return err
		})
	}()
	b.AwaitLock("the change of the status")
	require.NoError(t, only(tx.Exec(t.Context(), `UPDATE person SET first_name = 'Renamed'`)))
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-done)
	facts := b.decision(&moved).OnFile.Facts
	require.Equal(t, []string{"Renamed Ltd", "Renamed"}, []string{facts.Business.LegalName, *facts.Persons[0].FirstName})
}

// TestDecision_PersonalPartRemovedWithoutAnErasureIsFound.
func TestDecision_PersonalPartRemovedWithoutAnErasureIsFound(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	require.NoError(t, b.Exec(`UPDATE decision SET personal = NULL, salt = NULL, fingerprint = NULL`))
	_, problems := b.check()
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "without an erasure")
}

// TestPrune_DeletesDecisionsOfWholeMonths that are older than they are kept. The rest of the
// chain says that what came before it was old, and the versions that it names are kept.
func TestPrune_DeletesDecisionsOfWholeMonths(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	b.mustCalculate()
	b.setOwnership(1000)
	b.mustCalculate()
	b.setOwnership(2000)
	b.mustCalculate()
	cutoff := b.Now().Add(-store.DefaultDecisionLife)
	old, kept := decision.Month(cutoff).Add(-time.Millisecond), decision.Month(cutoff)
	b.redate(old.Add(-time.Hour), old, kept, b.Now())
	pruned, err := b.Store.Upkeep.Prune(t.Context(), store.Retention{}, func(domain.Pruned) {}, func(string, error) {})
	require.NoError(t, err)
	require.EqualValues(t, 2, pruned.Decisions)
	found := b.record()
	require.Len(t, found, 2)
	require.EqualValues(t, 3, found[0].Number)

	require.NoError(t, b.Exec(`DELETE FROM decision WHERE number = 3`))
	_, problems := b.check()
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "the 3 before it were removed, although they are to be kept")
}

// redate makes the workflow's decisions as if they had been made at these times.
func (b *bundle) redate(times ...time.Time) {
	b.Helper()
	require.NoError(b, b.Exec(`ALTER TABLE decision DISABLE TRIGGER decision_follows`))
	var last decision.Decision
	for i, d := range b.record() {
		before := d.ID
		d.DecidedAt = times[i].Truncate(time.Millisecond)
		d.ID = id.DecisionID{UUID: id.NewAt(d.DecidedAt)}
		if i > 0 {
			d.PreviousAt, d.PreviousDigest = &last.DecidedAt, last.Digest
		}
		d.Seal()
		require.NoError(b, b.Exec(`UPDATE decision SET id = $2, decided_at = $3, previous_at = $4, previous_digest = $5, digest = $6 WHERE id = $1`,
			before.UUID, d.ID.UUID, d.DecidedAt, d.PreviousAt, d.PreviousDigest, d.Digest))
		last = d
	}
	require.NoError(b, b.Exec(`UPDATE workflow SET decision_digest = $1, decided_at = $2`, last.Digest, last.DecidedAt))
	require.NoError(b, b.Exec(`ALTER TABLE decision ENABLE TRIGGER decision_follows`))
}

// TestDecisions_ListsNewestFirst by pages, kind and time, and only of the tenant.
func TestDecisions_ListsNewestFirst(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	for range 3 {
		b.mustCalculate()
		b.Clock.Add(int64(time.Minute))
	}
	b.saveScore(rational.Int(1))
	r := b.Store.Records(b.Call.Scope)
	found, next, err := r.Decisions.List(t.Context(), b.Workflow.WireID(), "", nil, domain.Page{Limit: 3})
	require.NoError(t, err)
	require.Equal(t, []int64{4, 3, 2}, numbers(found))
	for _, d := range found {
		require.Empty(t, d.Personal+d.Results+d.Changes, "a list has no facts")
		require.False(t, d.Erased())
	}
	found, next, err = r.Decisions.List(t.Context(), b.Workflow.WireID(), "", nil, domain.Page{Limit: 3, After: next})
	require.NoError(t, err)
	require.Equal(t, []int64{1}, numbers(found))
	require.Empty(t, next)
	found, _, err = r.Decisions.List(t.Context(), b.Workflow.WireID(), decision.Pricing, nil, domain.Page{Limit: 3})
	require.NoError(t, err)
	require.Equal(t, []int64{4}, numbers(found))
	since := b.Now().Add(-90 * time.Second)
	found, _, err = r.Decisions.List(t.Context(), b.Workflow.WireID(), decision.Calculation, &since, domain.Page{Limit: 3})
	require.NoError(t, err)
	require.Equal(t, []int64{3}, numbers(found))

	_, other := b.NewAccount("other", "UTC")
	_, _, err = b.Store.Records(other.Scope).Decisions.List(t.Context(), b.Workflow.WireID(), "", nil, domain.Page{Limit: 3})
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
	_, err = b.Store.Records(other.Scope).Decisions.Get(t.Context(), found[0].ID)
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, err).Code)
}

func numbers(found []decision.Recorded) []int64 {
	list := make([]int64, len(found))
	for i, d := range found {
		list[i] = d.Number
	}
	return list
}

// TestDecision_OneGaplessChainOfManyCallers of one workflow.
func TestDecision_OneGaplessChainOfManyCallers(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 4 {
				_ = b.untilWritten(b.Run())
			}
		})
	}
	all.Wait()
	require.Len(t, b.record(), 32)
}

// untilWritten calculates until nobody has written meanwhile.
func (b *bundle) untilWritten(run domain.Run) error {
	for {
		if _, err := b.calculate(run); err == nil || context.Cause(b.Context()) != nil {
			return err
		}
	}
}
