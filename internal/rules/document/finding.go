package document

import (
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// Findings are facts about an application that a person should know. They advise, and change no
// state.

// Finding is a stored finding. Its condition held when the documents were last calculated.
type Finding struct {
	FindingCode string                  `json:"finding_code"`
	Kind        requirement.FindingKind `json:"kind"`
	Message     string                  `json:"message"`
	EntityType  string                  `json:"entity_type"`
	EntityID    string                  `json:"entity_id"`
	// Reasons are personal data.
	Reasons []DocumentReason `json:"reasons"`
	// Since is the account's local date of the first calculation that had the finding.
	Since fact.Date `json:"since,omitzero"`
}

// FindingChanges is how a recalculation changes the stored findings. If a finding changes its kind,
// it ends and another one begins.
type FindingChanges struct {
	// Now has all current findings, in the order of the rules.
	Now            []Finding
	Added, Removed []Finding
	// Changed reports that Now must be written.
	Changed bool
	// Revised reports that Now differs from the stored findings in more than reasons.
	Revised bool
}

// findingKey identifies a finding within a workflow.
type findingKey struct {
	code                 string
	kind                 requirement.FindingKind
	entityType, entityID string
}

func (f Finding) key() findingKey {
	return findingKey{f.FindingCode, f.Kind, f.EntityType, f.EntityID}
}

// SameAs reports whether f and other are the same finding of a workflow.
func (f Finding) SameAs(other Finding) bool { return f.key() == other.key() }

func findingOf(r requirement.Requirement, of requirement.Rule, seen Seen, names requirement.Names) Finding {
	rule := orZero(of.Finding)
	return Finding{
		FindingCode: r.FindingCode, Kind: rule.Kind, Message: rule.Message, EntityType: r.EntityType, EntityID: r.EntityID,
		Reasons: reasonsOf(r, of, seen, names), Since: seen.AsOf,
	}
}

func recalculateFindings(before, now []Finding) FindingChanges {
	stored := make(map[findingKey]Finding, len(before))
	for _, f := range before {
		stored[f.key()] = f
	}
	changes := FindingChanges{Now: now}
	for i, f := range now {
		was, known := stored[f.key()]
		delete(stored, f.key())
		if !known {
			changes.Added = append(changes.Added, f)
			continue
		}
		if now[i].Since = was.Since; was.Message == f.Message && sameReasons(was.Reasons, f.Reasons) {
			now[i] = was
		} else {
			changes.Changed = true
			changes.Revised = changes.Revised || was.Message != f.Message
		}
	}
	for _, f := range before {
		if _, ended := stored[f.key()]; ended {
			changes.Removed = append(changes.Removed, f)
		}
	}
	others := len(changes.Added)+len(changes.Removed) > 0
	changes.Changed, changes.Revised = changes.Changed || others, changes.Revised || others
	return changes
}

// Held returns the finding of a document that holds up its application on a day; false if it has
// none. since is the day from which the document was required, the first day after its approval
// lapsed, or the first day on which it was overdue.
func (d Document) Held(today fact.Date) (code string, since fact.Date, held bool) {
	switch {
	case d.Hold == requirement.HoldWhenOpen && d.Open():
		return requirement.DocumentOpen, d.DueSince, true
	case d.Hold == requirement.HoldWhenOpen && d.Status == Completed && d.Lapsed(today) != "":
		return requirement.DocumentOpen, d.ValidUntil().Next(), true
	case d.Hold == requirement.HoldWhenOverdue && d.Overdue(today):
		return requirement.DocumentOverdue, d.DueOn.Next(), true
	}
	return "", fact.Date{}, false
}
