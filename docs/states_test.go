package docs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/rules/document"
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
	add := func(from document.Status, change string, to document.Status) {
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
			case from == "" || from == document.Inactive:
				add(from, "calculated: required", after)
			case before.Approval == nil:
				require.Equal(t, from, after)
			case before.Approval.Text.Name == before.Name:
				add(from, "calculated: what was approved is there again", after)
			default:
				add(from, "calculated: another text, identity or fact", after)
			}
		}
		if carried := recalculated(document.Document{}, true, before); carried != document.Pending {
			add("", "carried over", carried)
		}
		if from == "" || from == document.Inactive {
			add(from, "required by hand", before.RequireManually(document.ManualText{Name: "D"}, requirement.Identity{}, today).Status)
		}
		for _, to := range append(statuses, document.Inactive) {
			if after, err := before.Update(document.Review{Status: to}, today); err == nil {
				add(from, "update", after.Status)
			}
		}
		renewed := document.Review{Status: document.Completed, Evidence: []document.Evidence{{Reference: "new"}}}
		if after, err := before.Update(renewed, today); from == document.Completed && err == nil {
			require.Equal(t, today, after.Approval.On)
			made["COMPLETED | update with evidence | COMPLETED"] = true
			require.Contains(t, picture, "update with evidence")
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
	statuses = []document.Status{document.Pending, document.NeedsReview, document.Completed, document.Waived}
	today    = fact.Date{Year: 2026, Month: 3, Day: 15}
)

// everyDocument is a document in each state, with an approval that holds or not, and has lapsed or
// not. The zero one is none on record.
func everyDocument() []document.Document {
	documents := []document.Document{{}}
	one := document.Document{ID: "rd", DocumentTypeCode: "D", Name: "D", EntityType: fact.EntityBusiness, EntityID: "b", Origin: document.OriginRule}
	var approvals []*document.Approval
	for _, status := range []document.Status{document.Completed, document.Waived} {
		for _, name := range []string{"D", "other"} {
			approvals = append(approvals, &document.Approval{Status: status, Text: requirement.DocumentText{Name: name}, On: today})
			if status == document.Completed {
				approvals = append(approvals, &document.Approval{Status: status, Text: requirement.DocumentText{Name: name}, On: today, Until: &fact.Date{Year: 2026, Month: 3, Day: 14}})
			}
		}
	}
	for _, status := range statuses {
		held := []*document.Approval{nil}
		for _, approval := range approvals {
			reopened := approval.Status == document.Completed && status == document.NeedsReview || approval.Status == document.Waived && status == document.Pending
			if approval.Status == status || reopened {
				held = append(held, approval)
			}
		}
		if status == document.Completed || status == document.Waived {
			held = held[1:] // there is none without an approval
		}
		for _, approval := range held {
			one.Status, one.PreviousStatus, one.Approval = status, "", approval
			documents = append(documents, one)
			one.Status, one.PreviousStatus = document.Inactive, status
			documents = append(documents, one)
		}
	}
	return documents
}

// recalculated is the status after a calculation, with documents of an earlier workflow.
func recalculated(before document.Document, required bool, earlier ...document.Document) document.Status {
	entity := requirement.Entity{Type: fact.EntityBusiness, ID: "b"}
	seen := document.Seen{AsOf: today, Identities: map[requirement.Entity]requirement.Identity{entity: {}}, Earlier: earlier}
	var existing []document.Document
	if before.Status != "" {
		existing = []document.Document{before}
	}
	var found requirement.Result
	if required {
		found.Required = []requirement.Requirement{{DocumentTypeCode: "D", EntityType: entity.Type, EntityID: entity.ID}}
		found.Rules = requirement.DocumentRules(requirement.DocumentRule{DocumentTypeCode: "D", Name: "D", EntityType: entity.Type})
	}
	c := document.Recalculate(existing, found, seen, func() string { return "rd" })
	for _, changed := range [][]document.Document{c.Added, c.Kept, c.Restored, c.Removed} {
		if len(changed) == 1 {
			return changed[0].Status
		}
	}
	return before.Status
}
