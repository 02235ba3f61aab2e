package document

import (
	"slices"

	"requisite/internal/rules/fact"
)

// What days bring: approvals lapse, documents become overdue, and reminders fall due.

// Occasion is what a day brings for a document. One event tells of it.
type Occasion string

// The occasions. Only OccasionExpired moves the document, and only while its workflow has not ended.
const (
	OccasionExpired  Occasion = "EXPIRED"  // its approval was valid until an earlier day
	OccasionOverdue  Occasion = "OVERDUE"  // it is pending, and was due before
	OccasionExpiring Occasion = "EXPIRING" // its approval lapses soon
)

// Notified are the dates of which events have told: each is told once, even if it is the document's again.
type Notified struct {
	Overdue  []fact.Date `json:"overdue,omitempty"`  // were DueOn
	Expiring []fact.Date `json:"expiring,omitempty"` // were ValidUntil
	// Expired were ValidUntil in a workflow that had ended. Elsewhere the approval is gone.
	Expired []fact.Date `json:"expired,omitempty"`
}

// MaxTold is how many dates of each kind a document remembers, the latest ones.
const MaxNotified = 100

// IsZero reports that nothing was told.
func (t Notified) IsZero() bool { return t.Overdue == nil && t.Expiring == nil && t.Expired == nil }

func alsoNotified(told []fact.Date, date fact.Date) []fact.Date {
	return append(slices.Clone(told[max(0, len(told)+1-MaxNotified):]), date)
}

// NextOn is the first day that brings something, which may have passed; zero for none. In a workflow
// that has ended only an approval may still lapse.
func (d Document) NextOn(ended bool) fact.Date {
	var next fact.Date
	for _, o := range d.occasions(ended) {
		if next.IsZero() || o.on.Before(next) {
			next = o.on
		}
	}
	return next
}

// occasionOn is an occasion and its first day.
type occasionOn struct {
	Occasion
	on fact.Date
}

// occasions are all that days may still bring the document as it stands. An approval that has lapsed
// comes before the reminder of it.
func (d Document) occasions(ended bool) []occasionOn {
	var found []occasionOn
	add := func(what Occasion, on, of fact.Date, told []fact.Date) {
		if !on.IsZero() && !slices.Contains(told, of) {
			found = append(found, occasionOn{what, on})
		}
	}
	if until := d.ValidUntil(); !until.IsZero() {
		add(OccasionExpired, until.Next(), until, d.Notified.Expired)
		if d.RemindBefore != nil && !ended {
			add(OccasionExpiring, d.RemindBefore.Before(until), until, d.Notified.Expiring)
		}
	}
	if d.Status == Pending && !d.DueOn.IsZero() && !ended {
		add(OccasionOverdue, d.DueOn.Next(), d.DueOn, d.Notified.Overdue)
	}
	return found
}

// OnDay is the document after what a day brings, and what that is; empty for nothing. What follows
// from it is of the next call.
func (d Document) OnDay(today fact.Date, ended bool) (Document, Occasion) {
	for _, o := range d.occasions(ended) {
		if today.Before(o.on) {
			continue
		}
		switch o.Occasion {
		case OccasionExpired:
			if ended {
				d.Notified.Expired = alsoNotified(d.Notified.Expired, d.ValidUntil())
			} else {
				d = d.expired(today)
			}
		case OccasionOverdue:
			d.Notified.Overdue = alsoNotified(d.Notified.Overdue, d.DueOn)
		case OccasionExpiring:
			d.Notified.Expiring = alsoNotified(d.Notified.Expiring, d.ValidUntil())
		}
		return d, o.Occasion
	}
	return d, ""
}

// expired is the document whose approval has lapsed. A due date that follows a fact stays as the last
// calculation saw it.
func (d Document) expired(today fact.Date) Document {
	d = d.withoutApproval(d.Lapsed(today), today)
	if d.DueFrom == "" {
		d.DueOn = d.DueDate(fact.Facts{}, today)
	}
	return d
}
