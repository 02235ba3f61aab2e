package fact

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzDates: a day that is read is the one that is written, and exists; ages count
// the days between two as the calendar does.
func FuzzDates(f *testing.F) {
	f.Add("2020-02-29", "2021-03-01")
	f.Add("0001-01-01", "9999-12-31")
	f.Add("2023-02-29", "2023-2-9")
	f.Add("2020-01-31", "2020-02-30")
	f.Add("+2020-01-01", "2020-01-01T00:00:00Z")
	f.Fuzz(func(t *testing.T, from, to string) {
		first, err := ParseDate(from)
		if err != nil {
			require.Zero(t, first)
			return
		}
		require.Equal(t, from, first.String())
		require.Equal(t, from, first.UTC().Format(time.DateOnly))
		last, err := ParseDate(to)
		if err != nil {
			return
		}
		months := monthsBetween(first, last)
		require.Equal(t, months/12, yearsBetween(first, last))
		if last.Before(first) {
			require.Zero(t, months)
			return
		}
		// Adding months to a day that the month lacks gives one of the next month:
		// so the day that completes them is counted from the first.
		completes := func(n int64) Date {
			day := DateOf(time.Date(first.Year, first.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC))
			end := day.UTC().AddDate(0, 1, -1).Day()
			if first.Day > end {
				return DateOf(day.UTC().AddDate(0, 1, 0))
			}
			day.Day = first.Day
			return day
		}
		require.False(t, last.Before(completes(months)), "%s to %s are %d months", from, to, months)
		require.True(t, last.Before(completes(months+1)), "%s to %s are %d months", from, to, months)
	})
}
