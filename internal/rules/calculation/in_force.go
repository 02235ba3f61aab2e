package calculation

import "slices"

// AppliesTo says for which workflows a version of rules is.
type AppliesTo string

// Whom a version of rules applies to.
const (
	AppliesToAll AppliesTo = "ALL"
	AppliesToNew AppliesTo = "NEW" // those created from its first day, or from its publication, on
)

// AllAppliesTo lists both.
func AllAppliesTo() []AppliesTo { return []AppliesTo{AppliesToAll, AppliesToNew} }

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
	InForce  VersionState = "IN_FORCE" // for some workflows at least, or for those that will be created
	Replaced VersionState = "REPLACED" // no workflow that has not ended could have it
)

// VersionStates lists all of them.
func VersionStates() []VersionState { return []VersionState{Coming, InForce, Replaced} }

// Replaces reports whether f, published now, takes the place of a coming version: f comes no later, and is for no fewer workflows.
func (f Force) Replaces(coming Force) bool {
	notLater := f.EffectiveFrom == nil || *f.EffectiveFrom <= *coming.EffectiveFrom
	return notLater && (f.AppliesTo == AppliesToAll || coming.AppliesTo == AppliesToNew)
}
