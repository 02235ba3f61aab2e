package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
)

// externalIDs says where the external ids of one kind of record are unique.
type externalIDs struct {
	table, parent string // parent is the column of what they are unique in
	entity, of    string
	prefix        id.Prefix
}

var (
	businessExternalIDs = externalIDs{"business", "account_id", refusal.EntityBusiness, "business of this account", id.Business}
	personExternalIDs   = externalIDs{"person", "business_id", refusal.EntityPerson, "person of this business", id.Person}
	workflowExternalIDs = externalIDs{"workflow", "account_id", refusal.EntityWorkflow, "workflow of this account", id.Workflow}
)

// freeExternalID refuses an external id that another record than own has. Transactions
// that write the same one wait for each other, so that the unique index has nothing to
// object to: Postgres would write the external id into its log, and it may be personal.
func (r *Records) freeExternalID(ctx context.Context, in externalIDs, parent, own uuid.UUID, externalID *string) error {
	if externalID == nil {
		return nil
	}
	var others []uuid.UUID
	batch := &pgx.Batch{}
	batch.Queue(`SELECT pg_advisory_xact_lock(hashtextextended('external_id/' || $1 || '/' || $2::text || '/' || $3, 0))`, in.table, parent, *externalID)
	batch.Queue(`SELECT id FROM `+in.table+` WHERE `+in.parent+` = $1 AND external_id = $2 AND id <> $3`, parent, *externalID, own).
		Query(db.Each(pgx.RowTo[uuid.UUID], func(u uuid.UUID) { others = append(others, u) }))
	if err := db.SendAll(ctx, r.q, batch); err != nil {
		return fmt.Errorf("look for an external id: %w", err)
	}
	if len(others) > 0 {
		return refusal.Rule(in.entity, id.Format(in.prefix, others[0]), refusal.ExternalIDExists, "Another %s has this external_id.", in.of)
	}
	return nil
}

// changeExternalID gives a record that is locked another external id, or none.
func (r *Records) changeExternalID(ctx context.Context, in externalIDs, parent, own uuid.UUID, before, after *string) error {
	if before == after || before != nil && after != nil && *before == *after {
		return nil
	}
	if err := r.freeExternalID(ctx, in, parent, own, after); err != nil {
		return err
	}
	if _, err := r.q.Exec(ctx, `UPDATE `+in.table+` SET external_id = $2 WHERE id = $1`, own, after); err != nil {
		return fmt.Errorf("change an external id: %w", err)
	}
	return nil
}
