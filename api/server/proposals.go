package server

import (
	"context"
	"encoding/json"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
)

type proposalCreateRequest struct {
	RuleSetRequest
	ForceField
	Comment string `json:"comment" minLength:"1" maxLength:"1000" doc:"Why; for the person who approves the rules."`
}

func (in *proposalCreateRequest) checkOn(ctx context.Context, s *Server, c *caller) ([]refusal.Field, error) {
	return in.checkKeeping(ctx, s, c, in.KeepApprovals)
}

type proposalCreated struct {
	ProposalID id.ProposalID `json:"proposal_id"`

	Warnings []rulesWarning `json:"warnings" nullable:"false" doc:"As account.documentRules.validate answers them."`
}

func proposalCreate(ctx context.Context, r *store.Records, in *proposalCreateRequest) (proposalCreated, []refusal.Warning, error) {
	draft := calculation.NewDraft(in.checked.Content)
	draft.Comment, draft.Validity = &in.Comment, in.force()
	p, err := r.Rules.Propose(ctx, in.AccountID, draft)
	return proposalCreated{p.WireID(), in.warnings()}, p.Warnings(), err
}

type ProposalRequest struct {
	ProposalID id.ProposalID `json:"proposal_id"`
}

type ProposalListed struct {
	ProposalID id.ProposalID             `json:"proposal_id"`
	AccountID  id.AccountID              `json:"account_id"`
	State      calculation.ProposalState `json:"state" doc:"OUTDATED: rules were published after it was made, or its effective_from has passed."`

	EffectiveFrom *string               `json:"effective_from,omitempty" format:"date" doc:"The first day in force, in the account's time zone. Absent: from its approval on."`
	AppliesTo     calculation.AppliesTo `json:"applies_to"`
	KeepApprovals []string              `json:"keep_approvals" nullable:"false"`

	BaseVersionID id.RuleSetVersionID      `json:"base_version_id,omitzero" doc:"The newest version when the rules were proposed. Absent where there was none."`
	BaseVersion   *int                     `json:"base_version,omitempty"`
	Changes       calculation.ChangedCodes `json:"changes" doc:"The codes of the documents and findings that differ from the base version: their rules, or a definition, a list or a declared fact that these read."`

	Comment        string        `json:"comment"`
	ProposedBy     string        `json:"proposed_by"`
	ProposedByType string        `json:"proposed_by_type"`
	ProposedAt     wire.DateTime `json:"proposed_at"`

	DecidedBy       *string             `json:"decided_by,omitempty" doc:"Who approved or rejected it."`
	DecidedByType   *string             `json:"decided_by_type,omitempty"`
	DecidedAt       *wire.DateTime      `json:"decided_at,omitempty" doc:"When it was approved or rejected, or other rules were published."`
	DecisionComment *string             `json:"decision_comment,omitempty"`
	VersionID       id.RuleSetVersionID `json:"version_id,omitzero" doc:"What it became, when it was approved."`
	Version         *int                `json:"version,omitempty"`
}

func proposalView(r *store.Records, p calculation.Proposal) ProposalListed {
	return ProposalListed{
		p.WireID(), r.Environment().Account(p.AccountID), p.State,
		p.EffectiveFrom, p.AppliesTo, append([]string{}, p.KeepApprovals...),
		id.RuleSetVersionID{UUID: p.BaseID.UUID}, p.BaseVersion, p.Changes,
		p.Comment, p.ProposedBy, p.ProposedByType, wire.DateTime(p.ProposedAt),
		p.DecidedBy, p.DecidedByType, (*wire.DateTime)(p.DecidedAt), p.DecisionComment, id.RuleSetVersionID{UUID: p.VersionID.UUID}, p.Version,
	}
}

type proposalData struct {
	ProposalListed
	Rules json.RawMessage `json:"rules"`
}

func proposalGet(ctx context.Context, r *store.Records, in *ProposalRequest) (proposalData, error) {
	p, err := r.Rules.Proposal(ctx, in.ProposalID)
	return proposalData{proposalView(r, p), json.RawMessage(p.Content)}, err
}

type proposalListRequest struct {
	AccountRequest
	Filters proposalFilters `json:"filters,omitempty"`
	Page    page            `json:"page,omitempty"`
}

type proposalFilters struct {
	State calculation.ProposalState `json:"state,omitempty"`
}

func (in *proposalListRequest) check() []refusal.Field { return checkAfter[id.ProposalID](in.Page) }

type proposalListData struct {
	Proposals []ProposalListed `json:"proposals" nullable:"false"`
	Next      *string          `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func proposalList(ctx context.Context, r *store.Records, in *proposalListRequest) (proposalListData, error) {
	found, next, err := r.Rules.Proposals(ctx, in.AccountID, in.Filters.State, in.Page.page())
	data := proposalListData{Proposals: []ProposalListed{}, Next: orNull(next)}
	for _, p := range found {
		data.Proposals = append(data.Proposals, proposalView(r, p))
	}
	return data, err
}

type proposalApproveRequest struct {
	ProposalRequest
	Comment wire.Optional[string] `json:"comment,omitempty" minLength:"1" maxLength:"1000"`
}

type proposalApproved struct {
	VersionID id.RuleSetVersionID `json:"version_id"`
	Version   int                 `json:"version"`
}

func proposalApprove(ctx context.Context, r *store.Records, in *proposalApproveRequest) (proposalApproved, []refusal.Warning, error) {
	p, err := r.Rules.Approve(ctx, in.ProposalID, in.Comment.Value)
	return proposalApproved{p.WireID(), p.Version}, p.Warnings(), err
}

type proposalRejectRequest struct {
	ProposalRequest
	Comment string `json:"comment" minLength:"1" maxLength:"1000" doc:"Why."`
}

func proposalReject(ctx context.Context, s *Server, c *caller, in *proposalRejectRequest) (wire.Reply, error) {
	onlyOwn := !c.credential.Permissions.Has(domain.PermissionApproveRules)
	return s.store.Write(ctx, c.call, func(r *store.Records) (any, error) {
		err := r.Rules.Reject(ctx, in.ProposalID, in.Comment, onlyOwn)
		c.accountID = r.AccountID()
		return wire.Empty{}, err
	})
}
