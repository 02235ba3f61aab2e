package author

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/rulefile"
)

func TestWarnings_OfTerms(t *testing.T) {
	const unused = "is the term of no option, because each option of any_of states terms of its own: leave it out, or leave those out"
	atOnce := func(remind, renew string) string {
		return "remind_before: " + remind + " before the end of renew_after (" + renew + ") is the day of the approval or earlier, so the reminder is sent at once: write a shorter period"
	}
	tooLong := func(due, renew string) string {
		return "due_within: " + due + " is longer than renew_after (" + renew + "), so a renewal may take longer than the approval was valid: write a shorter period"
	}
	for _, c := range []struct {
		terms string
		says  []string
	}{
		{"renew_after: 1 year, remind_before: 1 year", []string{atOnce("1 year", "1 year")}},
		{"renew_after: 1 year, remind_before: 12 months", []string{atOnce("12 months", "1 year")}},
		{"renew_after: 1 year, remind_before: 365 days", []string{atOnce("365 days", "1 year")}},
		{"renew_after: 90 days, remind_before: 3 months", []string{atOnce("3 months", "90 days")}},
		{"renew_after: 1 month, remind_before: 30 days", []string{atOnce("30 days", "1 month")}},
		{"renew_after: 3 months, remind_before: 2 years, must_be_valid: true", []string{atOnce("2 years", "3 months")}},
		{"renew_after: 1 year, remind_before: 364 days", nil},
		{"renew_after: 1 month, remind_before: 27 days", nil},
		{"renew_after: 3 years, remind_before: 1 month, due_within: 30 days", nil},
		{"must_be_valid: true, remind_before: 1 year", nil},
		{"renew_after: 1 year, due_within: 13 months", []string{tooLong("13 months", "1 year")}},
		{"renew_after: 90 days, due_within: 1 year", []string{tooLong("1 year", "90 days")}},
		{"renew_after: 1 year, due_within: 1 year", nil},
		{"renew_after: 1 month, due_within: 30 days", nil},
		{"renew_after: 1 year, due_within: 2 years, due_from: established_date", nil},
		{"renew_after: 1 year, remind_before: 2 years, due_within: 2 years", []string{atOnce("2 years", "1 year"), tooLong("2 years", "1 year")}},
		{"must_be_valid: true, not_older_than: 1 month, any_of: [{document_type_code: A, name: a, must_be_valid: false}, {document_type_code: B, name: b, not_older_than: 1 year}]",
			[]string{"not_older_than: " + unused, "must_be_valid: " + unused}},
		{"must_be_valid: true, any_of: [{document_type_code: A, name: a}, {document_type_code: B, name: b, not_older_than: 1 year}]", nil},
		{"any_of: [{document_type_code: A, name: a, must_be_valid: true}, {document_type_code: B, name: b, not_older_than: 1 year}]", nil},
	} {
		source := "documents:\n  - {document_type_code: D, name: n, category: c, requirement_text: r, entity_type: Business, " + c.terms + "}\n"
		checked := CheckRuleSet(rulefile.YAMLFile([]byte(source)))
		require.Empty(t, checked.Problems, c.terms)
		var said []string
		for _, w := range checked.Warnings {
			if field, ok := strings.CutPrefix(w.Path, "documents[0]."); ok {
				require.NotZero(t, w.Line, c.terms)
				said = append(said, field+": "+w.Message)
			}
		}
		require.ElementsMatch(t, c.says, said, c.terms)
	}
}

// TestWarnings_OfDueDatesThatHavePassed: a document that is overdue on the day on which it is required.
func TestWarnings_OfDueDatesThatHavePassed(t *testing.T) {
	const renewed = " stays the same when the approval is renewed after 1 year, so each renewal is overdue at once: leave due_from out, or renew_after"
	over := func(within, from, since string) string {
		return within + " after " + from + " is over before the rule can hold (" + since + "), so the document is overdue at once: write a longer period, or leave due_from out"
	}
	for _, c := range []struct{ terms, when, want string }{
		{"due_within: 90 days, due_from: established_date", "business_age_years >= 1", over("90 days", "established_date", "business_age_years from 1")},
		{"due_within: 6 months, due_from: established_date", "country == \"US\" && business_age_months > 6", over("6 months", "established_date", "business_age_months from 7")},
		{"due_within: 30 days, due_from: custom.first_sale", "days_since(custom.first_sale) > 45", over("30 days", "custom.first_sale", "days_since(custom.first_sale) from 46")},
		{"due_within: 30 days, due_from: custom.first_sale", "definitions.sells", over("30 days", "custom.first_sale", "months_since(custom.first_sale) from 2")},
		{"due_within: 30 days, due_from: established_date", "established_date < date(\"2020-03-01\")", over("30 days", "established_date", "established_date until 2020-02-29")},
		{"due_within: 90 days, due_from: established_date, renew_after: 1 year", "country == \"US\"", "established_date" + renewed},
		{"due_within: 1 year, due_from: custom.first_sale, renew_after: 1 year", "country == \"US\"", "custom.first_sale" + renewed},

		{"due_within: 90 days, due_from: established_date", "business_age_years < 1", ""},
		{"due_within: 1 year, due_from: established_date", "business_age_years >= 1", ""},
		{"due_within: 90 days, due_from: established_date", "business_age_years >= 1 || country == \"US\"", ""},
		{"due_within: 90 days, due_from: established_date", "business_age_months >= 2", ""},
		{"due_within: 30 days, due_from: custom.first_sale", "days_since(custom.first_sale) >= 0", ""},
		{"due_within: 30 days, due_from: custom.first_sale", "business_age_years >= 1", ""},
		{"due_within: 30 days", "business_age_years >= 1", ""},
	} {
		source := "facts: [{name: first_sale, entity_type: Workflow, type: DATE, label: first sale, ask: f}]\ndefinitions: {sells: months_since(custom.first_sale) >= 2}\ndocuments:\n" +
			"  - {document_type_code: D, name: n, category: c, requirement_text: r, entity_type: Business, " + c.terms + ", when: '" + c.when + "'}\n"
		checked := CheckRuleSet(rulefile.YAMLFile([]byte(source)))
		require.Empty(t, checked.Problems, c)
		var said []string
		for _, w := range checked.Warnings {
			if strings.HasPrefix(w.Path, "documents[0].due") {
				require.NotZero(t, w.Line)
				said = append(said, w.Message)
			}
		}
		require.Equal(t, c.want, strings.Join(said, "\n"), c)
	}
}
