package fact

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParsePeriod(t *testing.T) {
	for text, want := range map[string]string{
		"1 day": "1 day", "1 days": "1 day", "90 days": "90 days", "3 month": "3 months", "3 months": "3 months", "1 year": "1 year", "1000 years": "1000 years",
	} {
		var p Period
		require.NoError(t, p.UnmarshalText([]byte(text)), text)
		require.Equal(t, want, p.String())
		written, err := p.MarshalText()
		require.NoError(t, err)
		require.Equal(t, want, string(written))
	}
	for _, text := range []string{"", "0 days", "1001 days", "1.5 months", "-1 day", "01 days", "3 Months", "3months", "3  months", "three months", "P3M", "3 months 2 days", "90"} {
		require.ErrorContains(t, new(Period).UnmarshalText([]byte(text)), `such as "90 days", "3 months" or "1 year"`, text)
	}
	require.ErrorContains(t, new(Period).UnmarshalText([]byte("2 weeks")), `write "14 days"`)
	_, err := Period{}.MarshalText()
	require.Error(t, err)
}

func TestPeriod_After(t *testing.T) {
	for _, c := range []struct{ from, period, want string }{
		{"2026-01-15", "90 days", "2026-04-15"},
		{"2024-02-28", "1 day", "2024-02-29"},
		{"2026-01-31", "1 month", "2026-03-01"}, // February has no 31st
		{"2026-01-31", "2 months", "2026-03-31"},
		{"2026-01-31", "3 months", "2026-05-01"},
		{"2024-02-29", "1 year", "2025-03-01"},
		{"2024-02-29", "4 years", "2028-02-29"},
		{"2024-02-29", "12 months", "2025-03-01"},
		{"2026-12-31", "2 months", "2027-03-01"},
		{"9000-01-01", "1000 years", "9999-12-31"},
	} {
		from, err := ParseDate(c.from)
		require.NoError(t, err)
		p, err := ParsePeriod(c.period)
		require.NoError(t, err)
		require.Equal(t, c.want, p.After(from).String(), "%s after %s", c.period, c.from)
	}
}

// TestPeriod_After_CompletesAgesOnTheSameDay: the day that completes a period of months is the first
// on which an age has as many.
func TestPeriod_After_CompletesAgesOnTheSameDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := DateOf(Date{Year: 2000, Month: 1, Day: 1}.UTC().AddDate(0, 0, rapid.IntRange(0, 20000).Draw(t, "day")))
		count := rapid.IntRange(1, MaxPeriod).Draw(t, "count")
		day := Period{count, unitMonth}.After(from)
		before := DateOf(day.UTC().AddDate(0, 0, -1))
		require.EqualValues(t, count, monthsBetween(from, day))
		require.EqualValues(t, count-1, monthsBetween(from, before))
	})
}

func TestPeriod_Before(t *testing.T) {
	for _, c := range []struct{ to, period, want string }{
		{"2026-04-15", "90 days", "2026-01-15"},
		{"2026-03-15", "1 month", "2026-02-15"},
		{"2026-03-31", "1 month", "2026-02-28"}, // February has no 31st
		{"2028-02-29", "1 year", "2027-02-28"},
		{"0500-01-01", "1000 years", "0001-01-01"},
	} {
		to, err := ParseDate(c.to)
		require.NoError(t, err)
		p, err := ParsePeriod(c.period)
		require.NoError(t, err)
		require.Equal(t, c.want, p.Before(to).String(), "%s before %s", c.period, c.to)
	}
	rapid.Check(t, func(t *rapid.T) {
		to := DateOf(Date{Year: 2000, Month: 1, Day: 1}.UTC().AddDate(0, 0, rapid.IntRange(0, 20000).Draw(t, "day")))
		p := Period{rapid.IntRange(1, MaxPeriod).Draw(t, "count"), rapid.SampledFrom([]string{unitDay, unitMonth, unitYear}).Draw(t, "unit")}
		before := p.Before(to)
		require.False(t, to.Before(p.After(before)), "the whole period is left")
		if before != firstDate {
			require.True(t, to.Before(p.After(before.Next())), "a day later it is not")
		}
	})
	require.Zero(t, lastDate.Next())
	require.Equal(t, Date{2024, 2, 29}, Date{2024, 2, 28}.Next())
}
