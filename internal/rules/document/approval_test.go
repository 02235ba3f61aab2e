package document

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

func TestApproval_IsValidUntilTheFirstOfItsEnds(t *testing.T) {
	for _, c := range []struct {
		renew, expires string
		until          string
		lapsed         StatusReason // on the day after
	}{
		{"", "", "", ""},
		{"1 year", "", "2027-03-15", RenewalDue},
		{"", "2026-04-01", "2026-04-01", Expired},
		{"1 year", "2026-04-01", "2026-04-01", Expired},
		{"1 day", "2026-04-01", "2026-03-16", RenewalDue},
		{"1 year", "2027-03-15", "2027-03-15", Expired},
	} {
		d := Document{Status: Pending}
		if c.renew != "" {
			d.RenewAfter = rulestest.Period(c.renew)
		}
		if c.expires != "" {
			d.MustBeValid, d.Evidence = true, []Evidence{{ExpiresOn: rulestest.Day(c.expires)}}
		}
		d, err := d.Update(Review{Status: Completed}, today)
		require.NoError(t, err)
		require.Equal(t, c.until, text(d.ValidUntil()), c)
		if c.until == "" {
			require.Empty(t, d.Lapsed(rulestest.Date("9999-12-31")))
			continue
		}
		last := d.ValidUntil()
		require.Empty(t, d.Lapsed(last))
		require.Equal(t, c.lapsed, d.Lapsed(fact.DateOf(last.UTC().AddDate(0, 0, 1))))
		d.Status = NeedsReview
		require.Zero(t, d.ValidUntil(), "only an approval that stands has an end")
	}
	waived, err := Document{Status: Pending, Terms: requirement.Terms{RenewAfter: rulestest.Period("1 day")}}.Waive(today)
	require.NoError(t, err)
	require.Zero(t, waived.ValidUntil(), "a waiver ends only by hand")
}

// TestDocument_AnApprovalHoldsForWhatWasApproved plays a desk at random: what is published, who the
// person is, and what a reviewer does, in one workflow after the other.
func TestDocument_AnApprovalHoldsForWhatWasApproved(t *testing.T) {
	t.Parallel()
	steps := []string{"publish", "publish", "day", "rename", "rule", "calculate", "calculate", "calculate", "update", "update", "waive", "create", "next workflow"}
	rapid.Check(t, func(t *rapid.T) {
		k := newDesk()
		k.calculate(t)
		for range rapid.IntRange(20, 40).Draw(t, "steps") {
			d, known := k.document()
			switch step := rapid.SampledFrom(steps).Draw(t, "step"); {
			case step == "publish":
				k.publish(drawVersion(t, &k.account, deskDocument))
			case step == "day":
				k.account.Day++
			case step == "rename":
				k.identity.FirstName = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name")
			case step == "rule":
				k.applies = rapid.Bool().Draw(t, "applies")
			case step == "calculate":
				k.calculate(t)
			case !known:
			case step == "next workflow":
				k.open()
			case step == "update":
				review := Review{Status: rapid.SampledFrom([]Status{Pending, NeedsReview, Completed}).Draw(t, "to")}
				if rapid.Bool().Draw(t, "with evidence") {
					review.Evidence = []Evidence{{Reference: "r"}}
				}
				if after, err := d.Update(review, k.asOf()); err == nil {
					k.store(after, review.Evidence != nil || after.Status != d.Status)
				}
			case step == "waive":
				if after, err := d.Waive(k.asOf()); err == nil {
					k.store(after, true)
				}
			case step == "create" && d.Status == Inactive:
				k.store(d.RequireManually(ManualText{Name: "own"}, k.identity, k.asOf()), true)
			}
		}
	})
}
