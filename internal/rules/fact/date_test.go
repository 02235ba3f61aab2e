package fact

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// day is the date of a text.
func day(text string) Date {
	d, err := ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}

func TestAges(t *testing.T) {
	for _, c := range []struct {
		from, to      string
		months, years int64
	}{
		{"2020-03-15", "2020-03-15", 0, 0},
		{"2020-03-15", "2020-04-14", 0, 0},
		{"2020-03-15", "2020-04-15", 1, 0},
		{"2020-03-15", "2021-03-14", 11, 0},
		{"2020-03-15", "2021-03-15", 12, 1},
		{"2020-02-29", "2021-02-28", 11, 0},
		{"2020-02-29", "2021-03-01", 12, 1},
		{"2020-02-29", "2024-02-28", 47, 3},
		{"2020-02-29", "2024-02-29", 48, 4},
		{"2021-01-31", "2021-02-28", 0, 0},
		{"2021-01-31", "2021-03-01", 1, 0},
		{"2021-01-31", "2021-03-31", 2, 0},
		{"2021-12-31", "2022-01-30", 0, 0},
		{"2021-12-31", "2022-01-31", 1, 0},
		{"2022-01-02", "2022-01-01", 0, 0},
	} {
		require.Equal(t, c.months, monthsBetween(day(c.from), day(c.to)), "months from %s to %s", c.from, c.to)
		require.Equal(t, c.years, yearsBetween(day(c.from), day(c.to)), "years from %s to %s", c.from, c.to)
	}
}

// TestSince_CountsAnniversaries: each one that has come counts, and those until a date in the
// future count below 0.
func TestSince_CountsAnniversaries(t *testing.T) {
	draw := rand.New(rand.NewPCG(44, 1))
	anniversary := func(of Date, months int) time.Time {
		first := time.Date(of.Year, of.Month+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
		if on := first.AddDate(0, 0, of.Day-1); on.Month() == first.Month() {
			return on
		}
		return first.AddDate(0, 1, 0)
	}
	for range 2000 {
		from := DateOf(time.Date(2000, 1, 1+draw.IntN(4000), 0, 0, 0, 0, time.UTC))
		to := DateOf(from.UTC().AddDate(0, 0, draw.IntN(3000)))
		months := int64(0)
		for !anniversary(from, int(months)+1).After(to.UTC()) {
			months++
		}
		days := int64(0)
		for at := from.UTC(); at.Before(to.UTC()); at = at.AddDate(0, 0, 1) {
			days++
		}
		for _, c := range []struct {
			from, to Date
			sign     int64
		}{{from, to, 1}, {to, from, -1}} {
			require.Equal(t, c.sign*months, MonthsSince(c.from, c.to), "months from %s to %s", c.from, c.to)
			require.Equal(t, c.sign*(months/12), YearsSince(c.from, c.to), "years from %s to %s", c.from, c.to)
			require.Equal(t, c.sign*days, DaysSince(c.from, c.to), "days from %s to %s", c.from, c.to)
		}
	}
	require.EqualValues(t, 3652058, DaysSince(day("0001-01-01"), day("9999-12-31")))
	require.EqualValues(t, -3652058, DaysSince(day("9999-12-31"), day("0001-01-01")))
}

func TestDate_IsReadAndWrittenAsYearMonthDay(t *testing.T) {
	for _, text := range []string{"0001-01-01", "2024-02-29", "9999-12-31"} {
		require.Equal(t, text, day(text).String())
		written, err := json.Marshal(day(text))
		require.NoError(t, err)
		require.Equal(t, `"`+text+`"`, string(written))
		var back Date
		require.NoError(t, json.Unmarshal(written, &back))
		require.Equal(t, day(text), back)
	}
	for _, bad := range []string{"", "0000-12-31", "10000-01-01", "2023-02-29", "2024-2-29", " 2023-02-01", "2024-02-29T00:00:00Z"} {
		_, err := ParseDate(bad)
		require.ErrorContains(t, err, "is not a date", bad)
	}
	require.True(t, day("2024-02-28").Before(day("2024-02-29")))
	_, err := json.Marshal(Date{})
	require.Error(t, err)
}
