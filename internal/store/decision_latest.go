package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"requisite/internal/decision"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
)

// LatestCalculation is the last calculation of a workflow that decided something.
type LatestCalculation struct {
	WorkflowID id.WorkflowID
	ExternalID *string
	DecisionID id.DecisionID
	AsOf       fact.Date
	// Facts is the JSON of decision.Facts. It is empty after an erasure.
	Facts string
	// Approved lists the workflow's documents that are completed or waived now. For an ended
	// workflow it is empty: no calculation reopens its documents.
	Approved []calculation.ApprovedDocument
}

// latestBatch is how many calculations one statement reads. The facts of one may have 200 persons.
const latestBatch = 200

// The query does not read the reasons: they may be much larger than the facts.
const latestCalculationsSQL = `
	SELECT w.id AS workflow_id, w.external_id, d.id AS decision_id, to_char(d.as_of, 'YYYY-MM-DD') AS as_of, coalesce(d.personal::json ->> 'facts', '') AS facts,
		coalesce((
			SELECT json_agg(json_build_object(
				'document_type_code', r.document_type_code,
				'entity_type', r.entity_type,
				'entity_id', r.entity_id))::text
			FROM required_document r
			WHERE w.state <> 'ENDED'
				AND cardinality($5::text[]) > 0
				AND r.workflow_id = w.id
				AND r.status IN ('COMPLETED', 'WAIVED')
				AND r.document_type_code = ANY($5)), '[]') AS approved
	FROM workflow w CROSS JOIN LATERAL (
		SELECT d.id, d.as_of, d.personal FROM decision d
		WHERE d.workflow_id = w.id AND d.kind = 'CALCULATION' AND d.decided_at >= $2 ORDER BY d.number DESC LIMIT 1) d
	WHERE w.account_id = $1 AND w.id > $3 AND w.decided_at >= $2 ORDER BY w.id LIMIT $4`

// EachLatestCalculation passes, in batches, the last calculation since a time of each workflow of
// an account, in the order of the workflows' creation. A batch is one statement, so that vacuum is
// not held back. Approved has only documents with the given codes. It is for operators.
func (s AllDecisions) EachLatestCalculation(
	ctx context.Context,
	accountID id.AccountID, since time.Time, codes []string,
	see func([]LatestCalculation) error,
) error {
	type row struct {
		WorkflowID, DecisionID id.UUID
		ExternalID             *string
		AsOf, Facts, Approved  string
	}
	var last id.UUID
	for {
		rows, err := db.Many[row](ctx, s.db.Pool, latestCalculationsSQL, accountID.UUID, since, last, latestBatch, append([]string{}, codes...))
		if err != nil {
			return fmt.Errorf("read the last calculations: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		found := make([]LatestCalculation, len(rows))
		for i, row := range rows {
			found[i] = LatestCalculation{
				WorkflowID: id.WorkflowID{UUID: row.WorkflowID},
				ExternalID: row.ExternalID,
				DecisionID: id.DecisionID{UUID: row.DecisionID},
				Facts:      row.Facts,
			}
			if found[i].AsOf, err = fact.ParseDate(row.AsOf); err != nil {
				return fmt.Errorf("the date of decision %s: %w", found[i].DecisionID, err)
			}
			if err := json.Unmarshal([]byte(row.Approved), &found[i].Approved); err != nil {
				return fmt.Errorf("the approved documents of workflow %s: %w", found[i].WorkflowID, err)
			}
			last = row.WorkflowID
		}
		if err := see(found); err != nil {
			return err
		}
		if len(rows) < latestBatch {
			return nil
		}
	}
}

// CountDecidedSince counts the workflows of an account with a decision since a time. It is for
// operators.
func (s AllDecisions) CountDecidedSince(ctx context.Context, accountID id.AccountID, since time.Time) (int, error) {
	var n int
	err := s.db.Pool.QueryRow(ctx, `SELECT count(*) FROM workflow w WHERE w.account_id = $1 AND w.decided_at >= $2`, accountID.UUID, since).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count the workflows with decisions: %w", err)
	}
	return n, nil
}

// NotCalculated is a workflow that has not ended and whose last calculation failed.
type NotCalculated struct {
	WorkflowID id.WorkflowID
	ExternalID *string
	DecisionID id.DecisionID
	Outcome    string // the code of the refusal
	AsOf       fact.Date
	// Gaps are the missing facts. Gaps and Error are nil after an erasure.
	Gaps []fact.Gap
	// Error is why a rule had no result.
	Error *decision.RuleError
}

// EachNotCalculated passes, in batches, the workflows of an account that have not ended and whose
// last calculation had gaps or could not be evaluated, in the order of their creation. It is for
// operators.
func (s AllDecisions) EachNotCalculated(ctx context.Context, accountID id.AccountID, see func([]NotCalculated) error) error {
	type row struct {
		WorkflowID, DecisionID id.UUID
		ExternalID             *string
		Outcome, AsOf          string
		Gaps, Error            *string
	}
	var last id.UUID
	for {
		rows, err := db.Many[row](ctx, s.db.Pool, `
			SELECT w.id AS workflow_id, w.external_id, d.id AS decision_id, d.outcome, to_char(d.as_of, 'YYYY-MM-DD') AS as_of,
				(d.personal::json -> 'gaps')::text AS gaps, (d.personal::json -> 'error')::text AS error
			FROM workflow w CROSS JOIN LATERAL (
				SELECT d.id, d.outcome, d.as_of, d.personal FROM decision d WHERE d.workflow_id = w.id AND d.kind = 'CALCULATION' ORDER BY d.number DESC LIMIT 1) d
			WHERE w.account_id = $1 AND w.id > $2 AND w.state <> 'ENDED' AND d.outcome <> 'CALCULATED' ORDER BY w.id LIMIT $3`, accountID.UUID, last, latestBatch)
		if err != nil {
			return fmt.Errorf("read the calculations that found nothing: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		found := make([]NotCalculated, len(rows))
		for i, row := range rows {
			last = row.WorkflowID
			found[i] = NotCalculated{
				WorkflowID: id.WorkflowID{UUID: row.WorkflowID},
				ExternalID: row.ExternalID,
				DecisionID: id.DecisionID{UUID: row.DecisionID},
				Outcome:    row.Outcome,
			}
			if found[i].AsOf, err = fact.ParseDate(row.AsOf); err != nil {
				return fmt.Errorf("the date of decision %s: %w", found[i].DecisionID, err)
			}
			for text, to := range map[*string]any{row.Gaps: &found[i].Gaps, row.Error: &found[i].Error} {
				if text == nil {
					continue
				}
				if err := json.Unmarshal([]byte(*text), to); err != nil {
					return fmt.Errorf("the facts of decision %s: %w", found[i].DecisionID, err)
				}
			}
		}
		if err := see(found); err != nil {
			return err
		}
		if len(rows) < latestBatch {
			return nil
		}
	}
}
