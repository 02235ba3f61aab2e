package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

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

// Workflows reads and writes the workflows, which are applications.
type Workflows struct{ *unit }

func (u *unit) workflows() Workflows { return Workflows{u} }

const workflowColumns = `w.id, w.account_id, w.business_id, w.previous_workflow_id, w.external_id, w.state, w.custom, w.evaluation_score, w.score_calculated_at,
	w.created_at, w.started_at, w.ended_at, w.updated_at`

// storedWorkflow is a workflow with the data that tells whether its required documents are up to
// date.
type storedWorkflow struct {
	domain.Workflow
	TimeZone              string // of the account
	DocumentsCalculatedAt *time.Time
	DocumentsRuleSetID    id.NullUUID
	FactsChanged          bool
	RulesInForce          []id.NullUUID // on each of the possible dates of a day
	domain.DocumentCounts               // by the stored statuses
	Lapsed, Overdue       []int         // on each of the possible dates of a day
}

// factsChangedSQL holds if a workflow or its business has changed since its documents were
// calculated.
const factsChangedSQL = `(
	SELECT (w.version, b.version) IS DISTINCT FROM (w.documents_workflow_version, w.documents_business_version)
	FROM business b
	WHERE b.id = w.business_id)`

// staleSQL holds if the documents of a calculated workflow are stale on a date. on() does the same
// for one row.
func staleSQL(date string) string {
	return `(w.state <> 'ENDED' AND (` + factsChangedSQL + ` OR
		(SELECT v.id FROM rules_in_force(w.account_id, w.created_at, w.created_on, ` + date + `::text::date) v) IS DISTINCT FROM w.documents_rule_set_id))`
}

// selectOnRecord reads rows of storedWorkflow, and more columns, from workflow w JOIN account a.
// The query has the possible dates of the day as dates.
func selectOnRecord(today day, dates, more string) string {
	return `
		SELECT ` + workflowColumns + `, a.time_zone, w.documents_calculated_at, w.documents_rule_set_id,
			` + factsChangedSQL + ` AS facts_changed,
			ARRAY (SELECT v.id FROM unnest(` + dates + `::text[]::date[]) WITH ORDINALITY AS t (day, n)
				LEFT JOIN LATERAL rules_in_force(w.account_id, w.created_at, w.created_on, t.day) v ON true ORDER BY t.n) AS rules_in_force, d.*` + more + `
		FROM workflow w JOIN account a ON a.id = w.account_id CROSS JOIN LATERAL (
			SELECT count(*) FILTER (WHERE status = 'PENDING') AS pending, count(*) FILTER (WHERE status = 'NEEDS_REVIEW') AS needs_review,
			       count(*) FILTER (WHERE status = 'COMPLETED') AS completed, count(*) FILTER (WHERE status = 'WAIVED') AS waived,
			       count(*) FILTER (WHERE status = 'INACTIVE') AS inactive,
			       ` + today.onEachDate(dates, counted(lapsedSQL)) + ` AS lapsed,
			       ` + today.onEachDate(dates, counted(overdueSQL)) + ` AS overdue
			FROM required_document d WHERE d.workflow_id = w.id) d `
}

// counted counts the rows that meet a condition on a date.
func counted(condition func(date string) string) func(date string) string {
	return func(date string) string { return `count(*) FILTER (WHERE ` + condition(date) + `)` }
}

// on returns the workflow on a day.
func (w storedWorkflow) on(on day) (domain.StoredWorkflow, fact.Date, error) {
	date, i, err := on.in(w.TimeZone)
	if err != nil {
		return domain.StoredWorkflow{}, date, err
	}
	found := domain.StoredWorkflow{
		Workflow:              w.Workflow,
		DocumentsCalculatedAt: w.DocumentsCalculatedAt,
		RuleSetID:             w.RulesInForce[i],
		DocumentCounts:        w.DocumentCounts,
	}
	found.Lapsed, found.Overdue = w.Lapsed[i], w.Overdue[i]
	found.Completed -= found.Lapsed
	found.Pending += found.Lapsed
	if w.State == domain.Ended { // the version in force for it may be pruned
		found.RuleSetID = w.DocumentsRuleSetID
	}
	if w.DocumentsCalculatedAt != nil {
		stale := w.State != domain.Ended && (w.FactsChanged || found.RuleSetID != w.DocumentsRuleSetID)
		found.DocumentsStale = &stale
	}
	return found, date, nil
}

// Create creates an application for a business of the account. It is CREATED or STARTED.
func (r Workflows) Create(ctx context.Context, accountID id.AccountID, businessID id.BusinessID, of domain.NewWorkflow) (domain.Workflow, error) {
	account, err := r.tenants().Get(ctx, accountID)
	if err != nil {
		return domain.Workflow{}, err
	}
	b, err := r.businesses().lockAndGet(ctx, shareBusinessSQL, businessID) // an erasure of it may be running
	if err != nil {
		return domain.Workflow{}, err
	}
	if b.AccountID != account.ID {
		return domain.Workflow{}, refusal.NotFound(refusal.EntityBusiness, businessID.String())
	}
	previous, err := r.previous(ctx, b, of.PreviousWorkflowID)
	if err != nil {
		return domain.Workflow{}, err
	}
	custom, err := r.facts().changeOne(ctx, account.ID, newCustom("workflow.custom", fact.EntityWorkflow, of.Custom))
	if err != nil {
		return domain.Workflow{}, err
	}
	if b.ErasedAt != nil {
		return domain.Workflow{}, refusal.Erased(businessID.String())
	}
	if previous != nil && previous.State != domain.Ended {
		return domain.Workflow{}, refusal.Rule(refusal.EntityWorkflow, previous.WireID().String(), refusal.WorkflowNotEnded,
			"workflow.previous_workflow_id names a workflow that has not ended. Only the approvals of one that has ended are taken over.")
	}
	var has int64
	if err := r.q.QueryRow(ctx, `SELECT count(*) FROM workflow WHERE business_id = $1`, b.ID).Scan(&has); err != nil {
		return domain.Workflow{}, fmt.Errorf("count the workflows of a business: %w", err)
	}
	if r.quotas.Workflows > 0 && has >= r.quotas.Workflows {
		return domain.Workflow{}, refusal.Rule(refusal.EntityBusiness, businessID.String(), refusal.WorkflowLimitExceeded,
			"A business has at most %d workflows.", r.quotas.Workflows)
	}
	if err := r.freeExternalIDs(ctx, workflowExternalIDs, account.ID, id.Nil, of.ExternalID); err != nil {
		return domain.Workflow{}, err
	}
	r.stamp(&b.CreatedAt)
	createdOn, err := r.today(account.TimeZone)
	if err != nil {
		return domain.Workflow{}, err
	}
	w := domain.Workflow{
		ID: r.newID(), AccountID: account.ID, BusinessID: b.ID, PreviousWorkflowID: of.PreviousWorkflowID.NullUUID(), ExternalID: of.ExternalID,
		State: of.State, Custom: custom, CreatedAt: r.at, UpdatedAt: r.at,
	}
	if of.State == domain.Started {
		w.StartedAt = &r.at
	}
	batch := &pgx.Batch{}
	batch.Queue(`
		INSERT INTO workflow (id, account_id, business_id, state, created_at, created_on, started_at, updated_at, external_id, custom, previous_workflow_id)
		VALUES ($1, $2, $3, $4, $5, $6::text::date, $7, $5, $8, $9, $10)`,
		w.ID, w.AccountID, w.BusinessID, w.State, r.at, createdOn.String(), w.StartedAt, w.ExternalID, w.Custom.Text(), w.PreviousWorkflowID)
	events := []Event{{Type: domain.WorkflowCreated, Fields: event.StateContent{State: domain.Created}}}
	if of.State == domain.Started {
		events = append(events, Event{Type: domain.WorkflowStarted, Fields: event.StateContent{State: domain.Started}})
	}
	return w, r.emit(ctx, batch, subjectOf(w), events...)
}

// previous finds the workflow whose approvals a new one takes over. It returns nil if there is
// none.
func (r Workflows) previous(ctx context.Context, b domain.Business, wireID id.WorkflowID) (*domain.Workflow, error) {
	if wireID.IsZero() {
		return nil, nil
	}
	w, err := r.Get(ctx, wireID)
	if err == nil && w.BusinessID != b.ID {
		err = refusal.Fields(refusal.At("workflow.previous_workflow_id", refusal.NotAllowed, "This is a workflow of another business."))
	}
	return &w, err
}

// Update changes the declared facts and the external id of a workflow that has not ended. Only
// changes of facts change its version and its time. externalID is nil if the request has none.
func (r Workflows) Update(ctx context.Context, wireID id.WorkflowID, externalID **string, change domain.CustomChange) error {
	w, err := r.locked(ctx, wireID)
	if err != nil {
		return err
	}
	custom, err := r.facts().changeOne(ctx, w.AccountID, customOf{"workflow.custom", fact.EntityWorkflow, w.Custom, change})
	if err != nil {
		return err
	}
	if w.State == domain.Ended {
		return refusal.Ended(wireID.String())
	}
	b, err := r.businesses().lockAndGet(ctx, shareBusinessSQL, id.BusinessID{UUID: w.BusinessID}) // an erasure of it may be running
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

// Get finds a workflow.
func (r Workflows) Get(ctx context.Context, wireID id.WorkflowID) (domain.Workflow, error) {
	return aWorkflow[domain.Workflow](ctx, r.unit, wireID, workflowColumns, ``)
}

// WithFindings finds a workflow with its findings, and with the state and the counts of its
// required documents.
func (r Workflows) WithFindings(ctx context.Context, wireID id.WorkflowID) (calculation.WorkflowWithFindings, error) {
	type row struct {
		storedWorkflow
		Findings []document.Finding
		Holding  []holdingRow
	}
	today := r.day(r.at)
	found, err := find[row](ctx, r.unit, refusal.EntityWorkflow, wireID, selectOnRecord(today, `$4`, `,
		w.findings, ARRAY (SELECT r FROM (
			SELECT d.id, d.terms, d.status, d.approval, to_char(d.due_since, 'YYYY-MM-DD') AS due_since, to_char(d.due_on, 'YYYY-MM-DD') AS due_on
			FROM required_document d
			WHERE d.workflow_id = w.id
				AND d.terms ? 'hold'
				AND true = ANY (`+today.onEachDate(`$4`, openDocumentSQL)+`)
			ORDER BY d.id) r) AS holding`)+
		`WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3`, today.dates())
	if err != nil {
		return calculation.WorkflowWithFindings{}, err
	}
	r.noteAccount(found.AccountID)
	w, date, err := found.on(today)
	if err != nil {
		return calculation.WorkflowWithFindings{}, err
	}
	with := calculation.WorkflowWithFindings{StoredWorkflow: w}
	for _, f := range found.Findings {
		with.Findings = append(with.Findings, calculation.Finding{Finding: f})
	}
	for _, row := range found.Holding {
		holding, err := documentRow{ID: row.ID, Terms: row.Terms, Status: row.Status, Approval: row.Approval, DueSince: row.DueSince, DueOn: row.DueOn}.document()
		if err != nil {
			return calculation.WorkflowWithFindings{}, err
		}
		if code, since, held := holding.Held(date); held {
			of := document.Finding{FindingCode: code, Kind: requirement.KindHold, Since: since}
			with.Findings = append(with.Findings, calculation.Finding{Finding: of, RequiredDocumentID: id.RequiredDocumentID{UUID: row.ID}})
		}
	}
	return with, nil
}

// holdingRow is a document that may hold up its application.
type holdingRow struct {
	ID       id.UUID
	Terms    *requirement.Terms
	Status   document.Status
	Approval *document.Approval
	DueSince string
	DueOn    *string
}

func aWorkflow[T interface{ Account() id.UUID }](ctx context.Context, r *unit, wireID id.WorkflowID, columns, locking string) (T, error) {
	w, err := find[T](ctx, r, refusal.EntityWorkflow, wireID, `
		SELECT `+columns+` FROM workflow w JOIN account a ON a.id = w.account_id
		WHERE w.id = $1 AND a.organization_id = $2 AND a.environment = $3 `+locking)
	if err == nil {
		r.noteAccount(w.Account())
	}
	return w, err
}

// locked locks a workflow until the transaction ends, reads it, and sets the time of the change.
func (r Workflows) locked(ctx context.Context, wireID id.WorkflowID) (domain.Workflow, error) {
	w, err := aWorkflow[domain.Workflow](ctx, r.unit, wireID, workflowColumns, `FOR NO KEY UPDATE OF w`)
	r.stamp(&w.UpdatedAt)
	return w, err
}

// Start moves a CREATED workflow to STARTED.
func (r Workflows) Start(ctx context.Context, wireID id.WorkflowID) error {
	w, err := r.locked(ctx, wireID)
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

// Complete moves a STARTED workflow to ENDED. It warns of documents that are not done and of
// findings. With strict it refuses instead, except for findings that only need a review.
func (r Workflows) Complete(ctx context.Context, wireID id.WorkflowID, strict bool) ([]refusal.Warning, error) {
	w, err := r.locked(ctx, wireID)
	if err != nil {
		return nil, err
	}
	switch w.State {
	case domain.Ended:
		return nil, refusal.Ended(wireID.String())
	case domain.Created:
		return nil, refusal.Rule(refusal.EntityWorkflow, wireID.String(), refusal.WorkflowNotStarted,
			"The workflow has not been started yet; call workflow.start first.")
	}
	documents, err := r.WithFindings(ctx, wireID)
	if err != nil {
		return nil, err
	}
	open := documents.NotDone()
	refuses := func(f calculation.Finding) bool { return f.Kind.Refuses() }
	if strict && len(open) > 0 &&
		(open[0].Code != refusal.WarningCode(refusal.FindingsOpen) || slices.ContainsFunc(documents.Findings, refuses)) {
		refused := refusal.Rule(refusal.EntityWorkflow, wireID.String(), refusal.SubCode(open[0].Code), "%s", open[0].Message).ToDo().With(open)
		refused.FindingCodes = documents.FindingCodes()
		if refused.RequiredDocumentIDs, err = r.openDocuments(ctx, w); err != nil {
			return nil, err
		}
		return nil, refused
	}
	batch := &pgx.Batch{}
	batch.Queue(`UPDATE workflow SET state = 'ENDED', ended_at = $2, updated_at = $2 WHERE id = $1`, w.ID, r.at)
	return open, r.emit(ctx, batch, subjectOf(w), Event{Type: domain.WorkflowCompleted, Fields: event.StateContent{State: domain.Ended}})
}

// maxOpenIDs limits the ids in a refusal. Its message counts all documents.
const maxOpenIDs = 1000

// openDocuments returns the ids of the documents of a workflow that somebody has to act on: the oldest maxOpenIDs.
func (r Workflows) openDocuments(ctx context.Context, w domain.Workflow) ([]id.RequiredDocumentID, error) {
	_, today, err := r.tenants().today(ctx, r.scope.Environment.Account(w.AccountID))
	if err != nil {
		return nil, err
	}
	found, err := db.Column[id.UUID](ctx, r.q, `
		SELECT d.id FROM required_document d JOIN workflow w ON w.id = d.workflow_id
		WHERE w.id = $1 AND `+openDocumentSQL(`$2::text::date`)+` ORDER BY d.id LIMIT $3`, w.ID, today.String(), maxOpenIDs)
	if err != nil {
		return nil, err
	}
	ids := make([]id.RequiredDocumentID, len(found))
	for i, d := range found {
		ids[i] = id.RequiredDocumentID{UUID: d}
	}
	return ids, nil
}

// List lists an account's workflows. The string is the After of the next page. It is empty on the
// last page.
func (r Workflows) List(ctx context.Context, accountID id.AccountID, f domain.WorkflowFilter, p domain.Page) ([]domain.StoredWorkflow, string, error) {
	account, date, err := r.tenants().today(ctx, accountID)
	if err != nil {
		return nil, "", err
	}
	after, err := after(p, id.Workflow)
	if err != nil {
		return nil, "", err
	}
	today := day{on: date}
	var match conditions
	match.add(`w.account_id = %s AND w.id < %s`, account.ID, after)
	if !f.BusinessID.IsZero() {
		b, err := r.businesses().Get(ctx, f.BusinessID)
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
	if f.DocumentsStale != nil {
		match.add(`w.documents_calculated_at IS NOT NULL AND `+staleSQL(`%s`)+` = %s`, date.String(), *f.DocumentsStale)
	}
	if f.Open != nil {
		match.add(`EXISTS (SELECT FROM required_document d WHERE d.workflow_id = w.id AND `+openDocumentSQL(`%s::text::date`)+`) = %s`, date.String(), *f.Open)
	}
	if f.Overdue != nil {
		match.add(`EXISTS (SELECT FROM required_document d WHERE d.workflow_id = w.id AND `+overdueSQL(`%s::text::date`)+`) = %s`, date.String(), *f.Overdue)
	}
	// The page is found first, so that nothing else is read of other workflows.
	dates := `$` + strconv.Itoa(len(match.args)+1)
	sql := selectOnRecord(today, dates, ``) + `WHERE w.id = ANY (ARRAY (SELECT w.id FROM workflow w WHERE ` + strings.Join(match.sql, ` AND `) +
		` ORDER BY w.id DESC LIMIT ` + strconv.Itoa(p.Limit+1) + `)) ORDER BY w.id DESC`
	rows, err := db.Many[storedWorkflow](ctx, r.q, sql, append(match.args, today.dates())...)
	if err != nil {
		return nil, "", fmt.Errorf("list workflows: %w", err)
	}
	found := make([]domain.StoredWorkflow, len(rows))
	for i, row := range rows {
		if found[i], _, err = row.on(today); err != nil {
			return nil, "", err
		}
	}
	found, next := cut(found, p)
	return found, next, nil
}
