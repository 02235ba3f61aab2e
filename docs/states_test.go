package docs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// TestStates_HasEveryChangeOfADocument holds the table and the diagram of a
// required document to the code.
func TestStates_HasEveryChangeOfADocument(t *testing.T) {
	_, text, found := strings.Cut(read(t, "states.md"), "\nA **required document**.")
	require.True(t, found)
	text, _, found = strings.Cut(text, "\nA **webhook key**.")
	require.True(t, found)
	_, picture, _ := strings.Cut(text, "```text\n")
	picture, table, found := strings.Cut(picture, "\n```\n")
	require.True(t, found)

	listed := map[string]bool{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| From ") {
			continue
		}
		from := span.FindAllString(cells[1], -1)
		if strings.TrimSpace(cells[1]) == "–" {
			from = []string{"``"}
		}
		for _, f := range from {
			for _, to := range span.FindAllString(cells[3], -1) {
				listed[strings.Trim(f, "`")+" | "+strings.TrimSpace(cells[2])+" | "+strings.Trim(to, "`")] = true
			}
		}
	}

	made := map[string]bool{}
	add := func(from requirement.Status, change string, to requirement.Status) {
		if from != to {
			made[fmt.Sprintf("%s | %s | %s", from, change, to)] = true
			require.Contains(t, picture, change)
			require.Contains(t, picture, string(to))
		}
	}
	required := []requirement.Requirement{{DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b"}}
	newID := func() string { return "rd" }
	calculate := func(before []requirement.Document, required []requirement.Requirement) requirement.Status {
		c := requirement.Recalculate(before, requirement.Result{Required: required}, "v", newID)
		for _, changed := range [][]requirement.Document{c.Added, c.Kept, c.Restored, c.Removed} {
			if len(changed) == 1 {
				return changed[0].Status
			}
		}
		return before[0].Status
	}
	active := []requirement.Status{requirement.Pending, requirement.NeedsReview, requirement.Completed}
	all := append([]requirement.Status{requirement.Inactive}, active...)
	add("", "calculated: required", calculate(nil, required))
	for _, from := range all {
		for _, previous := range active {
			d := requirement.Document{ID: "rd", DocumentTypeCode: "D", EntityType: fact.EntityBusiness, EntityID: "b", Status: from}
			if from == requirement.Inactive {
				d.PreviousStatus = previous
			}
			add(from, "calculated: required", calculate([]requirement.Document{d}, required))
			add(from, "calculated: not required", calculate([]requirement.Document{d}, nil))
		}
		for _, to := range all {
			if requirement.StatusChange(from, to) == nil {
				add(from, "update", to)
			}
		}
	}
	require.Equal(t, made, listed)
}
