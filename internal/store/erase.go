package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
)

// Erasure counts what was erased of one business. It names the workflows of the business, because
// their runs hold its facts.
type Erasure struct {
	BusinessID  string   `json:"business_id"`
	LegalName   string   `json:"-"` // before the erasure, so that the operator can check the business
	Persons     int64    `json:"persons"`
	Documents   int64    `json:"documents"` // with facts in their reasons
	Answers     int64    `json:"answers"`   // from receivers, in the log of attempts
	Decisions   int64    `json:"decisions"` // with facts and reasons
	WorkflowIDs []string `json:"workflow_ids"`
}

// erased replaces names that may not be NULL.
const erased = "(erased)"

// erasedReasonsSQL is the SQL of reasons without their personal data.
func erasedReasonsSQL(reasons string) string {
	return `(SELECT jsonb_agg(jsonb_build_object('rule', reason -> 'rule', 'version_id', reason -> 'version_id',
		'message', 'The facts that decided were erased.', 'facts', '{}'::jsonb)) FROM jsonb_array_elements(` + reasons + `) AS reason)`
}

// erasedFindingsSQL is the SQL of a workflow's findings, with the personal data removed from those
// that meet a condition.
func erasedFindingsSQL(which string) string {
	return `(SELECT coalesce(jsonb_agg(
		CASE WHEN ` + which + `
			THEN finding || jsonb_build_object('reasons', ` + erasedReasonsSQL(`finding -> 'reasons'`) + `)
			ELSE finding
		END ORDER BY n), '[]')
		FROM jsonb_array_elements(findings) WITH ORDINALITY AS t (finding, n))`
}

const erasedTextSQL = `'` + erased + `'::text`

// erasedDocumentSQL removes the personal data of a document, with all texts that people wrote. Its
// status and the dates of its approval stay.
var erasedDocumentSQL = `identity = NULL, bound = NULL, approval = approval - 'text' - 'identity' - 'bound', evidence = NULL, reviewed_by = NULL, review_note = NULL,
	own = CASE WHEN origin = 'MANUAL' THEN jsonb_build_object(
		'name', ` + erasedTextSQL + `,
		'category', ` + erasedTextSQL + `,
		'requirement_text', ` + erasedTextSQL + `,
		'reason', ` + erasedTextSQL + `) END,
	name = CASE WHEN origin = 'MANUAL' THEN ` + erasedTextSQL + ` ELSE name END,
	category = CASE WHEN origin = 'MANUAL' THEN ` + erasedTextSQL + ` ELSE category END,
	requirement_text = CASE WHEN origin = 'MANUAL' THEN ` + erasedTextSQL + ` ELSE requirement_text END,
	terms = CASE WHEN origin = 'MANUAL' THEN terms - 'explanation' ELSE terms END, reasons = ` + erasedReasonsSQL(`reasons`)

// Erase removes the personal data of a business:
//   - the names, addresses and external ids of the business, its persons and its workflows;
//   - its persons' birth dates, citizenships, residences and shares;
//   - the values of declared facts;
//   - the facts in the reasons of its documents and findings, and in the recorded decisions;
//   - evidence (also in events), reviewers, approved texts, and the texts of manual documents;
//   - the answers of receivers to its webhooks.
//
// Later answers of receivers are not stored either. Ids, states, times, amounts, industry codes and
// the list of required documents stay. dry counts and changes nothing. Erasing is idempotent.
func (s *Store) Erase(ctx context.Context, scope domain.Scope, businessID id.BusinessID, dry bool) (Erasure, error) {
	var e Erasure
	err := s.db.InScope(ctx, scope, func(tx pgx.Tx) error {
		r := &unit{q: tx, scope: scope, actor: domain.System, clock: s.db.Clock, at: s.db.Clock()}
		b, err := r.businesses().Get(ctx, businessID)
		if err != nil {
			return err
		}
		// The order of locks: the account, then the workflow and the business as in a calculation.
		// The lock on the account keeps replays from adding deliveries. The lock on the business
		// keeps others from adding workflows.
		for _, sql := range []string{
			`SELECT FROM account WHERE id = (SELECT account_id FROM business WHERE id = $1) FOR NO KEY UPDATE`,
			`SELECT FROM workflow WHERE business_id = $1 ORDER BY id FOR NO KEY UPDATE`,
		} {
			if _, err := tx.Exec(ctx, sql, b.ID); err != nil {
				return fmt.Errorf("lock a business: %w", err)
			}
		}
		if b, err = r.businesses().lockAndGet(ctx, lockBusinessSQL, businessID); err != nil {
			return err
		}
		r.stamp(&b.UpdatedAt)
		workflows, err := db.Column[id.UUID](ctx, tx, `SELECT id FROM workflow WHERE business_id = $1 ORDER BY id`, b.ID)
		if err != nil {
			return fmt.Errorf("find the workflows of a business: %w", err)
		}
		e = Erasure{BusinessID: businessID.String(), LegalName: b.LegalName, WorkflowIDs: []string{}}
		for _, w := range workflows {
			e.WorkflowIDs = append(e.WorkflowIDs, id.Format(id.Workflow, w))
		}
		if dry {
			return countErasure(ctx, r, b.ID, workflows, &e)
		}
		// The order of locks everywhere: deliveries by id, then attempts.
		_, err = tx.Exec(ctx, `
			SELECT FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE v.workflow_id = ANY ($1) ORDER BY d.id FOR UPDATE OF d`, workflows)
		if err != nil {
			return fmt.Errorf("lock the deliveries of a business: %w", err)
		}
		return erase(ctx, r, b.ID, workflows, &e)
	})
	return e, err
}

func countErasure(ctx context.Context, r *unit, business id.UUID, workflows []id.UUID, e *Erasure) error {
	err := r.q.QueryRow(ctx, `
		SELECT (SELECT count(*) FROM person WHERE business_id = $1), (SELECT count(*) FROM required_document WHERE workflow_id = ANY ($2)),
			(SELECT count(*) FROM webhook_attempt a JOIN webhook_delivery d ON d.id = a.delivery_id JOIN webhook_event v ON v.id = d.event_id
				WHERE v.workflow_id = ANY ($2) AND a.response_body <> ''),
			(SELECT count(*) FROM decision WHERE workflow_id = ANY ($2) AND personal IS NOT NULL)`, business, workflows).
		Scan(&e.Persons, &e.Documents, &e.Answers, &e.Decisions)
	if err != nil {
		return fmt.Errorf("count what is to be erased: %w", err)
	}
	return nil
}

func erase(ctx context.Context, r *unit, business id.UUID, workflows []id.UUID, e *Erasure) error {
	for _, step := range []struct {
		count *int64
		sql   string
		args  []any
	}{
		{new(int64), `
			UPDATE business
			SET external_id = NULL, legal_name = $2,
				operating_name = NULL, website = NULL, phone_number = NULL,
				email = NULL, address = NULL, custom = '{}',
				version = version + 1, updated_at = $3, erased_at = coalesce(erased_at, $3) WHERE id = $1`, []any{business, erased, r.at}},
		{&e.Persons, `
			UPDATE person SET external_id = NULL, first_name = $2, last_name = $2, citizenship = NULL, ownership_percentage = NULL, date_of_birth = NULL,
				country_of_residence = NULL, email = NULL, custom = '{}', updated_at = $3
			WHERE business_id = $1`, []any{business, erased, r.at}},
		{&e.Documents, `
			UPDATE required_document SET ` + erasedDocumentSQL + `, next_on = NULL, updated_at = $2 WHERE workflow_id = ANY ($1)`, []any{workflows, r.at}},
		{new(int64), `UPDATE webhook_event SET erased = true, fields = fields - 'evidence' WHERE workflow_id = ANY ($1) AND NOT erased`, []any{workflows}},
		{&e.Answers, `
			UPDATE webhook_attempt a SET response_body = NULL FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
			WHERE d.id = a.delivery_id AND v.workflow_id = ANY ($1) AND a.response_body <> ''`, []any{workflows}},
		// The score's fingerprint was calculated from the erased facts.
		{new(int64), `
			UPDATE workflow SET external_id = NULL, custom = '{}', score_facts = NULL, version = version + 1, findings = ` + erasedFindingsSQL(`true`) + `
			WHERE id = ANY ($1)`, []any{workflows}},
	} {
		tag, err := r.q.Exec(ctx, step.sql, step.args...)
		if err != nil {
			return fmt.Errorf("erase: %w", err)
		}
		*step.count = tag.RowsAffected()
	}
	for _, w := range workflows {
		erased, err := r.decisions().recordErasure(ctx, w)
		if err != nil {
			return fmt.Errorf("erase decisions: %w", err)
		}
		e.Decisions += erased
	}
	return nil
}
