package document

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

// The last day counts.
func TestOnDay_BringsEachOccasionOnItsDay(t *testing.T) {
	renewed := requirement.Terms{RenewAfter: rulestest.Period("30 days"), RemindBefore: rulestest.Period("7 days"), DueWithin: rulestest.Period("10 days")}
	approved := func(terms requirement.Terms, expires string) Document {
		d := Document{Status: Pending, Terms: terms, DueOn: rulestest.Date("2026-03-20")}
		if expires != "" {
			d.Evidence = []Evidence{{ExpiresOn: rulestest.Day(expires)}}
		}
		d, err := d.Update(Review{Status: Completed}, today)
		require.NoError(t, err)
		return d
	}
	told := func(d Document) Document {
		after, occasion := d.OnDay(rulestest.Date("2026-04-14"), false)
		require.Equal(t, OccasionExpiring, occasion)
		return after
	}
	for name, c := range map[string]struct {
		document Document
		ended    bool
		next     string
		occasion Occasion
		after    string // the status, its reason, due_on and valid_until
	}{
		"an approval ends":               {told(approved(renewed, "")), false, "2026-04-15", OccasionExpired, "PENDING RENEWAL_DUE 2026-04-25 "},
		"evidence expires":               {approved(requirement.Terms{MustBeValid: true}, "2026-04-01"), false, "2026-04-02", OccasionExpired, "PENDING EXPIRED  "},
		"a reminder":                     {approved(renewed, ""), false, "2026-04-07", OccasionExpiring, "COMPLETED  2026-03-20 2026-04-14"},
		"a reminder of a short validity": {approved(requirement.Terms{MustBeValid: true, RemindBefore: rulestest.Period("1 year")}, "2026-04-01"), false, "2025-04-01", OccasionExpiring, "COMPLETED  2026-03-20 2026-04-01"},
		"overdue":                        {Document{Status: Pending, DueOn: today}, false, "2026-03-16", OccasionOverdue, "PENDING  2026-03-15 "},
		"a due date that follows a fact": {approved(requirement.Terms{MustBeValid: true, DueWithin: rulestest.Period("1 day"), DueFrom: "established_date"}, "2026-04-01"), false, "2026-04-02", OccasionExpired, "PENDING EXPIRED 2026-03-20 "},
		"an approval in an ended one":    {approved(renewed, ""), true, "2026-04-15", OccasionExpired, "COMPLETED  2026-03-20 2026-04-14"},
		"overdue in an ended one":        {Document{Status: Pending, DueOn: today}, true, "", "", ""},
		"in review":                      {Document{Status: NeedsReview, DueOn: today, Approval: told(approved(renewed, "")).Approval}, false, "", "", ""},
		"waived":                         {Document{Status: Waived, DueOn: today, Terms: renewed, Approval: &Approval{Status: Waived, On: today}}, false, "", "", ""},
		"inactive":                       {Document{Status: Inactive, PreviousStatus: Completed, DueOn: today, Terms: renewed, Approval: &Approval{Status: Completed, On: today}}, false, "", "", ""},
		"valid for ever":                 {approved(requirement.Terms{}, ""), false, "", "", ""},
		"valid to the end of days":       {approved(requirement.Terms{MustBeValid: true}, "9999-12-31"), false, "", "", ""},
		"due at the end of days":         {Document{Status: Pending, DueOn: rulestest.Date("9999-12-31")}, false, "", "", ""},
	} {
		next := c.document.NextOn(c.ended)
		require.Equal(t, c.next, text(next), name)
		if next.IsZero() {
			_, occasion := c.document.OnDay(rulestest.Date("9999-12-31"), c.ended)
			require.Empty(t, occasion, name)
			continue
		}
		_, early := c.document.OnDay(fact.DateOf(next.UTC().AddDate(0, 0, -1)), c.ended)
		require.Empty(t, early, name)
		after, occasion := c.document.OnDay(next, c.ended)
		require.Equal(t, c.occasion, occasion, name)
		require.Equal(t, c.after, fmt.Sprintf("%s %s %s %s", after.Status, after.StatusReason, text(after.DueOn), text(after.ValidUntil())), name)
		_, again := after.OnDay(next, c.ended)
		require.NotEqual(t, occasion, again, name)
	}
	late, occasion := approved(renewed, "").OnDay(rulestest.Date("2026-04-18"), false)
	require.Equal(t, []any{OccasionExpired, "2026-04-28", "2026-04-18"}, []any{occasion, text(late.DueOn), text(late.DueSince)}, "after a downtime it has its whole time")
	require.Nil(t, late.Approval)
}

// TestOnDay_TellsOfEachDateOnce plays a document at random: what reviewers do, which date its due date
// follows, and days on which nobody looks.
func TestOnDay_TellsOfEachDateOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := requirement.DocumentRule{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, Terms: requirement.Terms{
			MustBeValid: true, RemindBefore: rulestest.Period("3 days"), DueWithin: rulestest.Period("2 days"), DueFrom: rapid.SampledFrom([]string{"", "established_date"}).Draw(t, "from"),
		}}
		l, asOf, established, ended := &ledger{documents: map[string]Document{}}, today, today, false
		calculate := func(required bool) {
			result := requirement.Result{Rules: requirement.DocumentRules(rule)}
			if required {
				result.Required = []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}
			}
			l.recalculate(t, result, Seen{AsOf: asOf, Facts: fact.Facts{EstablishedDate: &established}})
		}
		after := func(days int) fact.Date { return fact.DateOf(asOf.UTC().AddDate(0, 0, days)) }
		calculate(true)
		told := map[string]bool{}
		for range rapid.IntRange(20, 60).Draw(t, "steps") {
			d := l.all()[0]
			switch rapid.SampledFrom([]string{"day", "day", "day", "fact", "rule", "complete", "complete", "pending", "end"}).Draw(t, "step") {
			case "day":
				asOf = after(rapid.IntRange(0, 4).Draw(t, "days"))
				for {
					next := d.NextOn(ended)
					moved, occasion := d.OnDay(asOf, ended)
					require.Equal(t, occasion != "", !next.IsZero() && !asOf.Before(next), "the next day that brings something is known")
					if occasion == "" {
						break
					}
					of := d.ValidUntil()
					if occasion == OccasionOverdue {
						of = d.DueOn
					}
					key := fmt.Sprint(occasion, of)
					require.False(t, told[key], key)
					told[key] = true
					if ended {
						require.Equal(t, []any{OccasionExpired, d.Status}, []any{occasion, moved.Status}, "nothing changes")
					}
					d = moved
				}
				l.documents[d.ID] = d
				require.True(t, ended || d.Lapsed(asOf) == "" || d.Status != Completed)
				require.True(t, ended || !d.Overdue(asOf) || told[fmt.Sprint(OccasionOverdue, d.DueOn)])
			case "end":
				ended = ended || rapid.IntRange(0, 20).Draw(t, "ends") == 0
			case "fact":
				established = after(rapid.IntRange(-6, 2).Draw(t, "established"))
				fallthrough
			case "rule":
				if !ended {
					calculate(rapid.IntRange(0, 4).Draw(t, "required") > 0)
				}
			case "complete", "pending":
				review := Review{Status: rapid.SampledFrom([]Status{Pending, NeedsReview, Completed, Completed}).Draw(t, "to"), Evidence: []Evidence{{ExpiresOn: new(after(rapid.IntRange(0, 6).Draw(t, "expires")))}}}
				if moved, err := d.Update(review, asOf); err == nil && !ended {
					l.documents[d.ID] = moved
				}
			}
		}
	})
}

func TestTold_IsBounded(t *testing.T) {
	d := Document{Status: Pending}
	for i := range MaxNotified + 5 {
		d.DueOn = fact.DateOf(today.UTC().AddDate(0, 0, -i))
		before := d.Notified.Overdue
		d, _ = d.OnDay(rulestest.Date("2027-01-01"), false)
		require.Len(t, before, min(i, MaxNotified))
	}
	require.Len(t, d.Notified.Overdue, MaxNotified)
	require.Equal(t, d.DueOn, d.Notified.Overdue[MaxNotified-1])
}

func TestDocument_IsOverdueAfterItsLastDay(t *testing.T) {
	d := Document{Status: Pending, DueOn: today}
	require.Equal(t, today, d.Deadline())
	require.False(t, d.Overdue(today), "the last day counts")
	require.True(t, d.Overdue(rulestest.Date("2026-03-16")))
	d.Status = NeedsReview
	require.Equal(t, today, d.Deadline())
	require.False(t, d.Overdue(rulestest.Date("2026-03-16")))
	d.Status = Completed
	require.Zero(t, d.Deadline())
}
