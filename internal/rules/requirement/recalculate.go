package requirement

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"requisite/internal/rules/fact"
)

// Recalculation: the documents to add, keep, restore and remove.

// Status is where a required document stands.
type Status string

// The statuses of a required document. Inactive is set only by a recalculation
// that no longer requires the document.
const (
	Pending     Status = "PENDING"
	NeedsReview Status = "NEEDS_REVIEW"
	Completed   Status = "COMPLETED"
	Inactive    Status = "INACTIVE"
)

// statusMoves are the moves that an update may make.
var statusMoves = map[Status][]Status{
	Pending:     {NeedsReview},
	NeedsReview: {Completed, Pending},
	Completed:   {Pending},
}

// StatusError refuses a move between two statuses.
type StatusError struct{ From, To Status }

func (e *StatusError) Error() string {
	allowed := statusMoves[e.From]
	if len(allowed) == 0 {
		return fmt.Sprintf("a document that is %s cannot be moved to %s by an update: only a calculation that requires it again restores it", e.From, e.To)
	}
	names := make([]string, len(allowed))
	for i, status := range allowed {
		names[i] = string(status)
	}
	return fmt.Sprintf("a document that is %s cannot be moved to %s; it can be moved to %s", e.From, e.To, enumerate(names))
}

// StatusChange is nil when an update may move a document from one status to
// another, and a *StatusError otherwise. Staying where it is is no move.
func StatusChange(from, to Status) error {
	if slices.Contains(statusMoves[from], to) {
		return nil
	}
	return &StatusError{From: from, To: to}
}

// Document is a required document on record. Within a workflow it is unique by
// document type code, entity type and entity.
type Document struct {
	ID               string
	DocumentTypeCode string
	Name             string
	Category         string
	RequirementText  string
	EntityType       string
	EntityID         string
	Status           Status
	// PreviousStatus is the status that an inactive document had, and will have
	// again once it is required; empty otherwise.
	PreviousStatus Status
	Reasons        []DocumentReason
}

// DocumentReason is a reason together with the rule set version that gave it.
type DocumentReason struct {
	Rule      string      `json:"rule"`
	VersionID string      `json:"version_id,omitempty"` // empty for rules that are not published
	Message   string      `json:"message"`
	Facts     ReasonFacts `json:"facts"`
}

// Changes is what a recalculation makes of the documents on record. Documents
// that were inactive and stay so appear nowhere in it.
type Changes struct {
	Added    []Document // new, pending
	Kept     []Document // required before and now: the same id and status
	Restored []Document // inactive until now: the same id, the earlier status
	Removed  []Document // inactive from now on, the earlier status remembered
	// Refreshed are the documents in Kept whose name, texts or reasons differ from the record's.
	// They must be written.
	Refreshed []Document
	// TextChanged are the documents in Kept that demand something else than on record. Reopened are
	// those of them that are completed: their approval is of another text.
	TextChanged, Reopened []Document
}

// Empty reports whether there is nothing to write and nothing to tell.
func (c Changes) Empty() bool {
	return len(c.Added)+len(c.Restored)+len(c.Removed)+len(c.Refreshed) == 0
}

// documentKey is what a document is unique by within a workflow.
type documentKey struct{ code, entityType, entityID string }

func (d Document) key() documentKey {
	return documentKey{d.DocumentTypeCode, d.EntityType, d.EntityID}
}

// Recalculate compares the documents on record for one workflow with those that
// the rule set of the given version requires. newID is called once for each
// document that is added. Added, Kept and Restored are in the order of
// required, Removed by document type code and entity.
func Recalculate(existing []Document, required Result, versionID string, newID func() string) Changes {
	onRecord := make(map[documentKey]Document, len(existing))
	for _, document := range existing {
		onRecord[document.key()] = document
	}
	var changes Changes
	rules := make(map[documentKey]DocumentRule, len(required.Rules))
	for _, r := range required.Rules {
		rules[documentKey{r.DocumentTypeCode, r.EntityType, ""}] = r
	}
	stays := make(map[documentKey]bool, len(required.Required))
	for _, requirement := range required.Required {
		rule := rules[documentKey{requirement.DocumentTypeCode, requirement.EntityType, ""}]
		wanted := requirement.document(rule, versionID)
		stays[wanted.key()] = true
		before, known := onRecord[wanted.key()]
		switch {
		case !known:
			wanted.ID, wanted.Status = newID(), Pending
			changes.Added = append(changes.Added, wanted)
		case before.Status == Inactive:
			wanted.ID, wanted.Status = before.ID, cmp.Or(before.PreviousStatus, Pending)
			changes.Restored = append(changes.Restored, wanted)
		default:
			wanted.ID, wanted.Status = before.ID, before.Status
			changes.Kept = append(changes.Kept, wanted)
			if before.Name != wanted.Name || before.RequirementText != wanted.RequirementText {
				changes.TextChanged = append(changes.TextChanged, wanted)
				if before.Status == Completed {
					changes.Reopened = append(changes.Reopened, wanted)
				}
			}
			if !sameContent(before, wanted) {
				changes.Refreshed = append(changes.Refreshed, wanted)
			}
		}
	}
	changes.Removed = removed(existing, stays)
	return changes
}

func (r Requirement) document(rule DocumentRule, versionID string) Document {
	return Document{
		DocumentTypeCode: r.DocumentTypeCode, Name: rule.Name, Category: rule.Category, RequirementText: rule.RequirementText,
		EntityType: r.EntityType, EntityID: r.EntityID,
		Reasons: []DocumentReason{{Rule: rule.Text(), VersionID: versionID, Message: r.Reason.Message, Facts: r.Reason.Facts}},
	}
}

// Text is the rule as reasons state it: its condition.
func (r DocumentRule) Text() string { return cmp.Or(strings.TrimSpace(r.When), alwaysRequired) }

// removed are the active documents that do not stay. They keep the reasons for
// which they were required last.
func removed(existing []Document, stays map[documentKey]bool) []Document {
	var gone []Document
	for _, document := range existing {
		if document.Status != Inactive && !stays[document.key()] {
			document.PreviousStatus, document.Status = document.Status, Inactive
			gone = append(gone, document)
		}
	}
	slices.SortFunc(gone, func(a, b Document) int {
		return cmp.Or(
			cmp.Compare(a.DocumentTypeCode, b.DocumentTypeCode),
			cmp.Compare(a.EntityType, b.EntityType),
			cmp.Compare(a.EntityID, b.EntityID),
		)
	})
	return gone
}

// sameContent compares reasons by rule, version and facts, never by wording: other
// words for the same reason are no change. It compares them as JSON, because a record
// that has been stored holds the same facts in other Go types.
func sameContent(a, b Document) bool {
	return a.Name == b.Name && a.Category == b.Category && a.RequirementText == b.RequirementText &&
		bytes.Equal(fact.CanonicalJSON(unworded(a.Reasons)), fact.CanonicalJSON(unworded(b.Reasons)))
}

func unworded(reasons []DocumentReason) []DocumentReason {
	reasons = slices.Clone(reasons)
	for i := range reasons {
		reasons[i].Message = ""
	}
	return reasons
}
