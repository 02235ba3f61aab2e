package calculation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"requisite/internal/domain"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
)

// walk asks every hour, from one time to another, and returns the local times of the starts.
func walk(t require.TestingT, setting domain.RecalculationSetting, zone string, from, to string, down func(time.Time) bool, starts ...string) (started []string) {
	location, err := domain.Zone(zone)
	require.NoError(t, err)
	now, err := time.Parse(time.RFC3339, from)
	require.NoError(t, err)
	end, err := time.Parse(time.RFC3339, to)
	require.NoError(t, err)
	last := now
	for ; now.Before(end); now = now.Add(time.Hour) {
		if down != nil && down(now) {
			continue
		}
		if calculation.RecalculationDue(setting, location, &last, now, starts) {
			last = now
			started = append(started, now.In(location).Format("2006-01-02 15:04"))
		}
	}
	return started
}

func TestRecalculationDue_WalksDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, zone, from, to string
		want                 []string
	}{
		{"a day that begins at one o'clock", "Africa/Cairo", "2026-04-23T12:00:00Z", "2026-04-26T12:00:00Z", []string{"2026-04-24 01:00", "2026-04-25 00:00", "2026-04-26 00:00"}},
		{"an hour before midnight twice", "Africa/Cairo", "2026-10-28T12:00:00Z", "2026-10-31T12:00:00Z", []string{"2026-10-29 00:00", "2026-10-30 00:00", "2026-10-31 00:00"}},
		{"a midnight that does not exist", "America/Havana", "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z", []string{"2026-03-08 01:00", "2026-03-09 00:00"}},
		{"an hour after midnight twice", "America/Havana", "2026-10-31T12:00:00Z", "2026-11-02T12:00:00Z", []string{"2026-11-01 00:00", "2026-11-02 00:00"}},
		{"half an hour forward", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "2026-10-05T00:00:00Z", []string{"2026-10-04 00:30", "2026-10-05 00:00"}},
		{"half an hour back", "Australia/Lord_Howe", "2026-04-03T20:00:00Z", "2026-04-06T00:00:00Z", []string{"2026-04-05 00:00", "2026-04-06 00:30"}},
		{"a day that was left out", "Pacific/Apia", "2011-12-28T20:00:00Z", "2012-01-01T00:00:00Z", []string{"2011-12-29 00:00", "2011-12-31 00:00", "2012-01-01 00:00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, walk(t, domain.RecalculationDaily, c.zone, c.from, c.to, nil))
		})
	}
	t.Run("a downtime over midnight", func(t *testing.T) {
		down := func(at time.Time) bool { return at.Hour() < 9 && at.Day() == 2 }
		require.Equal(t, []string{"2026-06-02 09:00", "2026-06-03 00:00"}, walk(t, domain.RecalculationDaily, "UTC", "2026-06-01T12:00:00Z", "2026-06-03T12:00:00Z", down))
	})
	t.Run("a downtime of days", func(t *testing.T) {
		down := func(at time.Time) bool { return at.Day() > 1 && at.Day() < 5 }
		require.Equal(t, []string{"2026-06-05 00:00"}, walk(t, domain.RecalculationDaily, "UTC", "2026-06-01T12:00:00Z", "2026-06-05T12:00:00Z", down))
	})
	t.Run("rules from a day that was left out", func(t *testing.T) {
		require.Equal(t, []string{"2011-12-31 00:00"}, walk(t, domain.RecalculationOnForce, "Pacific/Apia", "2011-12-28T20:00:00Z", "2012-01-02T00:00:00Z", nil, "2011-12-30"))
	})
	t.Run("no rules come", func(t *testing.T) {
		require.Empty(t, walk(t, domain.RecalculationOnForce, "UTC", "2026-06-01T12:00:00Z", "2026-06-09T12:00:00Z", nil, "2026-06-01", "2026-07-01"))
		require.Empty(t, walk(t, domain.RecalculationManual, "UTC", "2026-06-01T12:00:00Z", "2026-06-09T12:00:00Z", nil, "2026-06-03"))
	})
}

// In each zone, with any downtime, a local day with a look begins one start, and rules that come into force are
// followed by one at the first look of their day or after it.
func TestRecalculationDue_OnceADay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom([]string{"UTC", "Africa/Cairo", "America/Havana", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kolkata"}).Draw(t, "zone")
		location, err := domain.Zone(zone)
		require.NoError(t, err)
		now := time.Unix(rapid.Int64Range(1_300_000_000, 1_900_000_000).Draw(t, "from"), 0)
		coming := fact.DateOf(now.In(location)).String()
		comes := fact.DateOf(now.In(location).AddDate(0, 0, rapid.IntRange(1, 5).Draw(t, "days"))).String()
		last := map[domain.RecalculationSetting]*time.Time{domain.RecalculationDaily: &now, domain.RecalculationOnForce: &now}
		begun := map[string]int{coming: 1}
		followed := 0
		for at := now; at.Before(now.AddDate(0, 0, 8)); {
			at = at.Add(time.Duration(rapid.IntRange(1, 40*60).Draw(t, "minutes")) * time.Minute)
			day := fact.DateOf(at.In(location)).String()
			if calculation.RecalculationDue(domain.RecalculationDaily, location, last[domain.RecalculationDaily], at, nil) {
				begun[day]++
				last[domain.RecalculationDaily] = new(at)
			}
			require.Equal(t, 1, begun[day], day)
			if calculation.RecalculationDue(domain.RecalculationOnForce, location, last[domain.RecalculationOnForce], at, []string{coming, comes}) {
				followed++
				last[domain.RecalculationOnForce] = new(at)
			}
			if day >= comes {
				require.Equal(t, 1, followed)
			} else {
				require.Zero(t, followed)
			}
		}
	})
	require.True(t, calculation.RecalculationDue(domain.RecalculationDaily, time.UTC, nil, time.Now(), nil), "it was never started")
}
