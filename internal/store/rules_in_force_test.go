package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

// from is a draft that is to be in force from some days after today on.
func (b *bundle) from(days int, d calculation.Draft) calculation.Draft {
	d.EffectiveFrom = new(fact.DateOf(b.Now().AddDate(0, 0, days)).String())
	return d
}

// publishFrom publishes a document type, from some days after today on.
func (b *bundle) publishFrom(code string, days int, force calculation.Validity) store.Published {
	b.Helper()
	d := draft(rule(code, ""))
	d.Validity = force
	if days != 0 {
		d = b.from(days, d)
	}
	var p store.Published
	b.Write(b.Call, func(r *store.Records) (err error) {
		p, err = r.Rules.Publish(b.Context(), b.Account.WireID(), d)
		return err
	})
	return p
}

var (
	forAll = calculation.Validity{AppliesTo: calculation.AppliesToAll}
	forNew = calculation.Validity{AppliesTo: calculation.AppliesToNew}
)

// inForceNow is the number of the version in force for a workflow.
func (b *bundle) inForceNow(workflow id.WorkflowID) int {
	b.Helper()
	r := b.Store.Records(b.Call.Scope)
	w, err := r.Workflows.WithFindings(b.Context(), workflow)
	require.NoError(b, err)
	listed, _, err := r.Workflows.List(b.Context(), b.Account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 100})
	require.NoError(b, err)
	at := slices.IndexFunc(listed, func(l domain.StoredWorkflow) bool { return l.WireID() == workflow })
	require.Equal(b, []any{w.RuleSetID, w.DocumentsStale}, []any{listed[at].RuleSetID, listed[at].DocumentsStale})
	snapshot, err := b.Store.LoadFacts(b.Context(), b.Call, workflow, b.Now())
	require.NoError(b, err)
	require.Equal(b, w.RuleSetID.UUID, snapshot.RuleSet.ID, "a calculation takes it too")
	return snapshot.RuleSet.Version
}

func (b *bundle) states() (states []calculation.VersionState) {
	b.Helper()
	versions, _, err := b.Store.Records(b.Call.Scope).Rules.List(b.Context(), b.Account.WireID(), domain.Page{Limit: 100})
	require.NoError(b, err)
	for _, v := range versions {
		states = append(states, v.State)
		one, err := b.Store.Records(b.Call.Scope).Rules.Version(b.Context(), b.Account.WireID(), v.WireID())
		require.NoError(b, err)
		require.Equal(b, v.State, one.State)
	}
	slices.Reverse(states)
	return states
}

func TestRules_ComeIntoForceOnTheirDay(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`UPDATE account SET time_zone = 'Pacific/Kiritimati' WHERE id = $1`, b.Account.ID)) // 14 hours before UTC
	w := b.Workflow.WireID()
	stale := func() bool {
		found, err := b.Store.Records(b.Call.Scope).Workflows.WithFindings(t.Context(), w)
		require.NoError(t, err)
		return *found.DocumentsStale
	}
	first := b.publishFrom("A", 0, forAll)
	b.mustCalculate()
	coming := b.publishFrom("B", 3, forAll)
	require.Equal(t, []calculation.VersionState{"IN_FORCE", "COMING"}, b.states())
	require.Equal(t, first.Version, b.inForceNow(w))
	require.False(t, stale())
	b.Pass(72 * time.Hour)
	require.Equal(t, coming.Version, b.inForceNow(w))
	require.True(t, stale())
	require.Equal(t, []calculation.VersionState{"REPLACED", "IN_FORCE"}, b.states())
	b.mustCalculate()
	require.False(t, stale())
}

// TestRules_AHotfixReplacesWhatIsComing: and publishing anew what is in force withdraws it.
func TestRules_AHotfixReplacesWhatIsComing(t *testing.T) {
	b := setup(t)
	b.publishFrom("A", 0, forAll)
	require.Empty(t, b.publishFrom("B", 7, forAll).Replaced)
	require.Empty(t, b.publishFrom("C", 9, forAll).Replaced, "the one of the day before comes first")
	require.Equal(t, []int{2, 3}, b.publishFrom("A", 0, forAll).Replaced)
	require.Equal(t, []calculation.VersionState{"REPLACED", "REPLACED", "REPLACED", "IN_FORCE"}, b.states())
	b.Pass(30 * 24 * time.Hour)
	require.Equal(t, 4, b.inForceNow(b.Workflow.WireID()))
	require.False(t, b.publishFrom("A", 0, forAll).Changed)
}

// TestPublish_TheSameAgainOnItsDay makes no version, as before that day.
func TestPublish_TheSameAgainOnItsDay(t *testing.T) {
	b := setup(t)
	b.publishFrom("A", 0, forAll)
	d := b.from(3, draft(rule("B", "")))
	publish := func(d calculation.Draft) (p store.Published) {
		b.Write(b.Call, func(r *store.Records) (err error) {
			p, err = r.Rules.Publish(t.Context(), b.Account.WireID(), d)
			return err
		})
		return p
	}
	require.True(t, publish(d).Changed)
	require.False(t, publish(d).Changed)
	b.Pass(72 * time.Hour)
	require.Equal(t, []any{2, false}, []any{publish(d).Version, publish(d).Changed})
	at := d
	at.EffectiveFrom = nil
	require.True(t, publish(at).Changed, "it says another day")
	require.False(t, publish(at).Changed)
	require.False(t, publish(b.from(0, draft(rule("B", "")))).Changed, "today is as absent")
}

func TestRules_ForNewApplications(t *testing.T) {
	b := setup(t)
	b.publishFrom("A", 0, forAll)
	b.publishFrom("B", 1, forNew)
	b.Pass(48 * time.Hour)
	require.Equal(t, 1, b.inForceNow(b.Workflow.WireID()))
	require.Equal(t, []calculation.VersionState{"IN_FORCE", "IN_FORCE"}, b.states())
	var opened domain.Workflow
	b.Write(b.Call, func(r *store.Records) (err error) {
		opened, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	require.Equal(t, 2, b.inForceNow(opened.WireID()))
	inForce, err := b.Store.Records(b.Call.Scope).Rules.Version(t.Context(), b.Account.WireID(), id.RuleSetVersionID{})
	require.NoError(t, err)
	require.Equal(t, 2, inForce.Version, "it is the one of a workflow that is created now")
}

// TestRules_ForNewApplications_WithoutOne: a version that no workflow which has not ended could have is replaced, and
// pruned as others are. A workflow that has ended names the one that it was calculated by.
func TestRules_ForNewApplications_WithoutOne(t *testing.T) {
	b := setup(t)
	open := func() id.WorkflowID {
		var w domain.Workflow
		b.Write(b.Call, func(r *store.Records) (err error) {
			w, err = r.Workflows.Create(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
			return err
		})
		return w.WireID()
	}
	end := func(w id.WorkflowID) {
		b.Write(b.Call, func(r *store.Records) error { return only(r.Workflows.Complete(t.Context(), w, false)) })
	}
	calculated := func(w id.WorkflowID) id.UUID {
		found, err := b.Store.Records(b.Call.Scope).Workflows.WithFindings(t.Context(), w)
		require.NoError(t, err)
		return found.RuleSetID.UUID
	}
	b.publishFrom("A", 0, forAll)
	b.Pass(time.Minute)
	b.publishFrom("B", 0, forNew)
	b.Pass(time.Minute)
	c := b.publishFrom("C", 0, forNew)
	require.Equal(t, []calculation.VersionState{"IN_FORCE", "REPLACED", "IN_FORCE"}, b.states())
	b.Pass(time.Minute)
	opened, ended := open(), open()
	run := b.Run()
	run.WorkflowID = ended
	require.NoError(t, only(b.calculate(run)))
	b.Pass(time.Minute)
	b.publishFrom("D", 0, forNew)
	end(ended)
	require.Equal(t, []calculation.VersionState{"IN_FORCE", "REPLACED", "IN_FORCE", "IN_FORCE"}, b.states())
	require.Equal(t, c.ID, calculated(ended), "by its last calculation")
	b.Pass(31 * day)
	require.EqualValues(t, 1, b.prune(store.Retention{}).RuleVersions)
	require.Equal(t, []calculation.VersionState{"IN_FORCE", "IN_FORCE", "IN_FORCE"}, b.states())
	require.Equal(t, 3, b.inForceNow(opened))

	end(opened)
	require.Equal(t, []calculation.VersionState{"IN_FORCE", "REPLACED", "IN_FORCE"}, b.states())
	require.NoError(t, b.completeWorkflow())
	require.Equal(t, []calculation.VersionState{"REPLACED", "REPLACED", "IN_FORCE"}, b.states())
	require.EqualValues(t, 1, b.prune(store.Retention{}).RuleVersions, "a document and a decision name one of them")
	require.Equal(t, c.ID, calculated(ended))
	require.Zero(t, calculated(opened), "it was never calculated")
}

func TestPublish_BoundsVersionsForNewWorkflows(t *testing.T) {
	b := setup(t)
	b.publishFrom("A", 0, forAll)
	require.NoError(t, b.Exec(`
		INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by, applies_to, effective_from)
		SELECT gen_random_uuid(), account_id, 1 + n, content, sha256, environment_version, cost_limit, published_at, 'x', 'NEW', published_at::date + n FROM rule_set, generate_series(1, $1::int) n`,
		store.MaxVersionsNotReplaced-1))
	draftFrom := func(code string, days int, to calculation.AppliesTo) calculation.Draft {
		d := b.from(days, draft(rule(code, "")))
		d.AppliesTo = to
		if days == 0 {
			d.EffectiveFrom = nil
		}
		return d
	}
	proposed := b.propose(ann, draftFrom("P", 400, calculation.AppliesToNew))
	b.publishFrom("B", 300, forNew)
	require.NoError(t, b.Exec(`UPDATE rule_proposal SET state = 'OPEN', decided_at = NULL`)) // as if it had been made afterwards, while there was room
	requireSub(t, refusal.VersionLimitExceeded, b.tryDeclare(draftFrom("C", 400, calculation.AppliesToNew)))
	requireSub(t, refusal.VersionLimitExceeded, only(b.tryPropose(ann, draftFrom("C", 400, calculation.AppliesToNew))))
	requireSub(t, refusal.VersionLimitExceeded, only(b.approve(bob, proposed)))
	require.NoError(t, b.tryDeclare(draftFrom("D", 400, calculation.AppliesToAll)), "for ALL always")
	require.NoError(t, b.tryDeclare(draftFrom("E", 200, calculation.AppliesToNew)), "it replaces later ones")
	require.NoError(t, b.tryDeclare(draftFrom("F", 0, calculation.AppliesToAll)))
	require.NoError(t, b.tryDeclare(draftFrom("C", 400, calculation.AppliesToNew)))
}

func TestPublish_BoundsComingVersions(t *testing.T) {
	b := setup(t)
	b.publishFrom("A", 0, forAll)
	require.NoError(t, b.Exec(`
		INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by, applies_to, effective_from)
		SELECT gen_random_uuid(), account_id, 1 + n, content, sha256, environment_version, cost_limit, published_at, 'x', 'ALL', published_at::date + n FROM rule_set, generate_series(1, $1::int) n`,
		store.MaxVersionsNotReplaced-1))
	requireSub(t, refusal.VersionLimitExceeded, b.tryDeclare(b.from(300, draft(rule("B", "")))))
	require.Len(t, b.publishFrom("C", 100, forAll).Replaced, 100)
	require.Len(t, b.publishFrom("D", 0, forAll).Replaced, 100)
}

// TestPrune_KeepsTheVersionOfAnApplication that was opened on the version's first day, before a correction of that day.
func TestPrune_KeepsTheVersionOfAnApplication(t *testing.T) {
	b := setup(t)
	b.publishFrom("A", 0, forAll)
	b.Pass(b.Now().Truncate(day).Add(day + 6*time.Hour).Sub(b.Now())) // in the morning, UTC
	b.publishFrom("B", 1, forNew)
	b.Pass(day)
	opened := b.open(1)[0]
	b.Pass(time.Hour)
	b.publishFrom("C", 0, forNew)
	b.Pass(30*day + time.Hour)
	require.Zero(t, b.prune(store.Retention{}).RuleVersions)
	require.Equal(t, 2, b.inForceNow(opened))
}

func TestRuleSets_InPages(t *testing.T) {
	b := setup(t)
	for n := range 5 {
		b.publishFrom(fmt.Sprint("D", n), 2*(n%2), forNew)
	}
	var numbers []int
	var states []calculation.VersionState
	for page := (domain.Page{Limit: 2}); ; {
		found, next, err := b.Store.Records(b.Call.Scope).Rules.List(t.Context(), b.Account.WireID(), page)
		require.NoError(t, err)
		for _, v := range found {
			require.Empty(t, v.Content)
			numbers, states = append(numbers, v.Version), append([]calculation.VersionState{v.State}, states...)
		}
		if page.After = next; next == "" {
			break
		}
		b.publishFrom("LATER", len(numbers), forNew)
	}
	require.Equal(t, []int{5, 4, 3, 2, 1}, numbers)
	require.Equal(t, b.states()[:5], states)
}

func TestPublish_RefusesADayThatHasPassed(t *testing.T) {
	b := setup(t)
	d := draft(rule("A", ""))
	yesterday := fact.DateOf(b.Now().AddDate(0, 0, -1)).String()
	d.EffectiveFrom = &yesterday
	err := b.Try(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(t.Context(), b.Account.WireID(), d)) })
	refused, _ := refusal.FromError(err)
	require.Contains(t, string(refused.Details), "effective_from")
}

// TestPublish_KeepsApprovals: an approval holds through versions that keep it, however many lie
// between two calculations, and ends with one that does not.
func TestPublish_KeepsApprovals(t *testing.T) {
	b := setup(t)
	deed := func(text string) requirement.DocumentRule {
		return requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: text, EntityType: fact.EntityBusiness}
	}
	publish := func(text string, keep ...string) {
		b.Helper()
		d := draft(deed(text))
		d.KeepApprovals = keep
		b.Write(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(t.Context(), b.Account.WireID(), d)) })
	}
	status := func() document.Status { return b.document(b.Workflow.WireID(), "DEED").Status }
	publish("one")
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "DEED"), document.Review{Status: document.Completed})
	publish("two", "DEED")
	publish("three", "*")
	// A draft is previewed as the version that it would become.
	for text, kept := range map[string]int{"three": 1, "four": 0} {
		found, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{Draft: draft(deed(text)).Content}, fact.Date{}, b.decide(deed(text)))
		require.NoError(t, err)
		require.Len(t, found.Changes.Reopened, 1-kept, text)
	}
	b.mustCalculate()
	require.Equal(t, document.Completed, status())
	b.Write(b.Call, func(r *store.Records) error { // the same once more, as when a coming version is withdrawn
		d := draft(deed("three"))
		d.AppliesTo = calculation.AppliesToNew
		return errors.Join(only(r.Rules.Publish(t.Context(), b.Account.WireID(), d)), only(r.Rules.Publish(t.Context(), b.Account.WireID(), draft(deed("three")))))
	})
	b.mustCalculate()
	require.Equal(t, document.Completed, status())
	publish("four", "DEED")
	publish("five")
	publish("six", "DEED")
	b.mustCalculate()
	require.Equal(t, document.NeedsReview, status())
}

// TestPublish_KeepsApprovals_AfterAWithdrawal: a version that never came into force for the workflow ends no
// approval, once a calculation has found the approved text again.
func TestPublish_KeepsApprovals_AfterAWithdrawal(t *testing.T) {
	b := setup(t)
	publish := func(text string, force calculation.Validity) {
		b.Helper()
		d := draft(requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: text, EntityType: fact.EntityBusiness})
		d.Validity = force
		b.Write(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(b.Context(), b.Account.WireID(), d)) })
	}
	publish("one", forAll)
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "DEED"), document.Review{Status: document.Completed})
	publish("two", forNew)
	publish("one", forAll)
	b.mustCalculate()
	publish("three", calculation.Validity{AppliesTo: calculation.AppliesToAll, KeepApprovals: []string{"*"}})
	b.mustCalculate()
	require.Equal(t, document.Completed, b.document(b.Workflow.WireID(), "DEED").Status)
	publish("four", forAll)
	b.mustCalculate()
	require.Equal(t, document.NeedsReview, b.document(b.Workflow.WireID(), "DEED").Status)
}

// TestPublish_KeepsApprovals_OfOldVersions: the version that was approved may be pruned, for the approval
// names the last one that kept it.
func TestPublish_KeepsApprovals_OfOldVersions(t *testing.T) {
	b := setup(t)
	publish := func(text string) {
		b.Helper()
		d := draft(requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: text, EntityType: fact.EntityBusiness})
		if text != "one" {
			d.KeepApprovals = []string{"DEED"}
		}
		b.Write(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(t.Context(), b.Account.WireID(), d)) })
	}
	publish("one")
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "DEED"), document.Review{Status: document.Completed})
	publish("two")
	b.mustCalculate()
	b.Pass(31 * day)
	require.NoError(t, b.Exec(`UPDATE decision SET rule_set_id = NULL, rule_set_sha256 = NULL`)) // as if they had been pruned
	b.prune(store.Retention{})
	publish("three")
	b.mustCalculate()
	require.Equal(t, document.Completed, b.document(b.Workflow.WireID(), "DEED").Status)
}

// TestPublish_KeepsApprovals_OfRulesOnly: what hand requires says something of its own, which no version keeps.
func TestPublish_KeepsApprovals_OfRulesOnly(t *testing.T) {
	b := setup(t)
	publish := func(when string) {
		b.Helper()
		d := draft(requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: "of the rule", EntityType: fact.EntityBusiness, When: when})
		b.Write(b.Call, func(r *store.Records) error { return only(r.Rules.Publish(t.Context(), b.Account.WireID(), d)) })
	}
	b.Write(b.Call, func(r *store.Records) error {
		of := requirement.Entity{Type: fact.EntityBusiness, ID: b.Business.WireID().String()}
		return only2(r.Documents.Create(t.Context(), b.Workflow.WireID(), "DEED", of, document.ManualText{Name: "Deed", Category: "c", RequirementText: "of its own", Reason: "r"}))
	})
	publish("")
	b.mustCalculate()
	require.Equal(t, "of the rule", b.document(b.Workflow.WireID(), "DEED").RequirementText)
	b.review(b.document(b.Workflow.WireID(), "DEED"), document.Review{Status: document.Completed})
	publish("false")
	b.mustCalculate()
	d := b.document(b.Workflow.WireID(), "DEED")
	require.Equal(t, []any{"of its own", document.NeedsReview, document.TextChanged}, []any{d.RequirementText, d.Status, d.StatusReason})
}

// aVersion and aWorkflow are of TestRules_InForceAndNotReplaced.
type aVersion struct {
	Version     int
	PublishedAt time.Time
	calculation.Validity
}

type aWorkflow struct {
	CreatedAt time.Time
	CreatedOn string
	Ended     bool
}

// inForceFor is the number of the version in force for a workflow on a day, as the guide says it; 0 for none.
func inForceFor(versions []aVersion, w aWorkflow, day string) (number int) {
	for _, v := range versions {
		switch from := v.EffectiveFrom; {
		case from != nil && *from > day:
		case v.AppliesTo == calculation.AppliesToNew && from != nil && *from > w.CreatedOn:
		case v.AppliesTo == calculation.AppliesToNew && from == nil && v.PublishedAt.After(w.CreatedAt):
		default:
			number = v.Version
		}
	}
	return number
}

// TestRules_InForceAndNotReplaced compares both functions of the database with each version for each workflow on each day,
// for random publications and workflows.
func TestRules_InForceAndNotReplaced(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.completeWorkflow())
	now := b.Now().Truncate(24 * time.Hour).Add(12 * time.Hour)
	const days = 8
	rapid.Check(t, func(t *rapid.T) {
		require.NoError(b, b.Exec(`DELETE FROM rule_set`))
		require.NoError(b, b.Exec(`DELETE FROM workflow WHERE id <> $1`, b.Workflow.ID))
		zone := time.Duration(rapid.IntRange(-11, 14).Draw(t, "zone")) * time.Hour
		on := func(at time.Time, days int) string { return fact.DateOf(at.Add(zone).AddDate(0, 0, days)).String() }
		today := on(now, 0)
		created := func(hours int) aWorkflow {
			at := now.Add(time.Duration(hours) * time.Hour)
			return aWorkflow{at, on(at, 0), false}
		}

		var versions []aVersion
		for n := range rapid.IntRange(1, 7).Draw(t, "versions") {
			v := aVersion{Version: n + 1, PublishedAt: now.Add(time.Duration(24*(n-days)+rapid.IntRange(1, 20).Draw(t, "hour")) * time.Hour), Validity: forAll}
			v.AppliesTo = rapid.SampledFrom([]calculation.AppliesTo{"ALL", "NEW", "NEW"}).Draw(t, "applies to")
			if ahead := rapid.IntRange(0, 12).Draw(t, "ahead"); ahead > 0 {
				v.EffectiveFrom = new(on(v.PublishedAt, ahead))
			}
			versions = append(versions, v)
			require.NoError(b, b.Exec(`INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by, effective_from, applies_to)
				VALUES (gen_random_uuid(), $1, $2, '{}', sha256(''), 1, 1, $3, 'x', $4::text::date, $5)`, b.Account.ID, v.Version, v.PublishedAt, v.EffectiveFrom, v.AppliesTo))
		}
		var kept []aWorkflow
		for range rapid.IntRange(0, 6).Draw(t, "workflows") {
			near := rapid.SampledFrom(versions).Draw(t, "near the start of")
			hours := int(near.PublishedAt.Sub(now).Hours())
			if near.EffectiveFrom != nil {
				midnight, err := time.Parse(time.DateOnly, *near.EffectiveFrom)
				require.NoError(t, err)
				hours = int(midnight.Add(-zone).Sub(now).Hours())
			}
			w := created(min(hours+rapid.IntRange(-30, 30).Draw(t, "hours after"), -1))
			w.CreatedOn = on(w.CreatedAt, max(0, rapid.IntRange(-9, 12).Draw(t, "created on a day ahead")))
			w.Ended = rapid.IntRange(0, 3).Draw(t, "ended") == 0
			kept = append(kept, w)
			require.NoError(b, b.Exec(`INSERT INTO workflow (id, account_id, business_id, state, created_at, created_on, started_at, ended_at, updated_at)
				SELECT gen_random_uuid(), $1, $2, CASE WHEN $5 THEN 'ENDED' ELSE 'STARTED' END, at, $4::text::date, at, CASE WHEN $5 THEN at END, at FROM (SELECT $3::timestamptz) t (at)`,
				b.Account.ID, b.Business.ID, w.CreatedAt, w.CreatedOn, w.Ended))
		}

		var old, future, open []aWorkflow
		for hours := -24 * (days + 3); hours < 24*(days+6); hours += 6 {
			if hours < 0 {
				old = append(old, created(hours))
			} else {
				future = append(future, created(hours))
			}
		}
		for _, w := range kept {
			if !w.Ended {
				open = append(open, w)
			}
		}
		// have are the versions that some workflow has on some day from today on.
		have := func(workflows []aWorkflow) map[int]bool {
			found := map[int]bool{}
			for _, w := range workflows {
				for ahead := range days + 8 {
					if day := on(now, ahead); day >= on(w.CreatedAt, 0) { // a named day may come before the day it was created on
						found[inForceFor(versions, w, day)] = true
					}
				}
			}
			return found
		}
		anyone, someone := have(slices.Concat(old, future)), have(slices.Concat(open, future))
		want := map[int]string{}
		for _, v := range versions {
			switch coming := v.EffectiveFrom != nil && *v.EffectiveFrom > today; {
			case coming && anyone[v.Version]:
				want[v.Version] = string(calculation.Coming)
			case !coming && someone[v.Version]:
				want[v.Version] = string(calculation.InForce)
			}
		}
		got := map[int]string{}
		for _, line := range b.lines(fmt.Sprintf(`SELECT version || ' ' || state FROM rules_not_replaced('%s', '%s')`, b.Account.ID, today)) {
			var n int
			var state string
			_, err := fmt.Sscan(line, &n, &state)
			require.NoError(t, err)
			got[n] = state
		}
		require.Equal(t, want, got, "%+v", versions)

		var at []time.Time
		var createdOn, day []string
		var numbers []int
		for _, w := range slices.Concat(old, future, kept) {
			for ahead := range days + 8 {
				at, createdOn, day = append(at, w.CreatedAt), append(createdOn, w.CreatedOn), append(day, on(now, ahead))
				numbers = append(numbers, inForceFor(versions, w, on(now, ahead)))
			}
		}
		require.Zero(t, b.Count(`SELECT count(*) FROM unnest($2::timestamptz[], $3::text[]::date[], $4::text[]::date[], $5::int[]) AS w (created_at, created_on, day, number)
			WHERE coalesce((SELECT version FROM rules_in_force($1, w.created_at, w.created_on, w.day)), 0) <> w.number`, b.Account.ID, at, createdOn, day, numbers))
	})
}
