package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/decimal"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// Snapshot is everything that a calculation starts from, as it stood at one
// moment.
type Snapshot struct {
	// Scope is whose snapshot it is, and the only one that its versions are read in.
	// Evaluating it takes from the share of its tenant.
	Scope    Scope             `json:"scope"`
	Facts    requirement.Facts `json:"facts"`
	Versions Versions          `json:"versions"`
	// RuleSet and PricingModel are nil when the account has none in force.
	RuleSet      *VersionRef `json:"rule_set,omitempty"`
	PricingModel *VersionRef `json:"pricing_model,omitempty"`
	// ScoreOutdated says that facts have changed since the score was calculated.
	ScoreOutdated bool `json:"score_outdated,omitempty"`
}

// Versions identifies the state of what a snapshot was read from. While they
// are the same, so are the facts and the rules.
type Versions struct {
	Workflow     int64         `json:"workflow"`
	Business     int64         `json:"business"`
	RuleSet      uuid.NullUUID `json:"rule_set"`
	PricingModel uuid.NullUUID `json:"pricing_model"`
}

// VersionRef names a version to people and to the next activity.
type VersionRef struct {
	ID      uuid.UUID `json:"id"`
	WireID  string    `json:"version_id"`
	Version int       `json:"version"`
}

// LoadFacts reads the snapshot of a workflow. startedAt, the moment of the run,
// gives the date on which ages are counted, in the account's zone. An ENDED
// workflow is refused, and the refusal kept for the call's idempotency key.
func (s *Store) LoadFacts(ctx context.Context, call Call, workflowID string, startedAt time.Time) (Snapshot, error) {
	var snapshot Snapshot
	var state State
	err := s.atOneMomentIn(ctx, call.Scope, func(tx pgx.Tx) error {
		r := &Records{q: tx, scope: call.Scope}
		w, err := r.Workflow(ctx, workflowID)
		if err != nil {
			return err
		}
		state = w.State
		snapshot, err = r.snapshot(ctx, w, startedAt)
		return err
	})
	if err == nil && state == Ended {
		_, err = s.Write(ctx, call, func(*Records) (any, error) { return nil, refusal.Ended(workflowID) })
	}
	if err != nil {
		return Snapshot{}, err
	}
	return snapshot, nil
}

// snapshot reads the versions before what they stand for, so that a change in
// between is found out.
func (r *Records) snapshot(ctx context.Context, w Workflow, startedAt time.Time) (Snapshot, error) {
	found, ok, err := one[struct {
		Workflow            int64
		Business            int64
		RuleSet             uuid.NullUUID
		PricingModel        uuid.NullUUID
		ScoreFacts          *string
		RuleSetVersion      *int
		PricingModelVersion *int
	}](ctx, r.q, `
		SELECT w.version AS workflow, b.version AS business, p.rule_set_id AS rule_set, p.pricing_model_id AS pricing_model,
		       w.score_facts, s.version AS rule_set_version, m.version AS pricing_model_version
		FROM workflow w JOIN business b ON b.id = w.business_id JOIN account_policy p ON p.account_id = w.account_id
		LEFT JOIN rule_set s ON s.id = p.rule_set_id LEFT JOIN pricing_model m ON m.id = p.pricing_model_id
		WHERE w.id = $1`, w.ID)
	switch {
	case err != nil:
		return Snapshot{}, fmt.Errorf("read the versions of a workflow's facts: %w", err)
	case !ok:
		return Snapshot{}, fmt.Errorf("account %s has no policy row", w.AccountID)
	}
	facts, err := r.facts(ctx, w, startedAt)
	if err != nil {
		return Snapshot{}, err
	}
	return Snapshot{
		Scope:         r.scope,
		Facts:         facts,
		Versions:      Versions{found.Workflow, found.Business, found.RuleSet, found.PricingModel},
		RuleSet:       versionRef(found.RuleSet, found.RuleSetVersion),
		PricingModel:  versionRef(found.PricingModel, found.PricingModelVersion),
		ScoreOutdated: found.ScoreFacts != nil && *found.ScoreFacts != facts.Fingerprint(),
	}, nil
}

func versionRef(u uuid.NullUUID, version *int) *VersionRef {
	if !u.Valid {
		return nil
	}
	return &VersionRef{ID: u.UUID, WireID: id.Format(id.RuleSetVersion, u.UUID), Version: *version}
}

func (r *Records) facts(ctx context.Context, w Workflow, startedAt time.Time) (requirement.Facts, error) {
	account, err := r.Account(ctx, id.Format(r.scope.Environment.Prefix(), w.AccountID))
	if err != nil {
		return requirement.Facts{}, err
	}
	location, err := account.Location()
	if err != nil {
		return requirement.Facts{}, err
	}
	b, err := r.Business(ctx, id.Format(id.Business, w.BusinessID))
	if err != nil {
		return requirement.Facts{}, err
	}
	local := startedAt.In(location)
	f := requirement.Facts{
		AsOf:                 requirement.Date{Year: local.Year(), Month: local.Month(), Day: local.Day()},
		WorkflowID:           w.WireID(),
		BusinessID:           b.WireID(),
		EvaluationScore:      w.EvaluationScore,
		IndustryCategoryCode: b.IndustryCategoryCode,
		NoPersonsAttested:    b.NoPersonsAttested,
		Currency:             account.Currency,
	}
	if b.EstablishedDate != nil {
		date, err := requirement.ParseDate(*b.EstablishedDate)
		if err != nil {
			return requirement.Facts{}, fmt.Errorf("established date of business %s: %w", b.WireID(), err)
		}
		f.EstablishedDate = &date
	}
	if err := r.salesFacts(ctx, b, &f); err != nil {
		return requirement.Facts{}, err
	}
	return f, r.personFacts(ctx, b, &f)
}

func (r *Records) salesFacts(ctx context.Context, b Business, f *requirement.Facts) error {
	info, ok, err := r.SalesInfo(ctx, b)
	if err != nil || !ok {
		return err
	}
	f.SalesInfoID = info.WireID()
	targets := map[string]**rational.Number{
		"AVERAGE_INDIVIDUAL_SALE":      &f.AverageIndividualSale,
		"AVERAGE_MONTHLY_CREDIT_SALES": &f.AverageMonthlyCreditSales,
		"AVERAGE_YEARLY_CREDIT_SALES":  &f.AverageYearlyCreditSales,
		"HIGHEST_TICKET_SALE":          &f.HighestTicketSale,
	}
	for _, amount := range info.Amounts {
		value := amount.Hundredths.Exact()
		*targets[amount.Type] = &value
	}
	return nil
}

func (r *Records) personFacts(ctx context.Context, b Business, f *requirement.Facts) error {
	type row struct {
		ID          uuid.UUID
		Citizenship *string
		Ownership   *decimal.Number
	}
	persons, err := many[row](ctx, r.q, `
		SELECT id, citizenship, (ownership_percentage * 100)::bigint AS ownership FROM person WHERE business_id = $1 ORDER BY id`, b.ID)
	if err != nil {
		return fmt.Errorf("read the persons of a business: %w", err)
	}
	for _, p := range persons {
		fact := requirement.PersonFacts{PersonID: id.Format(id.Person, p.ID), Citizenship: p.Citizenship}
		if p.Ownership != nil {
			value := p.Ownership.Exact()
			fact.OwnershipPercentage = &value
		}
		f.Persons = append(f.Persons, fact)
	}
	return nil
}
