package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/document"
	"requisite/internal/rules/fact"
	"requisite/internal/rules/requirement"
	"requisite/internal/store/db"
	"requisite/internal/webhooks/event"
)

// Documents reads and writes the required documents of workflows.
type Documents struct{ *unit }

func (u *unit) documents() Documents { return Documents{u} }

func refs(documents []document.Document) []calculation.DocumentRef {
	list := make([]calculation.DocumentRef, len(documents))
	for i, d := range documents {
		ref := calculation.NamedDocument{
			RequiredDocumentID: d.ID, DocumentTypeCode: d.DocumentTypeCode,
			EntityType: d.EntityType, EntityID: d.EntityID,
			Status: d.Status,
		}
		list[i] = calculation.DocumentRef{NamedDocument: ref, StatusCause: d.Cause()}
	}
	return list
}

func carriedRefs(documents []document.Document) []calculation.CarriedRef {
	list := make([]calculation.CarriedRef, len(documents))
	for i, ref := range refs(documents) {
		list[i] = calculation.CarriedRef{DocumentRef: ref, FromDecisionID: documents[i].Approval.DecisionID}
	}
	return list
}

// documentRow is a document as it is stored.
type documentRow struct {
	ID               id.UUID
	WorkflowID       id.UUID
	DocumentTypeCode string
	Name             string
	Category         string
	RequirementText  string
	EntityType       string
	EntityID         string
	Terms            *requirement.Terms
	Published        []requirement.DocumentOption
	Status           document.Status
	PreviousStatus   *document.Status
	StatusReason     *document.StatusReason
	Origin           document.Origin
	Own              *document.ManualText
	Reasons          []document.DocumentReason
	Version          *int
	Identity         *requirement.Identity
	Bound            map[string]string
	Approval         *document.Approval
	Evidence         []document.Evidence
	ReviewedBy       *string
	ReviewNote       *string
	DueSince         string
	DueOn            *string
	Notified         document.Notified
	DecisionID       id.UUID
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

const documentColumns = `d.id, d.workflow_id, d.document_type_code, d.name, d.category, d.requirement_text, d.entity_type, d.entity_id, d.terms, d.published,
	d.status, d.previous_status, d.status_reason, d.origin, d.own, d.reasons, d.version, d.identity, d.bound, d.approval, d.evidence, d.reviewed_by, d.review_note,
	to_char(d.due_since, 'YYYY-MM-DD') AS due_since, to_char(d.due_on, 'YYYY-MM-DD') AS due_on, d.notified, d.decision_id, d.created_at, d.updated_at`

func (d documentRow) document() (document.Document, error) {
	found := document.Document{
		ID: id.Format(id.RequiredDocument, d.ID), DocumentTypeCode: d.DocumentTypeCode, Name: d.Name, Category: d.Category, RequirementText: d.RequirementText,
		EntityType: d.EntityType, EntityID: d.EntityID, Terms: db.OrZero(d.Terms), Published: d.Published, Status: d.Status, PreviousStatus: db.OrZero(d.PreviousStatus),
		StatusReason: db.OrZero(d.StatusReason),
		Origin:       d.Origin, Own: d.Own, Reasons: d.Reasons,
		Version: db.OrZero(d.Version), Identity: db.OrZero(d.Identity), Bound: d.Bound, Approval: d.Approval,
		Evidence: d.Evidence, ReviewedBy: db.OrZero(d.ReviewedBy), ReviewNote: db.OrZero(d.ReviewNote), Notified: d.Notified,
	}
	var err error
	if found.DueSince, err = fact.ParseDate(d.DueSince); err == nil && d.DueOn != nil {
		found.DueOn, err = fact.ParseDate(*d.DueOn)
	}
	if err != nil {
		return document.Document{}, fmt.Errorf("dates of document %s: %w", found.ID, err)
	}
	return found, nil
}

// documentOfAccount is a document with its account. The account's local date decides what is
// overdue.
type documentOfAccount struct {
	documentRow
	AccountID id.UUID
	TimeZone  string
}

// shown is the document as callers see it at a time.
func (d documentOfAccount) shown(at time.Time) (calculation.RequiredDocument, error) {
	today, err := localDate(at, d.TimeZone)
	if err != nil {
		return calculation.RequiredDocument{}, err
	}
	document, err := d.document()
	return calculation.RequiredDocument{
		Document: document, Overdue: document.Overdue(today), DecisionID: id.DecisionID{UUID: d.DecisionID}, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}, err
}

// Conditions on document d of workflow w on a date.

// openDocumentSQL holds if somebody has to act.
func openDocumentSQL(date string) string {
	return `(d.status IN ('PENDING', 'NEEDS_REVIEW') OR ` + lapsedSQL(date) + `)`
}

// lapsedSQL holds if the document is COMPLETED by an approval that has lapsed, as Document.Lapsed
// defines it. It counts as PENDING even before the deadlines are applied.
func lapsedSQL(date string) string { return `(d.valid_until < ` + date + ` AND ` + openSQL + `)` }

// overdueSQL is Document.Overdue.
func overdueSQL(date string) string { return `(d.status = 'PENDING' AND d.due_on < ` + date + `)` }

// of returns the documents of a workflow, and when the last of them changed.
func (r Documents) of(ctx context.Context, workflow id.UUID) (documents []document.Document, updatedAt *time.Time, err error) {
	rows, err := db.Many[documentRow](ctx, r.q, `SELECT `+documentColumns+` FROM required_document d WHERE d.workflow_id = $1 ORDER BY d.id`, workflow)
	if err != nil {
		return nil, nil, fmt.Errorf("read required documents: %w", err)
	}
	for _, row := range rows {
		found, err := row.document()
		if err != nil {
			return nil, nil, err
		}
		if updatedAt == nil || row.UpdatedAt.After(*updatedAt) {
			updatedAt = &row.UpdatedAt
		}
		documents = append(documents, found)
	}
	return documents, updatedAt, nil
}

// withEarlier adds the documents of the workflow whose approvals the next calculation takes over.
// It reads them in a separate statement. Row-level security makes a statement about two workflows
// cost a third of the whole save, and few workflows have an earlier one.
func (r Documents) withEarlier(ctx context.Context, file storedApplication) (documents, earlier []document.Document, updatedAt *time.Time, err error) {
	documents, updatedAt, err = r.of(ctx, file.ID)
	if before := file.earlier(); err == nil && before.Valid {
		earlier, _, err = r.of(ctx, before.UUID)
	}
	return documents, earlier, updatedAt, err
}

// List lists a workflow's documents in the order in which they were first required, also INACTIVE
// ones unless filtered. Without a page it lists all. The string is the After of the next page. It
// is empty on the last page.
func (r Documents) List(
	ctx context.Context, workflowID id.WorkflowID,
	f calculation.DocumentFilter, p *domain.Page,
) ([]calculation.RequiredDocument, string, error) {
	var begin id.UUID // the list begins with the oldest
	var limit *int    // no limit
	if p != nil {
		var err error
		if begin, err = afterFrom(*p, id.RequiredDocument, id.Nil); err != nil {
			return nil, "", err
		}
		limit = new(p.Limit + 1)
	}
	w, err := r.workflows().Get(ctx, workflowID)
	if err != nil {
		return nil, "", err
	}
	rows, err := db.Many[documentOfAccount](ctx, r.q, `
		SELECT `+documentColumns+`, w.account_id, a.time_zone FROM required_document d JOIN workflow w ON w.id = d.workflow_id JOIN account a ON a.id = w.account_id
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
		if documents[i], err = row.shown(r.at); err != nil {
			return nil, "", err
		}
	}
	return documents, next, nil
}

// Get finds a document.
func (r Documents) Get(ctx context.Context, wireID id.RequiredDocumentID) (calculation.RequiredDocument, error) {
	found, err := find[documentOfAccount](ctx, r.unit, refusal.EntityRequiredDocument, wireID, `
		SELECT `+documentColumns+`, w.account_id, a.time_zone FROM required_document d JOIN workflow w ON w.id = d.workflow_id JOIN account a ON a.id = w.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return calculation.RequiredDocument{}, err
	}
	r.noteAccount(found.AccountID)
	return found.shown(r.at)
}

// Update applies a reviewer's change, and records the decision. expected is the decision that last
// changed the document, as the reviewer has read it. Zero skips that check.
func (r Documents) Update(ctx context.Context, wireID id.RequiredDocumentID, review document.Review, expected id.DecisionID) (refusal.DecisionRef, error) {
	return r.move(ctx, wireID, expected, decision.Updated, func(d document.Document, today fact.Date) (document.Document, decision.Statement, error) {
		if problems := d.Misstated(review.Evidence, today); len(problems) > 0 {
			return d, decision.Statement{}, refusal.Fields(evidenceFields(problems)...)
		}
		after, err := d.Update(review, today)
		return after, decision.Statement{ReviewedBy: after.ReviewedBy, Note: after.ReviewNote, Evidence: after.Evidence}, err
	})
}

// Waive waives a document, and records the decision.
func (r Documents) Waive(ctx context.Context, wireID id.RequiredDocumentID, reason string, expected id.DecisionID) (refusal.DecisionRef, error) {
	return r.move(ctx, wireID, expected, decision.Waived, func(d document.Document, today fact.Date) (document.Document, decision.Statement, error) {
		after, err := d.Waive(today)
		return after, decision.Statement{Reason: reason, Evidence: after.Evidence}, err
	})
}

// identity returns who a stored entity is. A person may have been deleted.
func (r Documents) identity(file storedApplication, of requirement.Entity) (requirement.Identity, error) {
	identity, there := file.recorded(r.scope.Environment).Identities()[of]
	if !there {
		return identity, refusal.NotFound(of.Type, of.ID)
	}
	return identity, nil
}

// move applies a manual change of a document. A refusal from change is about the request, and comes
// before those about the document's state.
func (r Documents) move(ctx context.Context, wireID id.RequiredDocumentID, expected id.DecisionID, outcome decision.Outcome,
	change func(document.Document, fact.Date) (document.Document, decision.Statement, error)) (refusal.DecisionRef, error) {
	type owner struct{ WorkflowID id.UUID }
	found, err := find[owner](ctx, r.unit, refusal.EntityRequiredDocument, wireID, `
		SELECT d.workflow_id FROM required_document d JOIN workflow w ON w.id = d.workflow_id JOIN account a ON a.id = w.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return refusal.DecisionRef{}, err
	}
	locked, err := r.locked(ctx, found.WorkflowID, `d.id = $2`, wireID.UUID)
	if err != nil {
		return refusal.DecisionRef{}, err
	}
	before := locked.documents[0]
	if _, err := r.identity(locked.file, requirement.Entity{Type: before.EntityType, ID: before.EntityID}); err != nil {
		return refusal.DecisionRef{}, err
	}
	after, stated, refused := change(before.Document, locked.today)
	if misstated := (*refusal.Refusal)(nil); errors.As(refused, &misstated) {
		return refusal.DecisionRef{}, misstated
	}
	if err := locked.file.changeable(); err != nil {
		return refusal.DecisionRef{}, err
	}
	if !expected.IsZero() && expected != before.DecisionID {
		return refusal.DecisionRef{}, refusal.Rule(refusal.EntityRequiredDocument, wireID.String(), refusal.DocumentChanged,
			"The document has changed since that decision. Read it again before you decide.")
	}
	if refused != nil {
		return refusal.DecisionRef{}, refusedMove(wireID.String(), refused)
	}
	stated.Approve(after)
	moved := calculation.DocumentMove{
		RequiredDocumentID: wireID, DocumentTypeCode: before.DocumentTypeCode, Status: after.Status, PreviousStatus: before.Status,
		DueOn: after.Deadline(), ValidUntil: after.ValidUntil(),
	}
	return r.write(ctx, locked, documentsWritten{
		decided: []document.Document{after},
		content: decision.Content{Kind: decision.DocumentStatus, Outcome: outcome, Changes: decision.Changes{Document: &moved}, Statement: &stated},
		events: func(ref refusal.DecisionRef) []Event {
			fields := event.DocumentContent{DocumentMove: moved, Evidence: event.EvidenceOf(after.Evidence), DecisionRef: ref}
			return []Event{{Type: domain.RequiredDocumentUpdated, Fields: fields}}
		},
	})
}

// lockedDocuments are documents of a locked workflow. A concurrent calculation either sees their
// changes or comes first.
type lockedDocuments struct {
	file      storedApplication
	documents []decidedDocument
	today     fact.Date // in the account's time zone
}

// decidedDocument is a document with the decision that last changed it.
type decidedDocument struct {
	document.Document
	DecisionID id.DecisionID
}

// locked locks a workflow, and reads those of its documents that a condition selects, ordered by
// id. $1 in the condition is the workflow.
func (r Documents) locked(ctx context.Context, workflow id.UUID, match string, args ...any) (locked lockedDocuments, err error) {
	if locked.file, err = r.lockedApplication(ctx, id.WorkflowID{UUID: workflow}, day{at: r.at}); err != nil {
		return locked, err
	}
	rows, err := db.Many[documentRow](ctx, r.q, `
		SELECT `+documentColumns+`
		FROM required_document d
		WHERE d.workflow_id = $1 AND `+match+`
		ORDER BY d.id`,
		append([]any{workflow}, args...)...)
	if err != nil {
		return locked, fmt.Errorf("read required documents: %w", err)
	}
	at := r.at
	times := []*time.Time{&at}
	for _, row := range rows {
		found, err := row.document()
		if err != nil {
			return locked, err
		}
		locked.documents = append(locked.documents, decidedDocument{found, id.DecisionID{UUID: row.DecisionID}})
		times = append(times, &row.UpdatedAt)
	}
	r.stamp(times...)
	locked.today, err = locked.file.dateAt(r.at)
	return locked, err
}

// documentsWritten are the documents of a workflow that one transaction writes.
type documentsWritten struct {
	// decided are the documents that one decision with this content changes.
	decided []document.Document
	content decision.Content
	// notified are unchanged documents: only the dates that events have announced are written.
	notified []document.Document
	// events returns the events. It gets the decision if there is one.
	events func(refusal.DecisionRef) []Event
}

// write records the decision, and writes the documents and the events.
func (r Documents) write(ctx context.Context, locked lockedDocuments, w documentsWritten) (ref refusal.DecisionRef, err error) {
	batch := &pgx.Batch{}
	if len(w.decided) > 0 {
		if ref, err = r.decisions().record(ctx, batch, locked.file, verdict{Content: w.content, asOf: locked.today}); err != nil {
			return refusal.DecisionRef{}, err
		}
	}
	for _, d := range w.decided {
		if err := r.queue(batch, d, ref.DecisionID, nil); err != nil {
			return refusal.DecisionRef{}, err
		}
	}
	for _, d := range w.notified {
		if err := queueNotified(batch, d, locked.file.State == domain.Ended); err != nil {
			return refusal.DecisionRef{}, err
		}
	}
	return ref, r.emit(ctx, batch, subjectOf(locked.file.Workflow), w.events(ref)...)
}

// refusedMove is the refusal of a change that a document does not allow.
func refusedMove(wireID string, err error) error {
	var status *document.StatusError
	var evidence *document.EvidenceError
	switch {
	case errors.As(err, &status):
		return refusal.Rule(refusal.EntityRequiredDocument, wireID, refusal.InvalidStatusChange, "%s", sentence(err))
	case errors.As(err, &evidence):
		return refusal.Rule(refusal.EntityRequiredDocument, wireID, refusal.SubCode(evidence.Code), "%s", sentence(err)).With(evidenceFields(evidence.Details))
	}
	return err
}

// evidenceFields names problems of evidence by the fields of the request.
func evidenceFields(problems []document.EvidenceProblem) []refusal.Field {
	fields := make([]refusal.Field, len(problems))
	for i, p := range problems {
		fields[i] = refusal.Field{Field: "required_document." + p.Field, Message: p.Message}
	}
	return fields
}

// MaxManualDocuments limits the manual documents of a workflow.
const MaxManualDocuments = 200

// Create adds a manual document, and records the decision.
func (r Documents) Create(
	ctx context.Context, workflowID id.WorkflowID,
	code string, of requirement.Entity,
	text document.ManualText,
) (id.RequiredDocumentID, refusal.DecisionRef, error) {
	none := func(err error) (id.RequiredDocumentID, refusal.DecisionRef, error) {
		return id.RequiredDocumentID{}, refusal.DecisionRef{}, err
	}
	file, err := r.lockedApplication(ctx, workflowID, day{at: r.at})
	if err != nil {
		return none(err)
	}
	identity, err := r.identity(file, of)
	if err != nil {
		return none(err)
	}
	if err := file.changeable(); err != nil {
		return none(err)
	}
	rows, err := db.Many[documentRow](ctx, r.q, `
		SELECT `+documentColumns+`
		FROM required_document d
		WHERE d.workflow_id = $1
			AND (d.origin = 'MANUAL'
				OR d.document_type_code = $2 AND d.entity_type = $3 AND d.entity_id = $4)`,
		file.ID, code, of.Type, of.ID)
	if err != nil {
		return none(fmt.Errorf("find a required document: %w", err))
	}
	made, manual := document.Document{DocumentTypeCode: code, EntityType: of.Type, EntityID: of.ID}, 0
	for _, row := range rows {
		if row.Origin == document.OriginManual {
			manual++
		}
		if row.DocumentTypeCode != code || row.EntityType != of.Type || row.EntityID != of.ID {
			continue
		}
		if row.Status != document.Inactive {
			return none(refusal.Rule(refusal.EntityRequiredDocument, id.Format(id.RequiredDocument, row.ID), refusal.DocumentExists,
				"The workflow requires this document of the same entity already."))
		}
		if made, err = row.document(); err != nil {
			return none(err)
		}
		lockedAt := r.at
		r.stamp(&lockedAt, &row.UpdatedAt)
	}
	if manual >= MaxManualDocuments && made.Origin != document.OriginManual {
		return none(refusal.Rule(refusal.EntityWorkflow, workflowID.String(), refusal.DocumentLimitExceeded,
			"At most %d documents of a workflow can be required by hand.", MaxManualDocuments))
	}
	today, err := file.dateAt(r.at)
	if err != nil {
		return none(err)
	}
	var workflow *domain.Workflow
	if made.ID == "" {
		workflow, made.ID = &file.Workflow, id.Format(id.RequiredDocument, r.newID())
	}
	made = made.RequireManually(text, identity, today)
	added := calculation.DocumentAdded{NamedDocument: refs([]document.Document{made})[0].NamedDocument, DueOn: made.Deadline()}
	batch := &pgx.Batch{}
	by, err := r.decisions().record(ctx, batch, file, verdict{Content: decision.Content{
		Kind: decision.DocumentStatus, Outcome: decision.Created, Changes: decision.Changes{Created: &added}, Statement: &decision.Statement{Required: &text},
	}})
	if err != nil {
		return none(err)
	}
	if err := r.queue(batch, made, by.DecisionID, workflow); err != nil {
		return none(err)
	}
	fields := event.DocumentAddedContent{DocumentAdded: added, DecisionRef: by}
	return id.Must[id.RequiredDocumentID](made.ID), by, r.emit(ctx, batch, subjectOf(file.Workflow), Event{Type: domain.RequiredDocumentAdded, Fields: fields})
}

// apply queues the changes of a recalculation that a decision made. Documents that stay required
// are written only if their content changed.
func (r Documents) apply(batch *pgx.Batch, w domain.Workflow, c document.Changes, by id.DecisionID) error {
	for _, d := range c.Added {
		if err := r.queue(batch, d, by, &w); err != nil {
			return err
		}
	}
	for _, list := range [][]document.Document{c.Refreshed, c.Restored, c.Removed} {
		for _, d := range list {
			if err := r.queue(batch, d, by, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	insertDocumentSQL = `
		INSERT INTO required_document (id, name, category, requirement_text, terms, status, previous_status, status_reason, origin, own, reasons, identity, approval,
		                               evidence, reviewed_by, review_note, due_since, due_on, valid_until, notified, next_on, updated_at, decision_id,
		                               version, published, bound, workflow_id, account_id, document_type_code, entity_type, entity_id, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
			$9, $10, $11, $12, $13, $14, $15, $16,
			$17::text::date, $18::text::date, $19::text::date, $20, $21::text::date,
			$22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $22)`
	updateDocumentSQL = `
		UPDATE required_document SET name = $2, category = $3, requirement_text = $4, terms = $5, status = $6, previous_status = $7, status_reason = $8,
		       origin = $9, own = $10, reasons = $11, identity = $12, approval = $13, evidence = $14, reviewed_by = $15, review_note = $16,
		       due_since = $17::text::date, due_on = $18::text::date, valid_until = $19::text::date, notified = $20,
		       next_on = $21::text::date, updated_at = $22, decision_id = $23,
		       version = $24, published = $25, bound = $26
		WHERE id = $1`
	updateNotifiedSQL = `UPDATE required_document SET notified = $2, next_on = $3::text::date WHERE id = $1`
)

// queueNotified queues the statement that writes which dates of a document events have announced.
// It changes nothing else.
func queueNotified(batch *pgx.Batch, d document.Document, ended bool) error {
	u, err := id.Parse(id.RequiredDocument, d.ID)
	if err != nil {
		return fmt.Errorf("document %s: %w", d.ID, err)
	}
	notified, err := json.Marshal(d.Notified)
	if err != nil {
		return fmt.Errorf("encode document %s: %w", d.ID, err)
	}
	batch.Queue(updateNotifiedSQL, u, notified, dateOrNull(d.NextOn(ended)))
	return nil
}

func dateOrNull(d fact.Date) *string {
	if d.IsZero() {
		return nil
	}
	return new(d.String())
}

// queue queues the statement that writes a document that a decision changed. With a workflow it is
// a new document; without one it is stored already.
func (r Documents) queue(batch *pgx.Batch, d document.Document, by id.DecisionID, workflow *domain.Workflow) error {
	u, err := id.Parse(id.RequiredDocument, d.ID)
	if err != nil {
		return fmt.Errorf("document %s: %w", d.ID, err)
	}
	if d.Approval != nil && d.Approval.DecisionID == "" {
		approval := *d.Approval
		approval.DecisionID = by.String()
		d.Approval = &approval
	}
	var failed error
	encoded := func(value any, there bool) any {
		if !there {
			return nil
		}
		text, err := json.Marshal(value)
		failed = errors.Join(failed, err)
		return text
	}
	terms, identity := d.StatedTerms(), db.OrNull(d.Identity)
	values := []any{
		u, d.Name, d.Category, d.RequirementText, encoded(terms, terms != nil), d.Status, db.OrNull(d.PreviousStatus), db.OrNull(d.StatusReason),
		d.Origin, encoded(d.Own, d.Own != nil), encoded(d.Reasons, d.Reasons != nil), encoded(identity, identity != nil), encoded(d.Approval, d.Approval != nil),
		encoded(d.Evidence, d.Evidence != nil), db.OrNull(d.ReviewedBy), db.OrNull(d.ReviewNote),
		d.DueSince.String(), dateOrNull(d.DueOn), dateOrNull(d.ValidUntil()),
		encoded(d.Notified, true), dateOrNull(d.NextOn(false)), r.at, by.UUID, db.OrNull(d.Version),
		encoded(d.Published, d.Published != nil), encoded(d.Bound, d.Bound != nil),
	}
	if failed != nil {
		return fmt.Errorf("encode document %s: %w", d.ID, failed)
	}
	sql := updateDocumentSQL
	if workflow != nil {
		sql, values = insertDocumentSQL, append(values, workflow.ID, workflow.AccountID, d.DocumentTypeCode, d.EntityType, d.EntityID)
	}
	batch.Queue(sql, values...)
	return nil
}

// sentence turns the text of an error into a message.
func sentence(err error) string {
	text := strings.TrimSuffix(err.Error(), ".")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
