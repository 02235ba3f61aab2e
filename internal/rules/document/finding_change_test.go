package document

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

// TestRecalculate_Findings holds each against what is on record: the same facts change nothing, and what
// is given as added and removed leads from the one to the other.
func TestRecalculate_Findings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var onRecord []Finding
		begun := map[findingKey]bool{}
		for round := range rapid.IntRange(1, 8).Draw(t, "rounds") {
			var found requirement.Result
			for i := range 4 {
				rule := requirement.FindingRule{FindingCode: fmt.Sprint("F", i), EntityType: fact.EntityPerson, Kind: rapid.SampledFrom([]requirement.FindingKind{requirement.KindHold, requirement.KindReview}).Draw(t, "kind"), Message: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "message")}
				found.Rules = append(found.Rules, requirement.RuleSet{Findings: []requirement.FindingRule{rule}}.Rules()...)
				for _, person := range []string{"p_1", "p_2"} {
					if rapid.Bool().Draw(t, "found") {
						found.Required = append(found.Required, requirement.Requirement{
							FindingCode: rule.FindingCode, EntityType: rule.EntityType, EntityID: person,
							Reason: requirement.Reason{Message: "m", Facts: requirement.ReasonFacts{"business_age_months": int64(rapid.IntRange(0, 1).Draw(t, "value")), "industry_category_code": []string{"7995"}}},
						})
					}
				}
			}
			since := map[findingKey]fact.Date{}
			for _, f := range onRecord {
				since[f.key()] = f.Since
			}
			seen := Seen{VersionID: "rul_1", AsOf: fact.Date{Year: 2026, Month: 1, Day: 1 + round}, Findings: onRecord}
			changes := Recalculate(nil, found, seen, nil)
			require.True(t, changes.Empty(), "findings are no documents")
			require.Len(t, changes.Findings.Now, len(found.Required))
			for _, f := range changes.Findings.Removed {
				require.True(t, begun[f.key()])
				delete(begun, f.key())
			}
			for _, f := range changes.Findings.Added {
				require.False(t, begun[f.key()])
				begun[f.key()] = true
			}
			require.Len(t, begun, len(changes.Findings.Now))
			for _, f := range changes.Findings.Now {
				require.True(t, begun[f.key()])
				was, known := since[f.key()]
				if !known {
					was = seen.AsOf
				}
				require.Equal(t, was, f.Since, "the day stays while it is found")
			}
			if !changes.Findings.Changed {
				require.Equal(t, onRecord, changes.Findings.Now)
			}
			text, err := json.Marshal(changes.Findings.Now) // as a store keeps them
			require.NoError(t, err)
			onRecord = nil
			require.NoError(t, json.Unmarshal(text, &onRecord))
			seen.Findings, seen.AsOf = onRecord, fact.Date{Year: 2027, Month: 1, Day: 1}
			again := Recalculate(nil, found, seen, nil).Findings
			require.False(t, again.Changed, "the same again changes nothing")
			require.Empty(t, append(again.Added, again.Removed...))
		}
	})
}

func TestDocument_HoldsUpItsApplication(t *testing.T) {
	t.Parallel()
	today := rulestest.Date("2026-03-15")
	for _, c := range []struct {
		hold   requirement.Hold
		status Status
		due    string
		code   string
		since  string
	}{
		{requirement.HoldWhenOpen, Pending, "", requirement.DocumentOpen, "2026-01-31"},
		{requirement.HoldWhenOpen, NeedsReview, "2026-03-01", requirement.DocumentOpen, "2026-01-31"},
		{requirement.HoldWhenOpen, Completed, "", "", ""},
		{requirement.HoldWhenOpen, Waived, "", "", ""},
		{requirement.HoldWhenOpen, Inactive, "", "", ""},
		{requirement.HoldWhenOverdue, Pending, "2026-03-14", requirement.DocumentOverdue, "2026-03-15"},
		{requirement.HoldWhenOverdue, Pending, "2026-02-28", requirement.DocumentOverdue, "2026-03-01"},
		{requirement.HoldWhenOverdue, Pending, "2026-03-15", "", ""},
		{requirement.HoldWhenOverdue, NeedsReview, "2026-03-14", "", ""},
		{requirement.HoldWhenOverdue, Pending, "", "", ""},
		{"", Pending, "2026-03-14", "", ""},
	} {
		d := Document{Status: c.status, Terms: requirement.Terms{Hold: c.hold}, DueSince: rulestest.Date("2026-01-31")}
		if c.due != "" {
			d.DueOn = rulestest.Date(c.due)
		}
		code, since, held := d.Held(today)
		require.Equal(t, c.code, code, "%+v", c)
		require.Equal(t, c.code != "", held)
		if held {
			require.Equal(t, c.since, since.String())
		}
	}
	approved := Document{Status: Completed, Terms: requirement.Terms{Hold: requirement.HoldWhenOpen}, Approval: &Approval{Status: Completed, On: rulestest.Date("2026-01-01"), Until: &today}}
	_, _, held := approved.Held(today)
	require.False(t, held, "the last day counts")
	code, since, _ := approved.Held(today.Next())
	require.Equal(t, []any{requirement.DocumentOpen, today.Next()}, []any{code, since})
}
