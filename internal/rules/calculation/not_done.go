package calculation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"requisite/internal/requests/refusal"
)

// NotDone returns the warnings about documents and then about findings of a workflow that ends.
func (w WorkflowWithFindings) NotDone() (open []refusal.Warning) {
	warn := func(code refusal.SubCode, format string, args ...any) {
		open = append(open, refusal.Warning{Code: refusal.WarningCode(code), Message: fmt.Sprintf(format, args...)})
	}
	if w.RuleSetID.Valid && w.DocumentsCalculatedAt == nil {
		warn(refusal.DocumentsNotCalculated, "The required documents of the workflow were never calculated.")
	}
	if w.DocumentsStale != nil && *w.DocumentsStale {
		warn(refusal.DocumentsStale, "Facts or rules have changed since the required documents were calculated.")
	}
	if n := w.Pending + w.NeedsReview; n > 0 {
		lapsed := ""
		if w.Lapsed > 0 {
			lapsed = fmt.Sprintf(" Of those PENDING, the approval of %d has lapsed.", w.Lapsed)
		}
		warn(refusal.DocumentsNotCompleted,
			"The workflow has %d required document(s) that are not completed: %d PENDING, %d NEEDS_REVIEW.%s",
			n, w.Pending, w.NeedsReview, lapsed)
	}
	if n := len(w.Findings); n > 0 {
		warn(refusal.FindingsOpen, "The workflow has %d finding(s): %s.", n, findingCounts(w.Findings))
	}
	return open
}

// FindingCodes lists the codes of the findings, each once.
func (w WorkflowWithFindings) FindingCodes() []string {
	codes := make([]string, len(w.Findings))
	for i, f := range w.Findings {
		codes[i] = f.FindingCode
	}
	return slices.Compact(slices.Sorted(slices.Values(codes)))
}

// findingCounts counts findings by kind and code, the most serious kind first.
func findingCounts(findings []Finding) string {
	counts := map[string]int{}
	for _, f := range findings {
		counts[fmt.Sprintf("%s %s", f.Kind, f.FindingCode)]++
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) { // the order is DECLINE, HOLD, REVIEW
		if n := counts[name]; n > 1 {
			name += fmt.Sprintf(" (%d)", n)
		}
		texts = append(texts, name)
	}
	return strings.Join(texts, ", ")
}
