package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/changes"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
	"requisite/internal/text/names"
)

const (
	// MaxOpenProposals limits the proposals of an account that wait for a second person.
	MaxOpenProposals = 20
	// ProposalLife is how long a proposal is kept that nobody has approved.
	ProposalLife = 90 * 24 * time.Hour
)

// proposalStateSQL is the state of a proposal on a day, $2. An open proposal whose day has passed
// is outdated.
const proposalStateSQL = `CASE WHEN q.state = 'OPEN' AND q.effective_from < $2::text::date THEN 'OUTDATED' ELSE q.state END`

const proposalColumns = `q.id, q.account_id, ` + proposalStateSQL + ` AS state, q.content, q.environment_version, q.cost_limit,
	to_char(q.effective_from, 'YYYY-MM-DD') AS effective_from, q.applies_to, q.keep_approvals, q.base_id, q.base_version, q.changes,
	q.comment, q.proposed_by, q.proposed_by_type, q.proposed_at, q.decided_by, q.decided_by_type, q.decided_at, q.decision_comment, q.version_id, q.version`

// Proposed is a new proposal. Replaced has the numbers of the coming versions that its approval
// would cancel. Approvable reports whether any credential may approve it.
type Proposed struct {
	calculation.Proposal
	Replaced   []int
	Approvable bool
}

// Warnings returns warnings about the versions that the proposal would replace, and about who can
// approve it.
func (p Proposed) Warnings() []refusal.Warning {
	warnings := replacing(p.Replaced, "Version %d, which is to come into force, never will once this proposal is approved.")
	if !p.Approvable {
		warnings = append(warnings, refusal.Warning{Code: refusal.NoApprover, Message: fmt.Sprintf(
			"No credential of this account may approve the proposal: there is none of another name with the permission %s.", domain.PermissionApproveRules)})
	}
	return warnings
}

// Propose stores a draft, which must have a comment, until another person approves or rejects it.
// It makes the same checks as a publication, and declares no facts.
func (r Rules) Propose(ctx context.Context, accountID id.AccountID, d calculation.Draft) (Proposed, error) {
	none := func(err error) (Proposed, error) { return Proposed{}, err }
	held, err := r.lock(ctx, ruleSets, accountID)
	if err != nil {
		return none(err)
	}
	if d.Validity, err = normalized(d.Validity, held); err != nil {
		return none(err)
	}
	if d.EffectiveFrom != nil && *d.EffectiveFrom == held.today.String() { // it can still be approved on the next day
		d.EffectiveFrom = nil
	}
	found, err := r.admit(ctx, ruleSets, held, r.version(held, d), nil)
	if err != nil {
		return none(err)
	}
	open, err := r.openProposals(ctx, held.account, held.today)
	switch {
	case err != nil:
		return none(err)
	case open >= MaxOpenProposals:
		return none(refusal.Rule(refusal.EntityDocumentRules, held.account.WireID().String(), refusal.ProposalLimitExceeded,
			"This account has %d open proposals, the most that there may be: approve or reject some first.", open))
	}
	p := calculation.Proposal{
		ID: r.newID(), AccountID: held.account.ID, State: calculation.ProposalOpen, Content: string(d.Content), EnvironmentVersion: d.EnvironmentVersion,
		CostLimit: d.CostLimit, Validity: d.Validity, Comment: *d.Comment, ProposedBy: r.actor.UserID, ProposedByType: r.actor.UserType, ProposedAt: r.at,
	}
	if held.latest.Version > 0 {
		p.BaseID.UUID, p.BaseID.Valid, p.BaseVersion = held.latest.ID, true, &held.latest.Version
	}
	if p.Changes, err = changes.Codes(held.latest.Content, p.Content); err != nil {
		return none(err)
	}
	_, err = r.q.Exec(ctx, `
		INSERT INTO rule_proposal (
			id, account_id, content, environment_version, cost_limit,
			effective_from, applies_to, keep_approvals,
			base_id, base_version, changes,
			comment, proposed_by, proposed_by_type, proposed_at)
		VALUES ($1, $2, $3, $4, $5, $6::text::date, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		p.ID, p.AccountID, p.Content, p.EnvironmentVersion, p.CostLimit, p.EffectiveFrom, p.AppliesTo, p.KeepApprovals, p.BaseID, p.BaseVersion, p.Changes,
		p.Comment, p.ProposedBy, p.ProposedByType, p.ProposedAt)
	if err != nil {
		return none(fmt.Errorf("propose rules: %w", err))
	}
	approvers, err := db.Column[string](ctx, r.q, `SELECT name FROM rule_approvers($1)`, r.at)
	if err != nil {
		return none(fmt.Errorf("find who may approve rules: %w", err))
	}
	approvable := slices.ContainsFunc(approvers, func(name string) bool { return p.WhyNotBy(domain.APIKey(name)) == "" })
	return Proposed{p, found.replaced, approvable}, nil
}

// openProposals counts an account's proposals that can be approved on a day.
func (r Rules) openProposals(ctx context.Context, account domain.Account, today fact.Date) (int, error) {
	var open int
	err := r.q.QueryRow(ctx, `
		SELECT count(*)
		FROM rule_proposal q
		WHERE q.account_id = $1 AND `+proposalStateSQL+` = 'OPEN'`,
		account.ID, today.String()).Scan(&open)
	if err != nil {
		return 0, fmt.Errorf("count the open proposals of an account: %w", err)
	}
	return open, nil
}

// accountOfProposalSQL is find's query for the account of a proposal.
const accountOfProposalSQL = `
	SELECT ` + accountColumns + `
FROM account a JOIN rule_proposal q ON q.account_id = a.id
WHERE q.id = $1 AND a.organization_id = $2 AND a.environment = $3`

// Proposal finds a proposal, with its state today.
func (r Rules) Proposal(ctx context.Context, proposalID id.ProposalID) (calculation.Proposal, error) {
	account, err := find[domain.Account](ctx, r.unit, refusal.EntityDocumentRules, proposalID, accountOfProposalSQL)
	if err != nil {
		return calculation.Proposal{}, err
	}
	return r.proposalOf(ctx, account, proposalID)
}

// lockedProposal is Proposal with the account's policy locked.
func (r Rules) lockedProposal(ctx context.Context, proposalID id.ProposalID) (calculation.Proposal, domain.Account, error) {
	account, err := lockAndFind[domain.Account](ctx, r.unit, lockPolicyOfProposalSQL, refusal.EntityDocumentRules, proposalID, accountOfProposalSQL)
	if err != nil {
		return calculation.Proposal{}, account, err
	}
	p, err := r.proposalOf(ctx, account, proposalID)
	r.stamp(&p.ProposedAt)
	return p, account, err
}

func (r Rules) proposalOf(ctx context.Context, account domain.Account, proposalID id.ProposalID) (calculation.Proposal, error) {
	r.noteAccount(account.ID)
	today, err := r.today(account.TimeZone)
	if err != nil {
		return calculation.Proposal{}, err
	}
	return existing[calculation.Proposal](ctx, r.q, refusal.EntityDocumentRules, proposalID, `
		SELECT `+proposalColumns+`
		FROM rule_proposal q
		WHERE q.id = $1`,
		proposalID.UUID, today.String())
}

// Proposals lists the proposals of an account in a state, or all, newest first and without their
// content. The string is the After of the next page. It is empty on the last page.
func (r Rules) Proposals(
	ctx context.Context, accountID id.AccountID,
	state calculation.ProposalState, page domain.Page,
) ([]calculation.Proposal, string, error) {
	account, today, err := r.tenants().today(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := after(page, id.RuleProposal)
	if err != nil {
		return nil, "", err
	}
	found, err := db.Many[calculation.Proposal](ctx, r.q, `
		SELECT `+strings.Replace(proposalColumns, "q.content", "'' AS content", 1)+` FROM rule_proposal q
		WHERE q.account_id = $1 AND ($3 = '' OR `+proposalStateSQL+` = $3) AND q.id < $4 ORDER BY q.id DESC LIMIT $5`,
		account.ID, today.String(), state, after, page.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list the proposals of an account: %w", err)
	}
	found, next := cut(found, page)
	return found, next, nil
}

// Approve publishes what another person has proposed, without any change.
func (r Rules) Approve(ctx context.Context, proposalID id.ProposalID, comment *string) (Published, error) {
	none := func(err error) (Published, error) { return Published{}, err }
	p, account, err := r.lockedProposal(ctx, proposalID)
	if err != nil {
		return none(err)
	}
	if err := p.Undecided(); err != nil {
		return none(err)
	}
	if why := p.WhyNotBy(r.actor); why != "" {
		return none(refusal.Rule(refusal.EntityDocumentRules, p.WireID().String(), refusal.SecondPersonRequired, "%s", why))
	}
	if account.RulesNeedApproval && comment == nil && !r.actor.IsCredential() {
		return none(refusal.Fields(refusal.At("comment", refusal.Required, "An operator must say why: the rules of this account need approval.")))
	}
	made, err := r.publish(ctx, ruleSets, r.scope.Environment.Account(p.AccountID), p.Draft(comment), &p)
	if err != nil {
		return none(err)
	}
	tag, err := r.q.Exec(ctx, `
		UPDATE rule_proposal
		SET state = 'APPROVED', decided_by = $2, decided_by_type = $3, decided_at = $4,
			decision_comment = $5, version_id = $6, version = $7
		WHERE id = $1`,
		p.ID, r.actor.UserID, r.actor.UserType, r.at, comment, made.ID, made.Version)
	switch {
	case err != nil:
		return none(fmt.Errorf("approve rules: %w", err))
	case tag.RowsAffected() == 0: // the proposal was pruned meanwhile
		return none(refusal.NotFound(refusal.EntityDocumentRules, proposalID.String()))
	}
	return made, nil
}

// Reject rejects a proposal. With onlyOwn, it refuses to reject another person's proposal.
func (r Rules) Reject(ctx context.Context, proposalID id.ProposalID, comment string, onlyOwn bool) error {
	p, _, err := r.lockedProposal(ctx, proposalID)
	if err != nil {
		return err
	}
	if onlyOwn && !names.Same(p.ProposedBy, r.actor.UserID) {
		return refusal.Lacks(domain.PermissionApproveRules,
			"Another person has proposed these rules. To reject them needs the permission %s, which this credential does not have: "+
				"use another credential, or ask the operator of the service for the permission.",
			domain.PermissionApproveRules)
	}
	if err := p.Undecided(); err != nil {
		return err
	}
	_, err = r.q.Exec(ctx, `
		UPDATE rule_proposal
		SET state = 'REJECTED', decided_by = $2, decided_by_type = $3,
			decided_at = $4, decision_comment = $5
		WHERE id = $1`,
		p.ID, r.actor.UserID, r.actor.UserType, r.at, comment)
	if err != nil {
		return fmt.Errorf("reject rules: %w", err)
	}
	return nil
}

// SetNeedApproval sets whether a second person must approve an account's rules before they come
// into force. It cannot be turned off while a proposal is open.
func (r Rules) SetNeedApproval(ctx context.Context, accountID id.AccountID, need bool) error {
	if _, err := r.q.Exec(ctx, `SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`, accountID.UUID); err != nil {
		return fmt.Errorf("lock an account: %w", err)
	}
	held, err := r.lock(ctx, ruleSets, accountID)
	if err != nil {
		return err
	}
	if !need {
		open, err := r.openProposals(ctx, held.account, held.today)
		if err != nil {
			return err
		}
		if open > 0 {
			return fmt.Errorf("account %s has open proposals (%d): approve or reject them first", accountID, open)
		}
	}
	if _, err := r.q.Exec(ctx, `UPDATE account SET rules_need_approval = $2 WHERE id = $1`, held.account.ID, need); err != nil {
		return fmt.Errorf("change an account: %w", err)
	}
	return nil
}
