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
		if strings.HasPrefix(strings.TrimSpace(cells[1]), "–") {
			from = append(from, "``")
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
	for _, before := range everyDocument() {
		from := before.Status
		for _, required := range []bool{true, false} {
			after := recalculated(before, required)
			switch {
			case !required:
				add(from, "calculated: not required", after)
			case from == "" || from == requirement.Inactive:
				add(from, "calculated: required", after)
			case before.Approval == nil:
				require.Equal(t, from, after)
			case before.Approval.Text.Name == before.Name:
				add(from, "calculated: the approved text and identity again", after)
			default:
				add(from, "calculated: another text or identity", after)
			}
		}
		if carried := recalculated(requirement.Document{}, true, before); carried != requirement.Pending {
			add("", "carried over", carried)
		}
		if from == "" || from == requirement.Inactive {
			add(from, "required by hand", before.RequireByHand(requirement.ManualText{Name: "D"}, requirement.Identity{}, today).Status)
		}
		for _, to := range append(statuses, requirement.Inactive) {
			if after, err := before.Update(requirement.Review{Status: to}, today); err == nil {
				add(from, "update", after.Status)
			}
		}
		if after, occasion := before.OnDay(today, false); occasion != "" {
			add(from, "day", after.Status)
		}
		if after, err := before.Waive(today); err == nil {
			add(from, "waive", after.Status)
		}
	}
	require.Equal(t, made, listed)
}

var (
	statuses = []requirement.Status{requirement.Pending, requirement.NeedsReview, requirement.Completed, requirement.Waived}
	today    = fact.Date{Year: 2026, Month: 3, Day: 15}
)

// everyDocument is a document in each state, with an approval that holds or not, and has lapsed or
// not. The zero one is none on record.
func everyDocument() []requirement.Document {
	documents := []requirement.Document{{}}
	document := requirement.Document{ID: "rd", DocumentTypeCode: "D", Name: "D", EntityType: fact.EntityBusiness, EntityID: "b", Origin: requirement.OriginRule}
	var approvals []*requirement.Approval
	for _, status := range []requirement.Status{requirement.Completed, requirement.Waived} {
		for _, name := range []string{"D", "other"} {
			approvals = append(approvals, &requirement.Approval{Status: status, Text: requirement.DocumentText{Name: name}, On: today})
			if status == requirement.Completed {
				approvals = append(approvals, &requirement.Approval{Status: status, Text: requirement.DocumentText{Name: name}, On: today, Until: &fact.Date{Year: 2026, Month: 3, Day: 14}})
			}
		}
	}
	for _, status := range statuses {
		held := []*requirement.Approval{nil}
		for _, approval := range approvals {
			reopened := approval.Status == requirement.Completed && status == requirement.NeedsReview || approval.Status == requirement.Waived && status == requirement.Pending
			if approval.Status == status || reopened {
				held = append(held, approval)
			}
		}
		if status == requirement.Completed || status == requirement.Waived {
			held = held[1:] // there is none without an approval
		}
		for _, approval := range held {
			document.Status, document.PreviousStatus, document.Approval = status, "", approval
			documents = append(documents, document)
			document.Status, document.PreviousStatus = requirement.Inactive, status
			documents = append(documents, document)
		}
	}
	return documents
}

// recalculated is the status after a calculation, with documents of an earlier workflow.
func recalculated(before requirement.Document, required bool, earlier ...requirement.Document) requirement.Status {
	entity := requirement.Entity{Type: fact.EntityBusiness, ID: "b"}
	seen := requirement.Seen{AsOf: today, Identities: map[requirement.Entity]requirement.Identity{entity: {}}, Earlier: earlier}
	var existing []requirement.Document
	if before.Status != "" {
		existing = []requirement.Document{before}
	}
	var found requirement.Result
	if required {
		found.Required = []requirement.Requirement{{DocumentTypeCode: "D", EntityType: entity.Type, EntityID: entity.ID}}
		found.Rules = requirement.DocumentRules(requirement.DocumentRule{DocumentTypeCode: "D", Name: "D", EntityType: entity.Type})
	}
	c := requirement.Recalculate(existing, found, seen, func() string { return "rd" })
	for _, changed := range [][]requirement.Document{c.Added, c.Kept, c.Restored, c.Removed} {
		if len(changed) == 1 {
			return changed[0].Status
		}
	}
	return before.Status
}
