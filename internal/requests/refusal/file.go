package refusal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// tellsFile lists the codes whose messages contain facts on file: dates, names or texts after the
// first colon.
var tellsFile = []string{
	string(EvidenceExpired), string(EvidenceRequired), string(EvidenceTooOld), string(FindingsOpen), string(OwnershipExceeds100), string(ProposalDecided),
	string(RuleNotEvaluable), string(SecondPersonRequired),
}

// Detail is an entry of the details of a SYSTEM_RULE_VIOLATION: about a field of evidence, or with the code of what is not done.
type Detail struct {
	Field   string  `json:"field,omitempty"`
	Code    SubCode `json:"code,omitempty"`
	Message string  `json:"message"`
}

// withoutFile cuts a message before the facts on file.
func withoutFile[C SubCode | WarningCode](code C, message string) string {
	before, _, cut := strings.Cut(message, ": ")
	if !cut || !slices.Contains(tellsFile, string(code)) {
		return message
	}
	return before + "."
}

// WarningsWithoutFile returns warnings for a caller who may not read the facts on file.
func WarningsWithoutFile(warnings []Warning) []Warning {
	without := slices.Clone(warnings)
	for i, w := range without {
		without[i].Message = withoutFile(w.Code, w.Message)
	}
	return without
}

// WithoutFile returns a refusal for a caller who may not read the facts on file. It does not change gaps.
func (r *Refusal) WithoutFile() (*Refusal, error) {
	without := *r
	without.Message, without.FindingCodes = withoutFile(r.SubCode, r.Message), nil
	if r.SubCode == "" || r.Details == nil {
		return &without, nil
	}
	var list []Detail
	if err := json.Unmarshal(r.Details, &list); err != nil {
		return nil, fmt.Errorf("read the details of %s: %w", r.SubCode, err)
	}
	for i, d := range list {
		list[i].Message = withoutFile(cmp.Or(d.Code, r.SubCode), d.Message)
	}
	return without.With(list), nil
}
