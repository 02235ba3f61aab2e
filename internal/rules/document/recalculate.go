package document

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
)

// This file has recalculations: the documents to add, keep, restore and remove, and the findings
// that begin and end.

// Seen is the input of a recalculation besides the rules and the stored documents.
type Seen struct {
	// VersionID is the version of the rules, and Version is its number. For rules that are not
	// published, VersionID is empty and Version is the next number.
	VersionID string
	Version   int
	// AsOf is the account's local date.
	AsOf  fact.Date
	Facts fact.Facts
	// Identities has the identities of all stored entities: the workflow, its business and the
	// persons.
	Identities map[requirement.Entity]requirement.Identity
	// Address is the address of the business: see fact.FoldedAddress.
	Address string
	// Earlier has the documents of an earlier workflow of the business. New documents take over
	// their approvals.
	Earlier []Document
	// Findings are the stored findings.
	Findings []Finding
	// KeptTexts has the texts whose approvals are valid under the rules. It is read only if another text
	// was approved.
	KeptTexts KeptTexts
}

// ByChange has one value for each change that a calculation makes to documents: the documents,
// their names, or their number. Carried may have a type with more information.
type ByChange[T, C any] struct {
	Added    T `json:"added" nullable:"false"`    // new: pending, or with the approval of an earlier workflow
	Kept     T `json:"kept" nullable:"false"`     // required before and now, with the same id
	Restored T `json:"restored" nullable:"false"` // inactive until now: the same id, with the earlier status
	Removed  T `json:"removed" nullable:"false"`  // inactive from now on, with the earlier status remembered

	// Some of the documents in Added, Kept and Restored are also in:
	Reopened   T `json:"reopened" nullable:"false"`   // the approval or waiver is no longer valid, because the text, the identity or a fact changed
	Reinstated T `json:"reinstated" nullable:"false"` // the approval or waiver is valid again
	Carried    C `json:"carried" nullable:"false"`    // the approval comes from an earlier workflow
}

// MapChanges applies f to each value, and g to Carried.
func MapChanges[T, C, U, D any](of ByChange[T, C], f func(T) U, g func(C) D) ByChange[U, D] {
	return ByChange[U, D]{f(of.Added), f(of.Kept), f(of.Restored), f(of.Removed), f(of.Reopened), f(of.Reinstated), g(of.Carried)}
}

// CountChanges counts the documents.
func CountChanges[T, C any](of ByChange[[]T, []C]) ByChange[int, int] {
	return MapChanges(of, func(list []T) int { return len(list) }, func(list []C) int { return len(list) })
}

// Changes is how a recalculation changes the stored documents. It does not contain documents that
// were inactive and stay inactive.
type Changes struct {
	ByChange[[]Document, []Document]
	// Refreshed are the documents in Kept that differ from the stored ones. They must be written.
	Refreshed []Document
	// TextChanged are the documents in Kept whose text differs from the stored one.
	TextChanged []Document
	// Revised are the documents in Refreshed that differ from the stored ones for callers in more
	// than their reasons.
	Revised []Document
	// Overdue are the documents that are overdue now, and were not before.
	Overdue []Document

	Findings FindingChanges
}

// Empty reports whether no document must be written or announced.
func (c Changes) Empty() bool {
	return len(c.Added)+len(c.Restored)+len(c.Removed)+len(c.Refreshed) == 0
}

// OnlyReasons reports whether nothing but reasons differs from the stored documents and findings.
func (c Changes) OnlyReasons() bool {
	return len(c.Added)+len(c.Restored)+len(c.Removed)+len(c.Revised) == 0 && !c.Findings.Revised
}

// key identifies a document within a workflow.
type key struct{ code, entityType, entityID string }

func (d Document) key() key {
	return key{d.DocumentTypeCode, d.EntityType, d.EntityID}
}

// Recalculate compares the stored documents of one workflow with those that the rules require. It
// calls newID once for each added document. Added, Kept and Restored have the order of required,
// followed by manual documents that no rule requires. Removed is sorted by document type code and
// entity.
func Recalculate(existing []Document, required requirement.Result, seen Seen, newID func() string) Changes {
	onRecord, earlier := byKey(existing), byKey(seen.Earlier)
	var changes Changes
	rules := make(map[requirement.RuleKey]requirement.Rule, len(required.Rules))
	for _, r := range required.Rules {
		rules[r.RuleKey] = r
	}
	stays := make(map[key]bool, len(required.Required))
	names := requirement.NamesOf(seen.Identities)
	var found []Finding
	for _, r := range required.Required {
		rule := rules[r.RuleKey()]
		if r.FindingCode != "" {
			found = append(found, findingOf(r, rule, seen, names))
			continue
		}
		wanted := documentOf(r, rule, required.Table, seen, names)
		stays[wanted.key()] = true
		if before, known := onRecord[wanted.key()]; known {
			changes.keepOrRestore(before, before.requiredAgain(wanted, seen), seen.AsOf)
		} else {
			changes.add(wanted, earlier[wanted.key()], seen, newID)
		}
	}
	for _, before := range sorted(existing) {
		identity, there := seen.Identities[requirement.Entity{Type: before.EntityType, ID: before.EntityID}]
		switch {
		case stays[before.key()]:
		case before.Origin == OriginManual && there:
			wanted := before.Own.document(before.key())
			wanted.Identity = identity
			changes.keepOrRestore(before, before.requiredAgain(wanted, seen), seen.AsOf)
		case before.Status != Inactive:
			changes.Removed = append(changes.Removed, before.retired())
		}
	}
	changes.Findings = recalculateFindings(seen.Findings, found)
	return changes
}

func byKey(documents []Document) map[key]Document {
	found := make(map[key]Document, len(documents))
	for _, document := range documents {
		found[document.key()] = document
	}
	return found
}

func (c *Changes) add(wanted, earlier Document, seen Seen, newID func() string) {
	wanted.ID, wanted.Status, wanted.Origin, wanted.DueSince = newID(), Pending, OriginRule, seen.AsOf
	wanted.DueOn = wanted.DueDate(seen.Facts, seen.AsOf)
	if carried, holds := wanted.carriedFrom(earlier, seen); holds {
		wanted = carried
		c.Carried = append(c.Carried, wanted)
	}
	c.Added = append(c.Added, wanted)
	if wanted.Overdue(seen.AsOf) {
		c.Overdue = append(c.Overdue, wanted)
	}
}

// keepOrRestore adds a stored document that is required to the changes that it belongs to.
func (c *Changes) keepOrRestore(before, now Document, today fact.Date) {
	if now.Overdue(today) && !before.Overdue(today) {
		c.Overdue = append(c.Overdue, now)
	}
	if before.Status == Inactive {
		c.Restored = append(c.Restored, now)
	} else {
		c.Kept = append(c.Kept, now)
		if !before.Text().Same(now.Text()) {
			c.TextChanged = append(c.TextChanged, now)
		}
		revised := !sameContent(before, now)
		if revised {
			c.Revised = append(c.Revised, now)
		}
		if revised || !sameBasis(before, now) {
			c.Refreshed = append(c.Refreshed, now)
		}
	}
	if before.Approval == nil || now.Approval == nil {
		return
	}
	wasValid, isValid := before.effectiveStatus() == before.Approval.Status, now.Status == now.Approval.Status
	switch {
	case wasValid && !isValid:
		c.Reopened = append(c.Reopened, now)
	case !wasValid && isValid:
		c.Reinstated = append(c.Reinstated, now)
	}
}

func documentOf(r requirement.Requirement, of requirement.Rule, table *fact.Table, seen Seen, names requirement.Names) Document {
	rule := orZero(of.Document)
	d := Document{
		DocumentTypeCode: r.DocumentTypeCode, Name: rule.Name, Category: rule.Category, RequirementText: rule.RequirementText, Terms: rule.Terms,
		EntityType: r.EntityType, EntityID: r.EntityID, Identity: seen.Identities[requirement.Entity{Type: r.EntityType, ID: r.EntityID}],
		Reasons: reasonsOf(r, of, seen, names), Version: seen.Version,
	}
	if d.Conditional() {
		d.Published, d.AnyOf = rule.AnyOf, rule.Offer(r.Offers)
	}
	if len(d.BoundTo) > 0 {
		d.Bound = make(map[string]string, len(d.BoundTo))
		for _, name := range d.BoundTo {
			d.Bound[fact.Bare(name)] = table.BoundDigest(name, d.EntityID, seen.Address, &seen.Facts)
		}
	}
	return d
}

func reasonsOf(r requirement.Requirement, by requirement.Rule, seen Seen, names requirement.Names) []DocumentReason {
	return []DocumentReason{{Rule: by.Text(), VersionID: seen.VersionID, Message: names.In(r.Reason.Message), Facts: r.Reason.Facts}}
}

func orZero[T any](value *T) (zero T) {
	if value == nil {
		return zero
	}
	return *value
}

func sorted(documents []Document) []Document {
	return slices.SortedFunc(slices.Values(documents), func(a, b Document) int {
		return cmp.Or(
			cmp.Compare(a.DocumentTypeCode, b.DocumentTypeCode),
			cmp.Compare(a.EntityType, b.EntityType),
			cmp.Compare(a.EntityID, b.EntityID),
		)
	})
}

// sameContent compares the contents and the statuses of two documents, which callers see, without
// their reasons.
func sameContent(a, b Document) bool {
	return a.Name == b.Name && a.Category == b.Category && a.RequirementText == b.RequirementText && a.Terms.Same(b.Terms) &&
		a.Status == b.Status && a.StatusReason == b.StatusReason && a.DueOn == b.DueOn && a.Text().Same(b.Text())
}

// sameBasis compares why two documents are required, and the facts to which their approvals are bound.
func sameBasis(a, b Document) bool {
	return a.Identity.Same(b.Identity) && maps.Equal(a.Bound, b.Bound) && sameReasons(a.Reasons, b.Reasons)
}

// sameReasons compares reasons by rule, version and facts, and ignores their wording: the same
// reason in other words is no change. It compares the facts as JSON, because a stored document has
// the same facts in other Go types.
func sameReasons(a, b []DocumentReason) bool {
	return bytes.Equal(fact.CanonicalJSON(unworded(a)), fact.CanonicalJSON(unworded(b)))
}

func unworded(reasons []DocumentReason) []DocumentReason {
	reasons = slices.Clone(reasons)
	for i := range reasons {
		reasons[i].Message = ""
	}
	return reasons
}
