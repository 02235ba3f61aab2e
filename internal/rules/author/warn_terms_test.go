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
