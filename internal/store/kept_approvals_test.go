package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store"
)

func deed(text string) requirement.DocumentRule {
	return requirement.DocumentRule{DocumentTypeCode: "DEED", Name: "Deed", Category: "c", RequirementText: text, EntityType: fact.EntityBusiness}
}

// publishDeed publishes a text of one document, from some days after today on.
func (b *bundle) publishDeed(text string, days int, to calculation.AppliesTo, keep ...string) store.Published {
	b.Helper()
	d := draft(deed(text))
	d.Force = calculation.Force{AppliesTo: to, KeepApprovals: keep}
	if days > 0 {
		day := fact.DateOf(b.Now().AddDate(0, 0, days)).String()
		d.EffectiveFrom = &day
	}
	var p store.Published
	b.Write(b.Call, func(r *store.Records) (err error) {
		p, err = r.PublishRuleSet(b.Context(), b.Account.WireID(), d)
		return err
	})
	return p
}

func (b *bundle) deed() calculation.RequiredDocument { return b.document(b.Workflow.WireID(), "DEED") }

// calculateTwice calculates, and once more, which changes nothing.
func (b *bundle) calculateTwice() calculation.RunResult {
	b.Helper()
	result := b.mustCalculate()
	before, events := b.deed(), b.calculatedEvents()
	b.mustCalculate()
	require.Equal(b, before, b.deed(), "the same facts and rules a second time")
	require.Equal(b, events, b.calculatedEvents())
	return result
}

func (b *bundle) approveDeed() {
	b.Helper()
	b.review(b.deed(), requirement.Review{Status: requirement.Completed})
}

func (b *bundle) waiveDeed() {
	b.Helper()
	of := id.Must[id.RequiredDocumentID](b.deed().ID)
	b.Write(b.Call, func(r *store.Records) error {
		return only(r.WaiveDocument(b.Context(), of, "not needed", id.DecisionID{}))
	})
}

func TestKeptApproval_HoldsInEachCalculation(t *testing.T) {
	for name, keep := range map[string][]string{"by its code": {"DEED"}, "with all others": {"*"}} {
		for status, decide := range map[requirement.Status]func(*bundle){requirement.Completed: (*bundle).approveDeed, requirement.Waived: (*bundle).waiveDeed} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				b := setup(t)
				b.publishDeed("one", 0, calculation.AppliesToAll)
				b.mustCalculate()
				decide(b)
				b.publishDeed("two", 0, calculation.AppliesToAll, keep...)
				preview, err := b.Store.Preview(t.Context(), b.Call.Scope, b.Workflow.WireID(), store.Tried{}, fact.Date{}, b.evaluate)
				require.NoError(t, err)
				require.Empty(t, preview.Changes.Moved)
				b.calculateTwice()
				require.Equal(t, status, b.deed().Status)
				b.publishDeed("two", 0, calculation.AppliesToAll) // another version with the same text
				b.calculateTwice()
				require.Equal(t, status, b.deed().Status)
				b.publishDeed("three", 0, calculation.AppliesToAll)
				b.publishDeed("four", 0, calculation.AppliesToAll, keep...)
				b.calculateTwice()
				require.NotEqual(t, status, b.deed().Status, "a later version restores nothing that an earlier one has ended")
			})
		}
	}
}

func TestKeptApproval_IsCarriedAsOftenAsItHolds(t *testing.T) {
	b := setup(t)
	b.publishDeed("one", 0, calculation.AppliesToAll)
	b.mustCalculate()
	b.approveDeed()
	b.publishDeed("two", 0, calculation.AppliesToAll, "DEED")
	for range 3 {
		require.NoError(t, b.completeWorkflow())
		b.Write(b.Call, func(r *store.Records) (err error) {
			of := domain.NewWorkflow{State: domain.Started, PreviousWorkflowID: b.Workflow.WireID()}
			b.Workflow, err = r.CreateWorkflow(t.Context(), b.Account.WireID(), b.Business.WireID(), of)
			return err
		})
		require.Len(t, b.calculateTwice().Changed.Carried, 1)
		require.Equal(t, requirement.Completed, b.deed().Status)
	}
}

// A version that was replaced before it came into force is no version that an approval must hold through.
func TestKeptApproval_HoldsThroughWhatWasInForce(t *testing.T) {
	for name, c := range map[string]struct {
		days int
		to   calculation.AppliesTo
		want requirement.Status
	}{
		"replaced while it was coming": {5, calculation.AppliesToAll, requirement.Completed},
		"in force for new workflows":   {0, calculation.AppliesToNew, requirement.NeedsReview},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			b.publishDeed("one", 0, calculation.AppliesToAll)
			b.mustCalculate()
			b.approveDeed()
			b.publishDeed("two", c.days, c.to)
			b.publishDeed("three", 0, calculation.AppliesToAll, "*")
			b.calculateTwice()
			require.Equal(t, c.want, b.deed().Status)
		})
	}
}

// TestKeptApproval_NeedsNoOtherVersion: versions in between may be pruned.
func TestKeptApproval_NeedsNoOtherVersion(t *testing.T) {
	b := setup(t)
	b.publishDeed("one", 0, calculation.AppliesToAll)
	b.mustCalculate()
	b.approveDeed()
	for _, text := range []string{"two", "three", "four"} {
		b.publishDeed(text, 0, calculation.AppliesToAll, "DEED")
		b.Pass(time.Hour)
	}
	b.calculateTwice()
	b.Pass(31 * day)
	require.NoError(t, b.Exec(`UPDATE decision SET rule_set_id = NULL, rule_set_sha256 = NULL`)) // as if they had been pruned
	b.prune(store.Retention{})
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM rule_set`))
	b.calculateTwice()
	require.Equal(t, requirement.Completed, b.deed().Status)
	b.publishDeed("five", 0, calculation.AppliesToAll, "DEED")
	b.calculateTwice()
	require.Equal(t, requirement.Completed, b.deed().Status)
}

// publishedDeed is a version of the model.
type publishedDeed struct {
	number    int
	text      string
	keeps     bool
	withdrawn bool // replaced while it was still coming
}

// holds is what the specification says of an approval of a text, under the version with a number.
func holds(versions []publishedDeed, text string, approvedAt, under int) bool {
	var inForce []publishedDeed
	for _, v := range versions {
		if v.number <= under && (!v.withdrawn || v.number == under) {
			inForce = append(inForce, v)
		}
	}
	for i := len(inForce) - 1; i >= 0; i-- {
		v := inForce[i]
		if v.text == text && (v.number >= approvedAt || i == len(inForce)-1) {
			return true
		}
		if v.number < approvedAt || i == 0 || v.text != inForce[i-1].text && !v.keeps {
			return false
		}
	}
	return false
}

// TestKeptApproval_HoldsAsSpecified plays publications, reviews, days and calculations at random beside a model.
func TestKeptApproval_HoldsAsSpecified(t *testing.T) {
	b := setup(t)
	random := rand.New(rand.NewPCG(12, 1))
	var versions []publishedDeed
	publish := func(text string, days int, to calculation.AppliesTo, keep ...string) {
		p := b.publishDeed(text, days, to, keep...)
		if !p.Changed {
			return
		}
		for i := range versions {
			for _, number := range p.Replaced {
				versions[i].withdrawn = versions[i].withdrawn || versions[i].number == number
			}
		}
		versions = append(versions, publishedDeed{number: p.Version, text: text, keeps: len(keep) > 0})
	}
	publish("a", 0, calculation.AppliesToAll)
	b.mustCalculate()
	var approved *requirement.Approval
	at, last := 0, 1 // the version of the approval, and of the last calculation
	for step := range 150 {
		switch random.IntN(6) {
		case 0, 1:
			var keep []string
			if random.IntN(2) == 0 {
				keep = []string{[]string{"*", "DEED"}[random.IntN(2)]}
			}
			to := []calculation.AppliesTo{calculation.AppliesToAll, calculation.AppliesToNew}[random.IntN(2)]
			publish([]string{"a", "b", "c"}[random.IntN(3)], random.IntN(2)*random.IntN(4), to, keep...)
		case 2:
			b.Pass(day)
		case 3:
			switch d := b.deed(); {
			case d.Status == requirement.Completed || d.Status == requirement.Waived:
				b.review(d, requirement.Review{Status: requirement.Pending})
				approved = nil
			case random.IntN(2) == 0:
				b.waiveDeed()
				approved, at = b.deed().Approval, last
			default:
				b.approveDeed()
				approved, at = b.deed().Approval, last
			}
		default:
			_, snapshot, err := b.Store.Snapshot(b.Context(), b.Call.Scope, b.Workflow.WireID())
			require.NoError(t, err)
			last = snapshot.RuleSet.Version
			b.calculateTwice()
			if approved != nil {
				want := approved.Status
				if !holds(versions, approved.Text.RequirementText, at, last) {
					want = map[requirement.Status]requirement.Status{requirement.Completed: requirement.NeedsReview, requirement.Waived: requirement.Pending}[want]
				}
				require.Equal(t, want, b.deed().Status, "step %d: %v approved at %d, calculated under %d of %v", step, approved.Text.RequirementText, at, last, versions)
			}
		}
	}
}
