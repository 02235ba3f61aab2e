package fact_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/rulestest"
)

func TestFingerprint(t *testing.T) {
	values := func(text string) (v fact.Values) {
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		return v
	}
	complete := func() fact.Facts {
		f := rulestest.CompleteFacts()
		f.Custom, f.Persons[0].Custom = values(`{"tags":["a","b"]}`), values(`{"roles":["DIRECTOR","SIGNATORY"]}`)
		return f
	}
	base := complete()
	unchanged := map[string]func(*fact.Facts){
		"as of":        func(f *fact.Facts) { f.AsOf = rulestest.Date("2030-01-01") },
		"score":        func(f *fact.Facts) { f.EvaluationScore = nil },
		"workflow":     func(f *fact.Facts) { f.WorkflowID = "w_2" },
		"persons":      func(f *fact.Facts) { f.Persons[0], f.Persons[1] = f.Persons[1], f.Persons[0] },
		"codes":        func(f *fact.Facts) { f.IndustryCategoryCode = []string{"7995", "0742"} },
		"a code twice": func(f *fact.Facts) { f.IndustryCategoryCode = []string{"7995", "0742", "7995"} },
		"currency":     func(f *fact.Facts) { f.Currency = "EUR" },
		"empty":        func(f *fact.Facts) {},
		"list":         func(f *fact.Facts) { f.Custom = values(`{"tags":["b","a"]}`) },
		"person's list": func(f *fact.Facts) {
			f.Persons[0].Custom = values(`{"roles":["SIGNATORY","DIRECTOR"]}`)
		},
	}
	for name, change := range unchanged {
		f := complete()
		change(&f)
		require.Equal(t, base.Fingerprint(), f.Fingerprint(), name)
	}
	changed := map[string]func(*fact.Facts){
		"cent":        func(f *fact.Facts) { f.AverageMonthlyCreditSales = rulestest.Decimal(62000.51) },
		"hole":        func(f *fact.Facts) { f.HighestTicketSale = nil },
		"code":        func(f *fact.Facts) { f.IndustryCategoryCode = []string{"742", "7995"} },
		"person":      func(f *fact.Facts) { f.Persons = f.Persons[:1] },
		"citizenship": func(f *fact.Facts) { f.Persons[1].Citizenship = nil },
		"date":        func(f *fact.Facts) { f.EstablishedDate = rulestest.Ptr(rulestest.Date("2025-02-01")) },
		"business":    func(f *fact.Facts) { f.BusinessID = "b_2" },
		"attested":    func(f *fact.Facts) { f.NoPersonsAttested = true },
		"sales info":  func(f *fact.Facts) { f.SalesInfoID = "bsi_2" },
	}
	seen := map[string]string{base.Fingerprint(): "the base"}
	for name, change := range changed {
		f := rulestest.CompleteFacts()
		change(&f)
		require.NotContains(t, seen, f.Fingerprint(), name)
		seen[f.Fingerprint()] = name
	}
	f := rulestest.CompleteFacts()
	f.Persons[0], f.Persons[1] = f.Persons[1], f.Persons[0]
	_ = f.Fingerprint()
	require.Equal(t, "p_2", f.Persons[0].PersonID, "the facts themselves stay as they are")
}
