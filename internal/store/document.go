package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/requirement"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/event"
)

func refs(documents []requirement.Document) []calculation.DocumentRef {
	list := make([]calculation.DocumentRef, len(documents))
	for i, d := range documents {
		list[i] = calculation.DocumentRef{RequiredDocumentID: d.ID, DocumentTypeCode: d.DocumentTypeCode, EntityType: d.EntityType, EntityID: d.EntityID, Status: d.Status}
	}
	return list
}

// documentRow is a document as it is stored.
type documentRow struct {
	ID               uuid.UUID
	DocumentTypeCode string
	Name             string
	Category         string
	RequirementText  string
	EntityType       string
	EntityID         string
	Status           requirement.Status
	PreviousStatus   *requirement.Status
	Reasons          json.RawMessage
	DecisionID       uuid.UUID
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

const documentColumns = `d.id, d.document_type_code, d.name, d.category, d.requirement_text, d.entity_type, d.entity_id,
	d.status, d.previous_status, d.reasons, d.decision_id, d.created_at, d.updated_at`

func (d documentRow) document() (calculation.RequiredDocument, error) {
	document := calculation.RequiredDocument{
		Document: requirement.Document{
			ID:               id.Format(id.RequiredDocument, d.ID),
			DocumentTypeCode: d.DocumentTypeCode,
			Name:             d.Name,
			Category:         d.Category,
			RequirementText:  d.RequirementText,
			EntityType:       d.EntityType,
			EntityID:         d.EntityID,
			Status:           d.Status,
		},
		DecisionID: id.DecisionID{UUID: d.DecisionID},
		CreatedAt:  d.CreatedAt,
		UpdatedAt:  d.UpdatedAt,
	}
	if d.PreviousStatus != nil {
		document.PreviousStatus = *d.PreviousStatus
	}
	if err := json.Unmarshal(d.Reasons, &document.Reasons); err != nil {
		return calculation.RequiredDocument{}, fmt.Errorf("reasons of document %s: %w", document.ID, err)
	}
	return document, nil
}

// documents returns the documents of a workflow, and when one of them was last changed.
func (r *Records) documents(ctx context.Context, workflow uuid.UUID) (documents []requirement.Document, updatedAt *time.Time, err error) {
	rows, err := db.Many[documentRow](ctx, r.q, `SELECT `+documentColumns+` FROM required_document d WHERE d.workflow_id = $1 ORDER BY d.id`, workflow)
	if err != nil {
		return nil, nil, fmt.Errorf("read required documents: %w", err)
	}
	documents = make([]requirement.Document, len(rows))
	for i, row := range rows {
		found, err := row.document()
		if err != nil {
			return nil, nil, err
		}
		documents[i] = found.Document
		if updatedAt == nil || row.UpdatedAt.After(*updatedAt) {
			updatedAt = &row.UpdatedAt
		}
	}
	return documents, updatedAt, nil
}

// RequiredDocuments lists a workflow's documents in the order in which they
// were first required, INACTIVE ones too unless filtered. Without a page it lists
// all. The string is the After of the next page, empty on the last one.
func (r *Records) RequiredDocuments(ctx context.Context, workflowID id.WorkflowID, f calculation.DocumentFilter, p *domain.Page) ([]calculation.RequiredDocument, string, error) {
	var begin uuid.UUID // the oldest comes first
	var limit *int      // none
	if p != nil {
		var err error
		if begin, err = afterFrom(*p, id.RequiredDocument, uuid.Nil); err != nil {
			return nil, "", err
		}
		limit = new(p.Limit + 1)
	}
	w, err := r.Workflow(ctx, workflowID)
	if err != nil {
		return nil, "", err
	}
	rows, err := db.Many[documentRow](ctx, r.q, `
		SELECT `+documentColumns+` FROM required_document d
		WHERE d.workflow_id = $1 AND ($2 = '' OR d.status = $2) AND ($5 = '' OR d.entity_type = $5) AND ($6 = '' OR d.entity_id = $6)
			AND d.id > $3 ORDER BY d.id LIMIT $4`, w.ID, f.Status, begin, limit, f.EntityType, f.EntityID)
	if err != nil {
		return nil, "", fmt.Errorf("list required documents: %w", err)
	}
	next := ""
	if p != nil && len(rows) > p.Limit {
		rows = rows[:p.Limit]
		next = id.Format(id.RequiredDocument, rows[p.Limit-1].ID)
	}
	documents := make([]calculation.RequiredDocument, len(rows))
	for i, row := range rows {
		if documents[i], err = row.document(); err != nil {
			return nil, "", err
		}
	}
	return documents, next, nil
}

// RequiredDocument finds a document.
func (r *Records) RequiredDocument(ctx context.Context, wireID id.RequiredDocumentID) (calculation.RequiredDocument, error) {
	found, err := find[struct {
		documentRow
		AccountID uuid.UUID
	}](ctx, r, refusal.EntityRequiredDocument, wireID, `
		SELECT `+documentColumns+`, w.account_id FROM required_document d JOIN workflow w ON w.id = d.workflow_id JOIN account a ON a.id = w.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return calculation.RequiredDocument{}, err
	}
	r.noteAccount(found.AccountID)
	return found.document()
}

// UpdateDocumentStatus moves a document to another status, by the table of
// requirement.StatusChange, and records the decision. The workflow is locked: a calculation at
// the same time either sees the new status or comes first.
func (r *Records) UpdateDocumentStatus(ctx context.Context, wireID id.RequiredDocumentID, status requirement.Status) (refusal.Decision, error) {
	type owner struct{ WorkflowID uuid.UUID }
	found, err := find[owner](ctx, r, refusal.EntityRequiredDocument, wireID, `
		SELECT d.workflow_id FROM required_document d JOIN workflow w ON w.id = d.workflow_id JOIN account a ON a.id = w.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return refusal.Decision{}, err
	}
	file, err := r.lockedOnFile(ctx, id.WorkflowID{UUID: found.WorkflowID})
	if err != nil {
		return refusal.Decision{}, err
	}
	row, _, err := db.One[documentRow](ctx, r.q, `SELECT `+documentColumns+` FROM required_document d WHERE d.id = $1`, wireID.UUID)
	if err != nil {
		return refusal.Decision{}, fmt.Errorf("read a required document: %w", err)
	}
	locked := r.at
	r.stamp(&locked, &row.UpdatedAt)
	if err := requirement.StatusChange(row.Status, status); err != nil {
		return refusal.Decision{}, refusal.Rule(refusal.EntityRequiredDocument, wireID.String(), refusal.InvalidStatusChange, "%s", sentence(err))
	}
	move := calculation.DocumentMove{RequiredDocumentID: wireID, DocumentTypeCode: row.DocumentTypeCode, Status: status, PreviousStatus: row.Status}
	batch := &pgx.Batch{}
	ref, err := r.record(ctx, batch, file, verdict{Content: decision.Content{
		Kind: decision.DocumentStatus, Outcome: decision.Updated, Changes: decision.Changes{Document: &move},
	}})
	if err != nil {
		return refusal.Decision{}, err
	}
	batch.Queue(`UPDATE required_document SET status = $2, updated_at = $3, decision_id = $4 WHERE id = $1`, wireID.UUID, status, r.at, ref.DecisionID.UUID)
	return ref, r.emit(ctx, batch, subjectOf(file.Workflow), Event{Type: domain.RequiredDocumentUpdated, Fields: event.DocumentContent{DocumentMove: move, Decision: ref}})
}

// apply queues the changes of a recalculation, which a decision made. Documents that were kept are
// written only where their content changed.
func (r *Records) apply(batch *pgx.Batch, w domain.Workflow, c requirement.Changes, by id.DecisionID) error {
	for _, d := range c.Added {
		if err := queueDocument(batch, `
			INSERT INTO required_document (id, name, category, requirement_text, status, previous_status, reasons, updated_at, decision_id,
			                               workflow_id, document_type_code, entity_type, entity_id, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $8)`,
			d, r.at, by.UUID, w.ID, d.DocumentTypeCode, d.EntityType, d.EntityID); err != nil {
			return err
		}
	}
	for _, list := range [][]requirement.Document{c.Refreshed, c.Restored, c.Removed} {
		for _, d := range list {
			if err := queueDocument(batch, `
				UPDATE required_document SET name = $2, category = $3, requirement_text = $4, status = $5, previous_status = $6, reasons = $7,
				       updated_at = $8, decision_id = $9
				WHERE id = $1`, d, r.at, by.UUID); err != nil {
				return err
			}
		}
	}
	return nil
}

func queueDocument(batch *pgx.Batch, sql string, d requirement.Document, more ...any) error {
	u, err := id.Parse(id.RequiredDocument, d.ID)
	if err != nil {
		return fmt.Errorf("document %s: %w", d.ID, err)
	}
	reasons, err := json.Marshal(d.Reasons)
	if err != nil {
		return fmt.Errorf("encode the reasons of document %s: %w", d.ID, err)
	}
	var previous *requirement.Status
	if d.PreviousStatus != "" {
		previous = &d.PreviousStatus
	}
	batch.Queue(sql, append([]any{u, d.Name, d.Category, d.RequirementText, d.Status, previous, reasons}, more...)...)
	return nil
}

// sentence turns an error's text into a message.
func sentence(err error) string {
	text := strings.TrimSuffix(err.Error(), ".")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
