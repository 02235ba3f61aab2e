package requirement

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		require.Equal(t, c.months, monthsBetween(date(c.from), date(c.to)), "months from %s to %s", c.from, c.to)
		require.Equal(t, c.years, yearsBetween(date(c.from), date(c.to)), "years from %s to %s", c.from, c.to)
	}
}

func TestDate_IsReadAndWrittenAsYearMonthDay(t *testing.T) {
	for _, text := range []string{"0001-01-01", "2024-02-29", "9999-12-31"} {
		require.Equal(t, text, date(text).String())
		written, err := json.Marshal(date(text))
		require.NoError(t, err)
		require.Equal(t, `"`+text+`"`, string(written))
		var back Date
		require.NoError(t, json.Unmarshal(written, &back))
		require.Equal(t, date(text), back)
	}
	for _, bad := range []string{"", "0000-12-31", "10000-01-01", "2023-02-29", "2024-2-29", " 2023-02-01", "2024-02-29T00:00:00Z"} {
		_, err := ParseDate(bad)
		require.ErrorContains(t, err, "is not a date", bad)
	}
	require.True(t, date("2024-02-28").Before(date("2024-02-29")))
	_, err := json.Marshal(Date{})
	require.Error(t, err)
}

func TestFingerprint(t *testing.T) {
	base := completeFacts()
	unchanged := map[string]func(*Facts){
		"as of":        func(f *Facts) { f.AsOf = date("2030-01-01") },
		"score":        func(f *Facts) { f.EvaluationScore = nil },
		"workflow":     func(f *Facts) { f.WorkflowID = "w_2" },
		"persons":      func(f *Facts) { f.Persons[0], f.Persons[1] = f.Persons[1], f.Persons[0] },
		"codes":        func(f *Facts) { f.IndustryCategoryCode = []string{"7995", "0742"} },
		"a code twice": func(f *Facts) { f.IndustryCategoryCode = []string{"7995", "0742", "7995"} },
		"currency":     func(f *Facts) { f.Currency = "EUR" },
		"empty":        func(f *Facts) {},
	}
	for name, change := range unchanged {
		f := completeFacts()
		change(&f)
		require.Equal(t, base.Fingerprint(), f.Fingerprint(), name)
	}
	changed := map[string]func(*Facts){
		"cent":        func(f *Facts) { f.AverageMonthlyCreditSales = decimal(62000.51) },
		"hole":        func(f *Facts) { f.HighestTicketSale = nil },
		"code":        func(f *Facts) { f.IndustryCategoryCode = []string{"742", "7995"} },
		"person":      func(f *Facts) { f.Persons = f.Persons[:1] },
		"citizenship": func(f *Facts) { f.Persons[1].Citizenship = nil },
		"date":        func(f *Facts) { f.EstablishedDate = ptr(date("2025-02-01")) },
		"business":    func(f *Facts) { f.BusinessID = "b_2" },
		"attested":    func(f *Facts) { f.NoPersonsAttested = true },
		"sales info":  func(f *Facts) { f.SalesInfoID = "bsi_2" },
	}
	seen := map[string]string{base.Fingerprint(): "the base"}
	for name, change := range changed {
		f := completeFacts()
		change(&f)
		require.NotContains(t, seen, f.Fingerprint(), name)
		seen[f.Fingerprint()] = name
	}
	f := completeFacts()
	f.Persons[0], f.Persons[1] = f.Persons[1], f.Persons[0]
	_ = f.Fingerprint()
	require.Equal(t, "p_2", f.Persons[0].PersonID, "the facts themselves stay as they are")
}
