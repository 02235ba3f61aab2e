package store

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/event"
)

const workflowColumns = `w.id, w.account_id, w.business_id, w.external_id, w.state, w.custom, w.evaluation_score, w.score_calculated_at,
	w.created_at, w.started_at, w.ended_at, w.updated_at`

// documentsColumns tell how fresh the required documents are, in the statement
// that reads the workflow.
const documentsColumns = `w.documents_calculated_at, CASE
		WHEN w.documents_calculated_at IS NULL THEN NULL
		WHEN w.state = 'ENDED' THEN false
		ELSE (SELECT (w.version, b.version, p.rule_set_id) IS DISTINCT FROM (w.documents_workflow_version, w.documents_business_version, w.documents_rule_set_id)
			FROM business b, account_policy p WHERE b.id = w.business_id AND p.account_id = w.account_id)
	END AS documents_stale`

// CreateWorkflow opens an application for a business of the account, CREATED or
// STARTED.
func (r *Records) CreateWorkflow(ctx context.Context, accountID id.AccountID, businessID id.BusinessID, of domain.NewWorkflow) (domain.Workflow, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return domain.Workflow{}, err
	}
	b, err := r.businessBehind(ctx, shareBusinessSQL, businessID) // it may be being erased
	if err != nil {
		return domain.Workflow{}, err
	}
	if b.AccountID != account.ID {
		return domain.Workflow{}, refusal.NotFound(refusal.EntityBusiness, businessID.String())
	}
	custom, err := r.changeOneCustom(ctx, account.ID, newCustom("workflow.custom", fact.EntityWorkflow, of.Custom))
	if err != nil {
		return domain.Workflow{}, err
	}
	if b.ErasedAt != nil {
		return domain.Workflow{}, refusal.Erased(businessID.String())
	}
	var has int64
	if err := r.q.QueryRow(ctx, `SELECT count(*) FROM workflow WHERE business_id = $1`, b.ID).Scan(&has); err != nil {
		return domain.Workflow{}, fmt.Errorf("count the workflows of a business: %w", err)
	}
	if r.quotas.Workflows > 0 && has >= r.quotas.Workflows {
		return domain.Workflow{}, refusal.Rule(refusal.EntityBusiness, businessID.String(), refusal.WorkflowLimitExceeded, "A business has at most %d workflows.", r.quotas.Workflows)
	}
	if err := r.freeExternalID(ctx, workflowExternalIDs, account.ID, uuid.Nil, of.ExternalID); err != nil {
		return domain.Workflow{}, err
	}
	r.stamp(&b.CreatedAt)
	w := domain.Workflow{ID: r.newID(), AccountID: account.ID, BusinessID: b.ID, ExternalID: of.ExternalID, State: of.State, Custom: custom, CreatedAt: r.at, UpdatedAt: r.at}
	if of.State == domain.Started {
		w.StartedAt = &r.at
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		INSERT INTO workflow (id, account_id, business_id, state, created_at, started_at, updated_at, external_id, custom) VALUES ($1, $2, $3, $4, $5, $6, $5, $7, $8)`,
		w.ID, w.AccountID, w.BusinessID, w.State, r.at, w.StartedAt, w.ExternalID, w.Custom.Text())
	events := []Event{{Type: domain.WorkflowCreated, Fields: event.StateContent{State: domain.Created}}}
	if of.State == domain.Started {
		events = append(events, Event{Type: domain.WorkflowStarted, Fields: event.StateContent{State: domain.Started}})
	}
	return w, r.emit(ctx, batch, subjectOf(w), events...)
}

// UpdateWorkflow changes the declared facts and the external id of a workflow that has not ended.
// Its version and its time count changes of facts only. externalID is nil where the request states
// none.
func (r *Records) UpdateWorkflow(ctx context.Context, wireID id.WorkflowID, externalID **string, change domain.CustomChange) error {
	w, err := r.lockedWorkflow(ctx, wireID)
	if err != nil {
		return err
	}
	custom, err := r.changeOneCustom(ctx, w.AccountID, customOf{"workflow.custom", fact.EntityWorkflow, w.Custom, change})
	if err != nil {
		return err
	}
	if w.State == domain.Ended {
		return refusal.Ended(wireID.String())
	}
	b, err := r.businessBehind(ctx, shareBusinessSQL, id.BusinessID{UUID: w.BusinessID}) // it may be being erased
	if err != nil {
		return err
	}
	if b.ErasedAt != nil {
		return refusal.Erased(b.WireID().String())
	}
	if externalID != nil {
		if err := r.changeExternalID(ctx, workflowExternalIDs, w.AccountID, w.ID, w.ExternalID, *externalID); err != nil {
			return err
		}
	}
	if reflect.DeepEqual(w.Custom, custom) {
		return nil
	}
	if _, err := r.q.Exec(ctx, `UPDATE workflow SET custom = $2, version = version + 1, updated_at = $3 WHERE id = $1`, w.ID, custom.Text(), r.at); err != nil {
		return fmt.Errorf("update a workflow: %w", err)
	}
	return nil
}

// Workflow finds a workflow.
func (r *Records) Workflow(ctx context.Context, wireID id.WorkflowID) (domain.Workflow, error) {
	return aWorkflow[domain.Workflow](ctx, r, wireID, workflowColumns, ``)
}

// WorkflowWithDocuments finds a workflow, with the state and the counts of its required
// documents.
func (r *Records) WorkflowWithDocuments(ctx context.Context, wireID id.WorkflowID) (domain.WorkflowWithDocuments, error) {
	return aWorkflow[domain.WorkflowWithDocuments](ctx, r, wireID, workflowColumns+`, `+documentsColumns+`,
		(SELECT count(*) FROM required_document d WHERE d.workflow_id = w.id AND d.status = 'PENDING') AS pending,
		(SELECT count(*) FROM required_document d WHERE d.workflow_id = w.id AND d.status = 'NEEDS_REVIEW') AS needs_review,
		(SELECT count(*) FROM required_document d WHERE d.workflow_id = w.id AND d.status = 'COMPLETED') AS completed,
		(SELECT count(*) FROM required_document d WHERE d.workflow_id = w.id AND d.status = 'INACTIVE') AS inactive`, ``)
}

func aWorkflow[T interface{ Account() uuid.UUID }](ctx context.Context, r *Records, wireID id.WorkflowID, columns, locking string) (T, error) {
	w, err := find[T](ctx, r, refusal.EntityWorkflow, wireID, `
		SELECT `+columns+` FROM workflow w JOIN account a ON a.id = w.account_id
		WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3 `+locking)
	if err == nil {
		r.noteAccount(w.Account())
	}
	return w, err
}

// lockedWorkflow locks a workflow until the transaction ends, reads it, and takes the
// time of the change.
func (r *Records) lockedWorkflow(ctx context.Context, wireID id.WorkflowID) (domain.Workflow, error) {
	w, err := aWorkflow[domain.Workflow](ctx, r, wireID, workflowColumns, `FOR NO KEY UPDATE OF w`)
	r.stamp(&w.UpdatedAt)
	return w, err
}

// StartWorkflow moves a CREATED workflow to STARTED.
func (r *Records) StartWorkflow(ctx context.Context, wireID id.WorkflowID) error {
	w, err := r.lockedWorkflow(ctx, wireID)
	if err != nil {
		return err
	}
	switch w.State {
	case domain.Ended:
		return refusal.Ended(wireID.String())
	case domain.Started:
		return refusal.Rule(refusal.EntityWorkflow, wireID.String(), refusal.WorkflowAlreadyStarted, "The workflow has been started already.")
	}
	batch := &pgx.Batch{}
	batch.Queue(`UPDATE workflow SET state = 'STARTED', started_at = $2, updated_at = $2 WHERE id = $1`, w.ID, r.at)
	return r.emit(ctx, batch, subjectOf(w), Event{Type: domain.WorkflowStarted, Fields: event.StateContent{State: domain.Started}})
}

// CompleteWorkflow moves a STARTED workflow to ENDED.
func (r *Records) CompleteWorkflow(ctx context.Context, wireID id.WorkflowID) error {
	w, err := r.lockedWorkflow(ctx, wireID)
	if err != nil {
		return err
	}
	switch w.State {
	case domain.Ended:
		return refusal.Ended(wireID.String())
	case domain.Created:
		return refusal.Rule(refusal.EntityWorkflow, wireID.String(), refusal.WorkflowNotStarted, "The workflow has not been started yet; call workflow.start first.")
	}
	batch := &pgx.Batch{}
	batch.Queue(`UPDATE workflow SET state = 'ENDED', ended_at = $2, updated_at = $2 WHERE id = $1`, w.ID, r.at)
	return r.emit(ctx, batch, subjectOf(w), Event{Type: domain.WorkflowCompleted, Fields: event.StateContent{State: domain.Ended}})
}

// Workflows lists an account's workflows; the string is the After of the next
// page, empty on the last one.
func (r *Records) Workflows(ctx context.Context, accountID id.AccountID, f domain.WorkflowFilter, p domain.Page) ([]domain.WorkflowOnRecord, string, error) {
	account, err := r.Account(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := after(p, id.Workflow)
	if err != nil {
		return nil, "", err
	}
	var match conditions
	match.add(`w.account_id = %s AND w.id < %s`, account.ID, after)
	if !f.BusinessID.IsZero() {
		b, err := r.Business(ctx, f.BusinessID)
		if err != nil {
			return nil, "", err
		}
		if b.AccountID != account.ID {
			return nil, "", refusal.NotFound(refusal.EntityBusiness, f.BusinessID.String())
		}
		match.add(`w.business_id = %s`, b.ID)
	}
	if f.State != "" {
		match.add(`w.state = %s`, f.State)
	}
	if f.ExternalID != "" {
		match.add(`w.external_id = %s`, f.ExternalID)
	}
	found, err := db.Many[domain.WorkflowOnRecord](ctx, r.q, `
		SELECT `+workflowColumns+`, `+documentsColumns+` FROM workflow w WHERE `+strings.Join(match.sql, ` AND `)+` ORDER BY w.id DESC LIMIT `+strconv.Itoa(p.Limit+1), match.args...)
	if err != nil {
		return nil, "", fmt.Errorf("list workflows: %w", err)
	}
	found, next := cut(found, p)
	return found, next, nil
}
