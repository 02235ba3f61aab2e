package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"requisite/internal/refusal"
	"requisite/internal/requirement"
)

// Preview is what a calculation would do now. With gaps it would do nothing.
type Preview struct {
	Changes requirement.Changes
	Gaps    []requirement.Gap
}

// Preview evaluates a workflow's facts as they stand at one moment and compares
// the result with the documents on record. It writes nothing. versionID is
// given as the rule set version of new reasons; nil takes the one in force.
func (s *Store) Preview(ctx context.Context, scope Scope, workflowID string, versionID *string, evaluate func(context.Context, Snapshot) (requirement.Result, error)) (Preview, error) {
	var preview Preview
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		r := &Records{q: tx, scope: scope, at: s.clock()}
		w, err := r.Workflow(ctx, workflowID)
		if err != nil {
			return err
		}
		if w.State == Ended {
			return refusal.Ended(workflowID)
		}
		snapshot, err := r.snapshot(ctx, w, r.at)
		if err != nil {
			return err
		}
		found, err := evaluate(ctx, snapshot)
		if err != nil || len(found.Gaps) > 0 {
			preview.Gaps = found.Gaps
			return err
		}
		existing, err := r.documents(ctx, w.ID)
		if err != nil {
			return err
		}
		version := ""
		switch {
		case versionID != nil:
			version = *versionID
		case snapshot.RuleSet != nil:
			version = snapshot.RuleSet.WireID
		}
		preview.Changes = requirement.Recalculate(existing, found.Required, version, func() string { return "" })
		return nil
	})
	return preview, err
}
