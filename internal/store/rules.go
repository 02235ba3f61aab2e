package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
)

// kind is how one kind of publication is stored.
type kind struct {
	table, pointer, comment string
	// set declares facts; columns of account_fact begin with declarations, paths of problems with
	// request.
	set                   fact.Set
	declarations, request string
}

var (
	ruleSets      = kind{table: "rule_set", pointer: "rule_set_id", comment: "comment", set: fact.SetRules, declarations: "rules", request: "rules"}
	pricingModels = kind{table: "pricing_model", pointer: "pricing_model_id", comment: "NULL::text AS comment", set: fact.SetPricing, declarations: "pricing", request: "pricing"}
)

func (k kind) columns() string {
	return `v.id, v.account_id, v.version, v.content, ` + k.comment + `, v.environment_version, v.cost_limit, v.published_at, v.published_by`
}

// PublishRuleSet makes a draft the account's rule set in force. Publishing the
// content that is already in force makes no new version: false.
func (r *Records) PublishRuleSet(ctx context.Context, accountID id.AccountID, d calculation.Draft) (calculation.Publication, bool, error) {
	return r.publish(ctx, ruleSets, accountID, d)
}

// PublishPricingModel makes a draft the account's pricing model in force, as
// PublishRuleSet does.
func (r *Records) PublishPricingModel(ctx context.Context, accountID id.AccountID, d calculation.Draft) (calculation.Publication, bool, error) {
	return r.publish(ctx, pricingModels, accountID, d)
}

func (r *Records) publish(ctx context.Context, k kind, accountID id.AccountID, d calculation.Draft) (calculation.Publication, bool, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return calculation.Publication{}, false, err
	}
	if _, err := r.q.Exec(ctx, lockPolicySQL, account.ID); err != nil {
		return calculation.Publication{}, false, fmt.Errorf("lock an account's policy: %w", err)
	}
	current, ok, err := r.inForce(ctx, k, account.ID)
	if err != nil {
		return calculation.Publication{}, false, err
	}
	if ok && bytes.Equal([]byte(current.Content), d.Content) {
		return current, false, nil
	}
	declared, err := declarations(d.Content)
	if err != nil {
		return calculation.Publication{}, false, err
	}
	if err := r.declarable(ctx, account, k, declared); err != nil {
		return calculation.Publication{}, false, err
	}
	if k == ruleSets {
		if err := r.publishing(ctx, account, len(d.Content)); err != nil {
			return calculation.Publication{}, false, err
		}
	}
	r.stamp(&current.PublishedAt)
	p := calculation.Publication{
		ID: r.newID(), AccountID: account.ID, Content: string(d.Content), Comment: d.Comment,
		EnvironmentVersion: d.EnvironmentVersion, CostLimit: d.CostLimit, PublishedAt: r.at, PublishedBy: r.actor.UserID,
	}
	hash := sha256.Sum256(d.Content)
	columns, values, args := "", "", []any{p.ID, p.AccountID, p.Content, hash[:], p.EnvironmentVersion, p.CostLimit, p.PublishedAt, p.PublishedBy}
	if k == ruleSets {
		columns, values, args = ", comment", ", $9", append(args, p.Comment)
	}
	err = r.q.QueryRow(ctx, `
		INSERT INTO `+k.table+` (id, account_id, version, content, content_sha256, environment_version, cost_limit, published_at, published_by`+columns+`)
		VALUES ($1, $2, (SELECT coalesce(max(version), 0) + 1 FROM `+k.table+` WHERE account_id = $2), $3, $4, $5, $6, $7, $8`+values+`)
		RETURNING version`, args...).Scan(&p.Version)
	if err != nil {
		return calculation.Publication{}, false, fmt.Errorf("publish to %s: %w", k.table, err)
	}
	if _, err := r.q.Exec(ctx, `UPDATE account_policy SET `+k.pointer+` = $2 WHERE account_id = $1`, account.ID, p.ID); err != nil {
		return calculation.Publication{}, false, fmt.Errorf("put a version of %s in force: %w", k.table, err)
	}
	return p, true, r.declare(ctx, k, p, declared)
}

func (r *Records) inForce(ctx context.Context, k kind, accountID uuid.UUID) (calculation.Publication, bool, error) {
	p, ok, err := db.One[calculation.Publication](ctx, r.q, `
		SELECT `+k.columns()+` FROM account_policy a JOIN `+k.table+` v ON v.id = a.`+k.pointer+` WHERE a.account_id = $1`, accountID)
	if err != nil {
		return calculation.Publication{}, false, fmt.Errorf("find what is in force of %s: %w", k.table, err)
	}
	return p, ok, nil
}

// RuleSet finds a version of an account's rules; without an id, the one in
// force.
func (r *Records) RuleSet(ctx context.Context, accountID id.AccountID, versionID id.RuleSetVersionID) (calculation.Publication, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return calculation.Publication{}, err
	}
	if versionID.IsZero() {
		p, ok, err := r.inForce(ctx, ruleSets, account.ID)
		if err == nil && !ok {
			none := refusal.NotFound(refusal.EntityDocumentRules, accountID.String())
			none.Message = "No rules have been published for this account yet; account.documentRules.publish does it."
			err = none
		}
		return p, err
	}
	return existing[calculation.Publication](ctx, r.q, refusal.EntityDocumentRules, versionID,
		`SELECT `+ruleSets.columns()+` FROM rule_set v WHERE v.id = $1 AND v.account_id = $2`, versionID.UUID, account.ID)
}

// RuleSets lists the kept versions of an account's rules, newest first, without
// their content.
func (r *Records) RuleSets(ctx context.Context, accountID id.AccountID) ([]calculation.Publication, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return nil, err
	}
	return db.Many[calculation.Publication](ctx, r.q, `
		SELECT v.id, v.account_id, v.version, '' AS content, v.comment, v.environment_version, v.cost_limit, v.published_at, v.published_by
		FROM rule_set v WHERE v.account_id = $1 ORDER BY v.version DESC`, account.ID)
}

// RuleSetByID and PricingModelByID find a version by its key, for an activity
// that got it from LoadFacts.
func (s *Store) RuleSetByID(ctx context.Context, scope domain.Scope, u uuid.UUID) (calculation.Publication, error) {
	return s.publication(ctx, scope, ruleSets, u)
}

// PricingModelByID finds a pricing model, as RuleSetByID does a rule set.
func (s *Store) PricingModelByID(ctx context.Context, scope domain.Scope, u uuid.UUID) (calculation.Publication, error) {
	return s.publication(ctx, scope, pricingModels, u)
}

func (s *Store) publication(ctx context.Context, scope domain.Scope, k kind, u uuid.UUID) (calculation.Publication, error) {
	p, ok, err := db.One[calculation.Publication](ctx, s.db.Scoped(scope), `SELECT `+k.columns()+` FROM `+k.table+` v WHERE v.id = $1`, u)
	switch {
	case err != nil:
		return calculation.Publication{}, fmt.Errorf("read a version of %s: %w", k.table, err)
	case !ok:
		return calculation.Publication{}, fmt.Errorf("version %s of %s: %w", u, k.table, calculation.ErrNoVersion)
	}
	return p, nil
}
