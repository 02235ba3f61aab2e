package calculation

import "slices"

// AppliesTo says to which workflows a version of rules applies.
type AppliesTo string

// The workflows to which a version applies.
const (
	AppliesToAll AppliesTo = "ALL"
	AppliesToNew AppliesTo = "NEW" // workflows created on or after its first day, or after its publication
)

// AllAppliesTo lists both.
func AllAppliesTo() []AppliesTo { return []AppliesTo{AppliesToAll, AppliesToNew} }

// Validity says when a version of rules is in force, for which workflows, and which approvals stay
// valid under it.
type Validity struct {
	// EffectiveFrom is the first day, as YYYY-MM-DD in the account's time zone. If it is nil, the
	// version is in force from its publication. Nothing runs when the day comes: each calculation
	// picks the version by date (rules_in_force in SQL), and the hourly round of recalculations finds
	// the accounts that want one.
	EffectiveFrom *string
	AppliesTo     AppliesTo
	// KeepApprovals are the document types whose approvals stay valid although the version changes
	// their text. They are sorted; "*" means all.
	KeepApprovals []string
}

// Same reports whether f and other are equal.
func (f Validity) Same(other Validity) bool {
	return f.AppliesTo == other.AppliesTo && slices.Equal(f.KeepApprovals, other.KeepApprovals) &&
		(f.EffectiveFrom == nil) == (other.EffectiveFrom == nil) && (f.EffectiveFrom == nil || *f.EffectiveFrom == *other.EffectiveFrom)
}

// VersionState says whether a version of rules is in force.
type VersionState string

// The states of a version.
const (
	Coming   VersionState = "COMING"   // its first day is in the future
	InForce  VersionState = "IN_FORCE" // for some workflows, or for those that will be created
	Replaced VersionState = "REPLACED" // no open workflow can use it
)

// VersionStates lists all of them.
func VersionStates() []VersionState { return []VersionState{Coming, InForce, Replaced} }

// Replaces reports whether f, published now, replaces a coming version: f comes no later, and
// applies to at least the same workflows.
func (f Validity) Replaces(coming Validity) bool {
	notLater := f.EffectiveFrom == nil || *f.EffectiveFrom <= *coming.EffectiveFrom
	return notLater && (f.AppliesTo == AppliesToAll || coming.AppliesTo == AppliesToNew)
}
