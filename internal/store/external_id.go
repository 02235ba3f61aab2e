package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/store/db"
)

// externalIDs says within which parent the external ids of one kind of record are unique.
type externalIDs struct {
	table, parent string // parent is the column within which they are unique
	entity, of    string
	prefix        id.Prefix
}

var (
	businessExternalIDs = externalIDs{"business", "account_id", refusal.EntityBusiness, "business of this account", id.Business}
	personExternalIDs   = externalIDs{"person", "business_id", refusal.EntityPerson, "person of this business", id.Person}
	workflowExternalIDs = externalIDs{"workflow", "account_id", refusal.EntityWorkflow, "workflow of this account", id.Workflow}
)

// freeExternalIDs refuses external ids that a record other than own has; nil means none.
// Transactions that write the same external id wait for each other, so that they never violate the
// unique index. Postgres would log the external id of a violation, and the id may be personal.
func (r *unit) freeExternalIDs(ctx context.Context, in externalIDs, parent, own id.UUID, wanted ...*string) error {
	place := map[string]int{}
	for i, externalID := range wanted {
		if externalID != nil {
			place[*externalID] = i
		}
	}
	if len(place) == 0 {
		return nil
	}
	sorted := slices.Sorted(maps.Keys(place)) // in the order of locks
	type other struct {
		ID         id.UUID
		ExternalID string
	}
	var others []other
	batch := &pgx.Batch{}
	batch.Queue(`SELECT pg_advisory_xact_lock(hashtextextended('external_id/' || $1 || '/' || $2::text || '/' || e, 0)) FROM unnest($3::text[]) e`,
		in.table, parent, sorted)
	batch.Queue(`SELECT id, external_id FROM `+in.table+` WHERE `+in.parent+` = $1 AND external_id = ANY ($2) AND id <> $3 ORDER BY id`, parent, sorted, own).
		Query(db.Each(pgx.RowToStructByName[other], func(found other) { others = append(others, found) }))
	if err := db.SendAll(ctx, r.q, batch); err != nil {
		return fmt.Errorf("look for an external id: %w", err)
	}
	if len(others) == 0 {
		return nil
	}
	of := "this external_id"
	if len(wanted) > 1 {
		of = "the external_id of " + PersonPath(place[others[0].ExternalID])
	}
	return refusal.Rule(in.entity, id.Format(in.prefix, others[0].ID), refusal.ExternalIDExists, "Another %s has %s.", in.of, of)
}

// changeExternalID changes or removes the external id of a locked record.
func (r *unit) changeExternalID(ctx context.Context, in externalIDs, parent, own id.UUID, before, after *string) error {
	if before == after || before != nil && after != nil && *before == *after {
		return nil
	}
	if err := r.freeExternalIDs(ctx, in, parent, own, after); err != nil {
		return err
	}
	if _, err := r.q.Exec(ctx, `UPDATE `+in.table+` SET external_id = $2 WHERE id = $1`, own, after); err != nil {
		return fmt.Errorf("change an external id: %w", err)
	}
	return nil
}
