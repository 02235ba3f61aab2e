package document

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
	"requisite/internal/rules/requirement"
	"requisite/internal/rules/rulestest"
)

// The last day counts.
func TestEvidence_Suffices(t *testing.T) {
	old, valid := requirement.Terms{NotOlderThan: rulestest.Period("3 months")}, requirement.Terms{MustBeValid: true}
	options := requirement.Terms{NotOlderThan: rulestest.Period("3 months"), AnyOf: []requirement.DocumentOption{
		{OptionPart: requirement.OptionPart{DocumentTypeCode: "PASSPORT", MustBeValid: new(true)}}, {OptionPart: requirement.OptionPart{DocumentTypeCode: "BILL"}}, {OptionPart: requirement.OptionPart{DocumentTypeCode: "LETTER", NotOlderThan: rulestest.Period("30 days")}}, {OptionPart: requirement.OptionPart{DocumentTypeCode: "DEED", MustBeValid: new(false)}},
	}}
	for name, c := range map[string]struct {
		terms    requirement.Terms
		evidence []Evidence
		code     EvidenceCode
		details  []string
		until    string
	}{
		"nothing is asked":                {requirement.Terms{}, nil, "", nil, ""},
		"nothing is asked, and stated":    {requirement.Terms{}, []Evidence{{ExpiresOn: rulestest.Day("2020-01-01")}}, "", nil, ""},
		"the last day":                    {old, []Evidence{{IssuedOn: rulestest.Day("2025-12-15")}}, "", nil, ""},
		"a day too old":                   {old, []Evidence{{IssuedOn: rulestest.Day("2025-12-14")}}, EvidenceTooOld, []string{"evidence[0].issued_on"}, ""},
		"no issue date":                   {old, []Evidence{{Reference: "x"}}, EvidenceRequired, []string{"evidence[0].issued_on"}, ""},
		"no evidence":                     {old, nil, EvidenceRequired, []string{"evidence"}, ""},
		"expires today":                   {valid, []Evidence{{ExpiresOn: rulestest.Day("2026-03-15")}}, "", nil, "2026-03-15"},
		"expired yesterday":               {valid, []Evidence{{ExpiresOn: rulestest.Day("2026-03-14")}}, EvidenceExpired, []string{"evidence[0].expires_on"}, ""},
		"the best of three":               {valid, []Evidence{{ExpiresOn: rulestest.Day("2026-05-01")}, {ExpiresOn: rulestest.Day("2027-01-01")}, {ExpiresOn: rulestest.Day("2020-01-01")}}, "", nil, "2027-01-01"},
		"an option without a code":        {options, []Evidence{{IssuedOn: rulestest.Day("2026-03-15")}}, EvidenceRequired, []string{"evidence[0].document_type_code"}, ""},
		"no option":                       {options, nil, EvidenceRequired, []string{"evidence"}, ""},
		"an option with its own terms":    {options, []Evidence{{DocumentTypeCode: "PASSPORT", ExpiresOn: rulestest.Day("2026-03-15")}}, "", nil, "2026-03-15"},
		"an option with the rule's terms": {options, []Evidence{{DocumentTypeCode: "BILL", IssuedOn: rulestest.Day("2025-12-15")}}, "", nil, ""},
		"an option's own age":             {options, []Evidence{{DocumentTypeCode: "LETTER", IssuedOn: rulestest.Day("2025-12-15")}}, EvidenceTooOld, []string{"evidence[0].issued_on"}, ""},
		"an option without terms":         {options, []Evidence{{DocumentTypeCode: "DEED"}}, "", nil, ""},
		"one of two suffices":             {options, []Evidence{{DocumentTypeCode: "BILL", IssuedOn: rulestest.Day("2020-01-01")}, {DocumentTypeCode: "DEED"}}, "", nil, ""},
		"each entry is told":              {options, []Evidence{{DocumentTypeCode: "BILL"}, {DocumentTypeCode: "LETTER", IssuedOn: rulestest.Day("2020-01-01")}}, EvidenceTooOld, []string{"evidence[0].issued_on", "evidence[1].issued_on"}, ""},
		"too old and expired": {requirement.Terms{NotOlderThan: rulestest.Period("1 day"), MustBeValid: true}, []Evidence{{IssuedOn: rulestest.Day("2020-01-01"), ExpiresOn: rulestest.Day("2021-01-01")}},
			EvidenceTooOld, []string{"evidence[0].issued_on", "evidence[0].expires_on"}, ""},
	} {
		d := Document{DocumentTypeCode: "A", Terms: c.terms, Status: NeedsReview, Evidence: c.evidence}
		after, err := d.Update(Review{Status: Completed}, today)
		if c.code == "" {
			require.NoError(t, err, name)
			require.Equal(t, Completed, after.Status, name)
			require.Equal(t, c.until, text(after.ValidUntil()), name)
			continue
		}
		var refused *EvidenceError
		require.True(t, errors.As(err, &refused), name)
		require.Equal(t, c.code, refused.Code, name)
		var fields []string
		for _, problem := range refused.Details {
			fields = append(fields, problem.Field)
		}
		require.Equal(t, c.details, fields, name)
	}
	_, err := Document{DocumentTypeCode: "A", Terms: options, Status: Pending}.Update(Review{Status: Completed}, today)
	require.Equal(t, "This must have an entry for one of PASSPORT with expires_on, BILL with issued_on, LETTER with issued_on, DEED.", err.(*EvidenceError).Details[0].Message)
}

func TestEvidence_Misstated(t *testing.T) {
	d := Document{DocumentTypeCode: "A"}
	tomorrow := rulestest.Day("2026-03-16")
	require.Empty(t, d.Misstated([]Evidence{{IssuedOn: &today}, {DocumentTypeCode: "A", ExpiresOn: tomorrow}}, today))
	require.Equal(t, []refusal.Field{
		refusal.NotOneOf([]string{"A"}, "", "This must be A.").At("evidence[0].document_type_code"),
		refusal.At("evidence[1].issued_on", refusal.NotAllowed, "This may not be after today, 2026-03-15 in the account's time zone."),
	}, d.Misstated([]Evidence{{DocumentTypeCode: "B"}, {IssuedOn: tomorrow}}, today))
	d.AnyOf = []requirement.DocumentOption{{OptionPart: requirement.OptionPart{DocumentTypeCode: "B"}}, {OptionPart: requirement.OptionPart{DocumentTypeCode: "C"}}}
	unlisted := refusal.NotOneOf([]string{"B", "C"}, "", "This must be one of B, C.").At("evidence[0].document_type_code")
	require.Equal(t, []refusal.Field{unlisted}, d.Misstated([]Evidence{{DocumentTypeCode: "A"}}, today))
}
