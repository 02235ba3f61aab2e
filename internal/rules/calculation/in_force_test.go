package calculation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
)

// TestReplaces_OnlyWhatComesLaterAndForNoMoreWorkflows compares it with what the guide says of each workflow on each day.
func TestReplaces_OnlyWhatComesLaterAndForNoMoreWorkflows(t *testing.T) {
	t.Parallel()
	today := fact.DateOf(time.Date(2026, 6, 10, 0, 0, 0, 0, time.UTC))
	on := func(days int) fact.Date { return fact.DateOf(today.UTC().AddDate(0, 0, days)) }
	now := today.UTC().Add(12 * time.Hour)
	version := func(t *rapid.T, first int) (v calculation.Validity) {
		v.AppliesTo = rapid.SampledFrom([]calculation.AppliesTo{calculation.AppliesToAll, calculation.AppliesToNew}).Draw(t, "applies to")
		if days := rapid.IntRange(first, 4).Draw(t, "days"); days > 0 {
			v.EffectiveFrom = new(on(days).String())
		}
		return v
	}
	applies := func(v calculation.Validity, created time.Time, day fact.Date) bool {
		switch {
		case v.EffectiveFrom != nil && *v.EffectiveFrom > day.String():
			return false
		case v.AppliesTo == calculation.AppliesToAll:
			return true
		case v.EffectiveFrom != nil:
			return fact.DateOf(created).String() >= *v.EffectiveFrom
		}
		return !created.Before(now)
	}
	rapid.Check(t, func(t *rapid.T) {
		coming, next := version(t, 1), version(t, 0)
		never := true
		for created := today.UTC().AddDate(0, 0, -2); created.Before(on(7).UTC()); created = created.Add(time.Hour) {
			for day := range 7 {
				if applies(coming, created, on(day)) && !applies(next, created, on(day)) {
					never = false
				}
			}
		}
		require.Equal(t, never, next.Replaces(coming))
	})
}
