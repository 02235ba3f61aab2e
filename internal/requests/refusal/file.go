package refusal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// tellsFile are the codes whose messages end, after their first colon, with dates, names or texts of
// what is on file.
var tellsFile = []string{
	string(EvidenceExpired), string(EvidenceRequired), string(EvidenceTooOld), string(FindingsOpen), string(OwnershipExceeds100), string(ProposalDecided),
	string(RuleNotEvaluable), string(SecondPersonRequired),
}

// withoutFile is a message up to where it tells what is on file.
func withoutFile[C SubCode | WarningCode](code C, message string) string {
	before, _, cut := strings.Cut(message, ": ")
	if !cut || !slices.Contains(tellsFile, string(code)) {
		return message
	}
	return before + "."
}

// WarningsWithoutFile are warnings for a caller who may not read what is on file.
func WarningsWithoutFile(warnings []Warning) []Warning {
	without := slices.Clone(warnings)
	for i, w := range without {
		without[i].Message = withoutFile(w.Code, w.Message)
	}
	return without
}

// WithoutFile is a refusal for a caller who may not read what is on file. Gaps are left as they are.
func (r *Refusal) WithoutFile() (*Refusal, error) {
	without := *r
	without.Message = withoutFile(r.SubCode, r.Message)
	if r.SubCode == "" || r.Details == nil {
		return &without, nil
	}
	var list []struct {
		Field   string  `json:"field,omitempty"`
		Code    SubCode `json:"code,omitempty"`
		Message string  `json:"message"`
	}
	if err := json.Unmarshal(r.Details, &list); err != nil {
		return nil, fmt.Errorf("read the details of %s: %w", r.SubCode, err)
	}
	for i, d := range list {
		list[i].Message = withoutFile(cmp.Or(d.Code, r.SubCode), d.Message)
	}
	return without.With(list), nil
}
