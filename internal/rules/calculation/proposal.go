package calculation

import (
	"strings"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/text/names"
)

// Approval says who proposed a version and who approved it. All fields are nil if one person
// published it.
type Approval struct {
	ProposedBy      *string
	ProposedByType  *string
	ProposedAt      *time.Time
	ProposalComment *string
	ApprovedBy      *string
	ApprovedByType  *string
	ApprovedAt      *time.Time
}

// Proposer is the first person. The version must have been approved.
func (a Approval) Proposer() domain.Actor {
	return domain.Actor{UserID: *a.ProposedBy, UserType: *a.ProposedByType}
}

// Approver is the second person. The version must have been approved.
func (a Approval) Approver() domain.Actor {
	return domain.Actor{UserID: *a.ApprovedBy, UserType: *a.ApprovedByType}
}

// ProposalState is the state of a proposal.
type ProposalState string

// The states of a proposal. A proposal leaves OPEN once.
const (
	ProposalOpen     ProposalState = "OPEN"
	ProposalApproved ProposalState = "APPROVED"
	ProposalRejected ProposalState = "REJECTED"
	ProposalOutdated ProposalState = "OUTDATED" // rules were published meanwhile, or its day has passed
)

// ProposalStates lists all of them.
func ProposalStates() []ProposalState {
	return []ProposalState{ProposalOpen, ProposalApproved, ProposalRejected, ProposalOutdated}
}

// ChangedCodes has the sorted codes of the documents and findings that differ between a proposal
// and the version that was newest then.
type ChangedCodes struct {
	Added   []string `json:"added" nullable:"false"`
	Removed []string `json:"removed" nullable:"false"`
	Changed []string `json:"changed" nullable:"false"`
}

// Proposal is a rule set that waits for a second person.
type Proposal struct {
	ID                 id.UUID
	AccountID          id.UUID
	State              ProposalState
	Content            string // canonical JSON
	EnvironmentVersion int
	CostLimit          int64
	Validity
	// Base is the newest version at the time of the proposal. It is null if there was none.
	BaseID      id.NullUUID
	BaseVersion *int
	Changes     ChangedCodes
	Comment     string

	ProposedBy     string
	ProposedByType string
	ProposedAt     time.Time
	// DecidedBy is nil for an outdated proposal.
	DecidedBy       *string
	DecidedByType   *string
	DecidedAt       *time.Time
	DecisionComment *string
	// VersionID and Version are set if the proposal was approved: they are the published version.
	VersionID id.NullUUID
	Version   *int
}

// WireID is the proposal's id in the API.
func (p Proposal) WireID() id.ProposalID { return id.ProposalID{UUID: p.ID} }

// Proposer is the actor that proposed it.
func (p Proposal) Proposer() domain.Actor {
	return domain.Actor{UserID: p.ProposedBy, UserType: p.ProposedByType}
}

// Decider is the actor that approved or rejected it. The proposal must have been decided.
func (p Proposal) Decider() domain.Actor {
	return domain.Actor{UserID: *p.DecidedBy, UserType: *p.DecidedByType}
}

// WhyNotBy says why an actor may not approve the proposal. It is empty if the actor may. Two names
// count as two persons only if at least one is a credential's: one operator can use any name.
func (p Proposal) WhyNotBy(approver domain.Actor) string {
	switch {
	case names.Same(p.ProposedBy, approver.UserID):
		return "Another person must approve these rules, a credential or an operator of another name: " + p.ProposedBy + " has proposed them."
	case !approver.IsCredential() && !p.Proposer().IsCredential():
		return "An operator has proposed these rules, so a credential must approve them: one with the permission " + string(domain.PermissionApproveRules) + "."
	}
	return ""
}

// Draft is the draft that is published when the proposal is approved.
func (p Proposal) Draft(comment *string) Draft {
	return Draft{Content: []byte(p.Content), Comment: comment, EnvironmentVersion: p.EnvironmentVersion, CostLimit: p.CostLimit, Validity: p.Validity}
}

// Undecided refuses a proposal that is no longer open.
func (p Proposal) Undecided() error {
	switch p.State {
	case ProposalOpen:
		return nil
	case ProposalOutdated:
		return p.Outdated()
	}
	return refusal.Rule(refusal.EntityDocumentRules, p.WireID().String(), refusal.ProposalDecided, "This proposal was %s before: by %s at %s.",
		strings.ToLower(string(p.State)), *p.DecidedBy, p.DecidedAt.UTC().Format(time.RFC3339))
}

// Outdated refuses a proposal whose time has passed.
func (p Proposal) Outdated() error {
	return refusal.Rule(refusal.EntityDocumentRules, p.WireID().String(), refusal.ProposalOutdated,
		"Rules were published after this proposal was made, or its effective_from has passed: propose the rules again.")
}
