package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rational"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
)

// LoadFacts reads the snapshot that a run decides by. Ages are as of startedAt, when
// the run started, in the account's time zone. An ENDED workflow is refused, and the
// refusal kept for the call's idempotency key.
func (s *Store) LoadFacts(ctx context.Context, call domain.Call, workflowID id.WorkflowID, startedAt time.Time) (calculation.Snapshot, error) {
	r := &Records{q: s.db.Scoped(call.Scope), scope: call.Scope}
	snapshot, w, err := r.snapshot(ctx, workflowID, startedAt)
	if err == nil && w.State == domain.Ended {
		_, err = s.Write(ctx, call, func(*Records) (any, error) { return nil, refusal.Ended(workflowID.String()) })
	}
	if err != nil {
		return calculation.Snapshot{}, err
	}
	return snapshot, nil
}

// snapshotRow is what a calculation depends on, beside its workflow.
type snapshotRow struct {
	WorkflowVersion, BusinessVersion int64
	RuleSet, Model                   uuid.NullUUID
	RuleSetNumber, ModelNumber       *int
	ScoreFacts                       *string
	Currency, TimeZone               string
	EstablishedDate                  *string
	IndustryCategoryCode             []string
	NoPersonsAttested, Erased        bool
	SalesInfo                        uuid.NullUUID
	AmountTypes                      []*string
	Amounts                          []*rational.Decimal
	Persons                          []uuid.UUID
	Citizenships                     []*string
	Ownerships                       []*rational.Decimal
}

// snapshotSQL is a single statement, so that all of it is from one database snapshot.
const snapshotSQL = `
	SELECT ` + workflowColumns + `, w.version AS workflow_version, b.version AS business_version,
	       p.rule_set_id AS rule_set, s.version AS rule_set_number, p.pricing_model_id AS model, m.version AS model_number,
	       a.currency, a.time_zone, w.score_facts,
	       b.established_date::text, b.industry_category_code, b.no_persons_attested, b.erased_at IS NOT NULL AS erased,
	       sales.id AS sales_info, sales.types AS amount_types, sales.amounts, person.ids AS persons, person.citizenships, person.ownerships
	FROM workflow w JOIN account a ON a.id = w.account_id JOIN business b ON b.id = w.business_id JOIN account_policy p ON p.account_id = w.account_id
	LEFT JOIN rule_set s ON s.id = p.rule_set_id LEFT JOIN pricing_model m ON m.id = p.pricing_model_id
	LEFT JOIN LATERAL (
		SELECT i.id, array_agg(v.type ORDER BY v.position) AS types, array_agg((v.value * 100)::bigint ORDER BY v.position) AS amounts
		FROM sales_info i LEFT JOIN sales_amount v ON v.sales_info_id = i.id WHERE i.business_id = b.id GROUP BY i.id) sales ON true
	LEFT JOIN LATERAL (
		SELECT array_agg(o.id ORDER BY o.id) AS ids, array_agg(o.citizenship ORDER BY o.id) AS citizenships,
		       array_agg((o.ownership_percentage * 100)::bigint ORDER BY o.id) AS ownerships
		FROM person o WHERE o.business_id = b.id) person ON true
	WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3`

// snapshot reads a workflow with all inputs of its calculation. An erased business is
// refused.
func (r *Records) snapshot(ctx context.Context, workflowID id.WorkflowID, startedAt time.Time) (calculation.Snapshot, domain.Workflow, error) {
	found, err := find[struct {
		domain.Workflow
		snapshotRow
	}](ctx, r, refusal.EntityWorkflow, workflowID, snapshotSQL)
	if err != nil {
		return calculation.Snapshot{}, domain.Workflow{}, err
	}
	r.of(found.AccountID)
	if found.Erased {
		return calculation.Snapshot{}, found.Workflow, refusal.Erased(id.BusinessID{UUID: found.BusinessID}.String())
	}
	facts, err := found.facts(found.Workflow, startedAt)
	if err != nil {
		return calculation.Snapshot{}, found.Workflow, fmt.Errorf("read the facts of workflow %s: %w", found.WireID(), err)
	}
	return calculation.Snapshot{
		Scope:         r.scope,
		Facts:         facts,
		Versions:      calculation.Versions{Workflow: found.WorkflowVersion, Business: found.BusinessVersion, RuleSet: found.RuleSet, PricingModel: found.Model},
		RuleSet:       versionRef(found.RuleSet, found.RuleSetNumber),
		PricingModel:  versionRef(found.Model, found.ModelNumber),
		ScoreOutdated: found.ScoreFacts != nil && *found.ScoreFacts != facts.Fingerprint(),
	}, found.Workflow, nil
}

func versionRef(u uuid.NullUUID, version *int) *calculation.VersionRef {
	if !u.Valid {
		return nil
	}
	return &calculation.VersionRef{ID: u.UUID, WireID: id.Format(id.RuleSetVersion, u.UUID), Version: *version}
}

func (f snapshotRow) facts(w domain.Workflow, startedAt time.Time) (fact.Facts, error) {
	location, err := domain.Zone(f.TimeZone)
	if err != nil {
		return fact.Facts{}, err
	}
	local := startedAt.In(location)
	facts := fact.Facts{
		AsOf:                 fact.Date{Year: local.Year(), Month: local.Month(), Day: local.Day()},
		WorkflowID:           w.WireID().String(),
		BusinessID:           id.Format(id.Business, w.BusinessID),
		EvaluationScore:      w.EvaluationScore,
		IndustryCategoryCode: f.IndustryCategoryCode,
		NoPersonsAttested:    f.NoPersonsAttested,
		Currency:             f.Currency,
	}
	if f.EstablishedDate != nil {
		date, err := fact.ParseDate(*f.EstablishedDate)
		if err != nil {
			return fact.Facts{}, fmt.Errorf("established date: %w", err)
		}
		facts.EstablishedDate = &date
	}
	if f.SalesInfo.Valid {
		facts.SalesInfoID = id.Format(id.SalesInfo, f.SalesInfo.UUID)
	}
	for i, amountType := range f.AmountTypes {
		if amountType == nil {
			continue // a record without amounts has one row
		}
		value := f.Amounts[i].Exact()
		amount := facts.SalesAmount(*amountType)
		if amount == nil {
			return fact.Facts{}, fmt.Errorf("sales amount of type %s, which is no fact", *amountType)
		}
		*amount = &value
	}
	for i, person := range f.Persons {
		fact := fact.PersonFacts{PersonID: id.Format(id.Person, person), Citizenship: f.Citizenships[i]}
		if owned := f.Ownerships[i]; owned != nil {
			value := owned.Exact()
			fact.OwnershipPercentage = &value
		}
		facts.Persons = append(facts.Persons, fact)
	}
	return facts, nil
}
