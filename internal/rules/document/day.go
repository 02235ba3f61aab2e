package document

import (
	"slices"

	"requisite/internal/rules/fact"
)

// This file has what a new day changes: approvals lapse, documents become overdue, and reminders
// are due.

// Occasion is what happens to a document on a day. One event announces it.
type Occasion string

// The occasions. Only OccasionExpired changes the document's status, and only while its workflow
// has not ended.
const (
	OccasionExpired  Occasion = "EXPIRED"  // its approval was valid until an earlier day
	OccasionOverdue  Occasion = "OVERDUE"  // it is pending, and was due before today
	OccasionExpiring Occasion = "EXPIRING" // its approval lapses soon
)

// Notified has the dates that events have announced. Each date is announced once, even if the
// document gets it again.
type Notified struct {
	Overdue  []fact.Date `json:"overdue,omitempty"`  // former values of DueOn
	Expiring []fact.Date `json:"expiring,omitempty"` // former values of ValidUntil
	// Expired has former values of ValidUntil in an ended workflow. In other workflows the approval
	// is removed.
	Expired []fact.Date `json:"expired,omitempty"`
}

// MaxNotified is how many dates of each kind a document remembers, the latest ones.
const MaxNotified = 100

// IsZero reports that no date was announced.
func (t Notified) IsZero() bool { return t.Overdue == nil && t.Expiring == nil && t.Expired == nil }

func alsoNotified(dates []fact.Date, date fact.Date) []fact.Date {
	return append(slices.Clone(dates[max(0, len(dates)+1-MaxNotified):]), date)
}

// NextOn is the first day on which an occasion happens. It may have passed, and is zero if there is
// none. In an ended workflow an approval may still lapse, and nothing else happens.
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

// occasions returns all occasions that may still happen to the document in its current state. The
// lapse of an approval comes before the reminder of it.
func (d Document) occasions(ended bool) []occasionOn {
	var found []occasionOn
	add := func(what Occasion, on, of fact.Date, dates []fact.Date) {
		if !on.IsZero() && !slices.Contains(dates, of) {
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

// OnDay applies one occasion of a day to the document. It returns the changed document and the
// occasion, which is empty if there is none. The next call applies the next occasion.
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

// expired is the document after its approval has lapsed. A due date that depends on a fact stays as
// the last calculation set it.
func (d Document) expired(today fact.Date) Document {
	d = d.withoutApproval(d.Lapsed(today), today)
	if d.DueFrom == "" {
		d.DueOn = d.DueDate(fact.Facts{}, today)
	}
	return d
}
