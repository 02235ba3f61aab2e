package calculation

import (
	"cmp"
	"slices"
	"time"

	"requisite/internal/rules/fact"
)

// AppliesTo says for which workflows a version of rules is.
type AppliesTo string

// Whom a version of rules applies to.
const (
	AppliesToAll AppliesTo = "ALL"
	AppliesToNew AppliesTo = "NEW" // those created from its first day, or from its publication, on
)

// Force says when a version of rules is in force, for whom, and which approvals hold under it.
type Force struct {
	// EffectiveFrom is the first day, as YYYY-MM-DD in the account's time zone; nil from the
	// publication on.
	EffectiveFrom *string
	AppliesTo     AppliesTo
	// KeepApprovals are the document types whose approvals hold although the version changes
	// their text, sorted; "*" is all.
	KeepApprovals []string
}

// Same reports whether two are the same.
func (f Force) Same(other Force) bool {
	return f.AppliesTo == other.AppliesTo && slices.Equal(f.KeepApprovals, other.KeepApprovals) &&
		(f.EffectiveFrom == nil) == (other.EffectiveFrom == nil) && (f.EffectiveFrom == nil || *f.EffectiveFrom == *other.EffectiveFrom)
}

// VersionState says whether a version of rules is in force.
type VersionState string

// The states of a version.
const (
	Coming   VersionState = "COMING"   // its first day is still to come
	InForce  VersionState = "IN_FORCE" // for some workflows at least
	Replaced VersionState = "REPLACED"
)

// Issued is what tells the state of a version among others.
type Issued struct {
	Version     int
	PublishedAt time.Time
	Force
}

// start orders the moments from which versions apply: a day, and the time of a publication on
// it.
func (v Issued) start(zone *time.Location) (string, time.Time) {
	if v.EffectiveFrom != nil {
		return *v.EffectiveFrom, time.Time{}
	}
	return fact.DateOf(v.PublishedAt.In(zone)).String(), v.PublishedAt
}

// StateOn is the state of a version on a day, in a time zone. later are those with a higher number.
func (v Issued) StateOn(day fact.Date, zone *time.Location, later []Issued) VersionState {
	if slices.ContainsFunc(later, func(l Issued) bool { return l.Replaces(v, day, zone) }) {
		return Replaced
	}
	if from, _ := v.start(zone); from > day.String() {
		return Coming
	}
	return InForce
}

// Replaces reports whether v, with a higher number, leaves the other version no workflow from a day on.
func (v Issued) Replaces(other Issued, day fact.Date, zone *time.Location) bool {
	since, at := v.start(zone)
	otherSince, otherAt := other.start(zone)
	notLater := cmp.Or(cmp.Compare(since, otherSince), at.Compare(otherAt)) <= 0
	switch {
	case v.AppliesTo == AppliesToAll:
		return notLater || since <= day.String()
	case other.AppliesTo == AppliesToNew:
		return notLater
	}
	return false
}
