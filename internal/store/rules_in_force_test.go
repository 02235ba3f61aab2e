package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
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
func (b *bundle) publishFrom(code string, days int, force calculation.Force) store.Published {
	b.Helper()
	d := draft(rule(code, ""))
	d.Force = force
	if days != 0 {
		d = b.from(days, d)
	}
	var p store.Published
	b.Write(b.Call, func(r *store.Records) (err error) {
		p, err = r.PublishRuleSet(b.Context(), b.Account.WireID(), d)
		return err
	})
	return p
}

var (
	forAll = calculation.Force{AppliesTo: calculation.AppliesToAll}
	forNew = calculation.Force{AppliesTo: calculation.AppliesToNew}
)

// inForceNow is the number of the version in force for a workflow.
func (b *bundle) inForceNow(workflow id.WorkflowID) int {
	b.Helper()
	r := b.Store.Records(b.Call.Scope)
	w, err := r.WorkflowWithFindings(b.Context(), workflow)
	require.NoError(b, err)
	listed, _, err := r.Workflows(b.Context(), b.Account.WireID(), domain.WorkflowFilter{}, domain.Page{Limit: 100})
	require.NoError(b, err)
	at := slices.IndexFunc(listed, func(l domain.WorkflowOnRecord) bool { return l.WireID() == workflow })
	require.Equal(b, []any{w.RuleSetID, w.DocumentsStale}, []any{listed[at].RuleSetID, listed[at].DocumentsStale})
	_, snapshot, err := b.Store.Snapshot(b.Context(), b.Call.Scope, workflow)
	require.NoError(b, err)
	require.Equal(b, w.RuleSetID.UUID, snapshot.RuleSet.ID, "a calculation takes it too")
	return snapshot.RuleSet.Version
}

func (b *bundle) states() (states []calculation.VersionState) {
	b.Helper()
	versions, err := b.Store.Records(b.Call.Scope).RuleSets(b.Context(), b.Account.WireID())
	require.NoError(b, err)
	for _, v := range versions {
		states = append(states, v.State)
		one, err := b.Store.Records(b.Call.Scope).RuleSet(b.Context(), b.Account.WireID(), v.WireID())
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
		found, err := b.Store.Records(b.Call.Scope).WorkflowWithFindings(t.Context(), w)
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

func TestRules_ForNewApplications(t *testing.T) {
	b := setup(t)
	b.publishFrom("A", 0, forAll)
	b.publishFrom("B", 1, forNew)
	b.Pass(48 * time.Hour)
	require.Equal(t, 1, b.inForceNow(b.Workflow.WireID()))
	require.Equal(t, []calculation.VersionState{"IN_FORCE", "IN_FORCE"}, b.states())
	var opened domain.Workflow
	b.Write(b.Call, func(r *store.Records) (err error) {
		opened, err = r.CreateWorkflow(t.Context(), b.Account.WireID(), b.Business.WireID(), domain.NewWorkflow{State: domain.Started})
		return err
	})
	require.Equal(t, 2, b.inForceNow(opened.WireID()))
	inForce, err := b.Store.Records(b.Call.Scope).RuleSet(t.Context(), b.Account.WireID(), id.RuleSetVersionID{})
	require.NoError(t, err)
	require.Equal(t, 2, inForce.Version, "it is the one of a workflow that is created now")
}

func TestPublish_RefusesADayThatHasPassed(t *testing.T) {
	b := setup(t)
	d := draft(rule("A", ""))
	yesterday := fact.DateOf(b.Now().AddDate(0, 0, -1)).String()
	d.EffectiveFrom = &yesterday
	err := b.Try(b.Call, func(r *store.Records) error { return only(r.PublishRuleSet(t.Context(), b.Account.WireID(), d)) })
	refused, _ := refusal.FromError(err)
	require.Contains(t, string(refused.Details), "effective_from")
	d.EffectiveFrom, d.KeepApprovals = nil, []string{"B", "A"}
	err = b.Try(b.Call, func(r *store.Records) error { return only(r.PublishRuleSet(t.Context(), b.Account.WireID(), d)) })
	refused, _ = refusal.FromError(err)
	require.Contains(t, string(refused.Details), "keep_approvals[0]")
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
		b.Write(b.Call, func(r *store.Records) error { return only(r.PublishRuleSet(t.Context(), b.Account.WireID(), d)) })
	}
	status := func() requirement.Status { return b.document(b.Workflow.WireID(), "DEED").Status }
	publish("one")
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "DEED"), requirement.Review{Status: requirement.Completed})
	publish("two", "DEED")
	publish("three", "*")
	// A draft is previewed as the version that it would become.
	for text, kept := range map[string]int{"three": 1, "four": 0} {
		found, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{Draft: draft(deed(text)).Content}, fact.Date{}, b.decide(deed(text)))
		require.NoError(t, err)
		require.Len(t, found.Changes.Reopened, 1-kept, text)
	}
	b.mustCalculate()
	require.Equal(t, requirement.Completed, status())
	b.Write(b.Call, func(r *store.Records) error { // the same once more, as when a coming version is withdrawn
		d := draft(deed("three"))
		d.AppliesTo = calculation.AppliesToNew
		return errors.Join(only(r.PublishRuleSet(t.Context(), b.Account.WireID(), d)), only(r.PublishRuleSet(t.Context(), b.Account.WireID(), draft(deed("three")))))
	})
	b.mustCalculate()
	require.Equal(t, requirement.Completed, status())
	publish("four", "DEED")
	publish("five")
	publish("six", "DEED")
	b.mustCalculate()
	require.Equal(t, requirement.NeedsReview, status())
}

// TestPublish_KeepsApprovals_AfterAWithdrawal: a version that never came into force for the workflow ends no
// approval, once a calculation has found the approved text again.
func TestPublish_KeepsApprovals_AfterAWithdrawal(t *testing.T) {
	b := setup(t)
	publish := func(text string, force calculation.Force) {
		b.Helper()
		d := draft(requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: text, EntityType: fact.EntityBusiness})
		d.Force = force
		b.Write(b.Call, func(r *store.Records) error { return only(r.PublishRuleSet(b.Context(), b.Account.WireID(), d)) })
	}
	publish("one", forAll)
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "DEED"), requirement.Review{Status: requirement.Completed})
	publish("two", forNew)
	publish("one", forAll)
	b.mustCalculate()
	publish("three", calculation.Force{AppliesTo: calculation.AppliesToAll, KeepApprovals: []string{"*"}})
	b.mustCalculate()
	require.Equal(t, requirement.Completed, b.document(b.Workflow.WireID(), "DEED").Status)
	publish("four", forAll)
	b.mustCalculate()
	require.Equal(t, requirement.NeedsReview, b.document(b.Workflow.WireID(), "DEED").Status)
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
		b.Write(b.Call, func(r *store.Records) error { return only(r.PublishRuleSet(t.Context(), b.Account.WireID(), d)) })
	}
	publish("one")
	b.mustCalculate()
	b.review(b.document(b.Workflow.WireID(), "DEED"), requirement.Review{Status: requirement.Completed})
	publish("two")
	b.mustCalculate()
	b.Pass(31 * day)
	require.NoError(t, b.Exec(`UPDATE decision SET rule_set_id = NULL, rule_set_sha256 = NULL`)) // as if they had been pruned
	b.prune(store.Retention{})
	publish("three")
	b.mustCalculate()
	require.Equal(t, requirement.Completed, b.document(b.Workflow.WireID(), "DEED").Status)
}

// TestPublish_KeepsApprovals_OfRulesOnly: what hand requires says something of its own, which no version keeps.
func TestPublish_KeepsApprovals_OfRulesOnly(t *testing.T) {
	b := setup(t)
	publish := func(when string) {
		b.Helper()
		d := draft(requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: "of the rule", EntityType: fact.EntityBusiness, When: when})
		b.Write(b.Call, func(r *store.Records) error { return only(r.PublishRuleSet(t.Context(), b.Account.WireID(), d)) })
	}
	b.Write(b.Call, func(r *store.Records) error {
		of := requirement.Entity{Type: fact.EntityBusiness, ID: b.Business.WireID().String()}
		return only2(r.CreateDocument(t.Context(), b.Workflow.WireID(), "DEED", of, requirement.ManualText{Name: "Deed", Category: "c", RequirementText: "of its own", Reason: "r"}))
	})
	publish("")
	b.mustCalculate()
	require.Equal(t, "of the rule", b.document(b.Workflow.WireID(), "DEED").RequirementText)
	b.review(b.document(b.Workflow.WireID(), "DEED"), requirement.Review{Status: requirement.Completed})
	publish("false")
	b.mustCalculate()
	d := b.document(b.Workflow.WireID(), "DEED")
	require.Equal(t, []any{"of its own", requirement.NeedsReview, requirement.TextChanged}, []any{d.RequirementText, d.Status, d.StatusReason})
}

// TestRules_OneFunctionSaysWhichAreInForce compares it, and the states of versions, with what the contract says, for
// random publications.
func TestRules_OneFunctionSaysWhichAreInForce(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(7, 7))
	today := fact.DateOf(b.Now())
	date := func(days int) fact.Date { return fact.DateOf(today.UTC().AddDate(0, 0, days)) }
	for range 40 {
		require.NoError(t, b.Exec(`DELETE FROM rule_set`))
		var versions []calculation.Issued
		for n := range 1 + random.IntN(6) {
			v := calculation.Issued{Version: n + 1, PublishedAt: today.UTC().AddDate(0, 0, -8+n).Add(time.Duration(random.IntN(20)) * time.Hour), Force: forAll}
			if random.IntN(2) == 0 {
				v.AppliesTo = calculation.AppliesToNew
			}
			if ahead := random.IntN(8); ahead > 0 {
				on := fact.DateOf(v.PublishedAt.AddDate(0, 0, ahead)).String()
				v.EffectiveFrom = &on
			}
			versions = append(versions, v)
			require.NoError(t, b.Exec(`INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by, effective_from, applies_to)
				VALUES (gen_random_uuid(), $1, $2, '{}', sha256(''), 1, 1, $3, 'x', $4::text::date, $5)`, b.Account.ID, v.Version, v.PublishedAt, v.EffectiveFrom, v.AppliesTo))
		}
		used := map[int]bool{}
		for created := -12; created <= 8; created++ {
			for _, hour := range []int{1, 13} {
				createdAt := today.UTC().AddDate(0, 0, created).Add(time.Duration(hour) * time.Hour)
				for day := created; day <= 8; day++ {
					var want int
					for _, v := range versions {
						come := v.EffectiveFrom == nil && v.PublishedAt.Before(date(day+1).UTC()) || v.EffectiveFrom != nil && *v.EffectiveFrom <= date(day).String()
						applies := v.AppliesTo == calculation.AppliesToAll || v.EffectiveFrom == nil && !createdAt.Before(v.PublishedAt) || v.EffectiveFrom != nil && date(created).String() >= *v.EffectiveFrom
						if come && applies {
							want = v.Version
						}
					}
					if published := versions[len(versions)-1].PublishedAt; date(day).UTC().Before(published) {
						continue // days before the last publication saw other versions
					}
					got := b.Count(`SELECT coalesce((SELECT version FROM rules_in_force($1, $2, $3::text::date, $4::text::date)), 0)`,
						b.Account.ID, createdAt, date(created).String(), date(day).String())
					require.Equal(t, want, got, fmt.Sprint(versions, createdAt, date(day)))
					if day == 0 {
						used[got] = true
					}
				}
			}
		}
		for i, v := range versions {
			state := v.StateOn(today, time.UTC, versions[i+1:])
			if used[v.Version] {
				require.Equal(t, calculation.InForce, state, fmt.Sprint(versions, v.Version))
			}
			if state == calculation.Replaced {
				require.False(t, used[v.Version])
			}
		}
	}
}
