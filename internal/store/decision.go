package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store/db"
	"requisite/internal/telemetry"
)

// Decisions is the decision record. It only grows, and the digest of each entry covers the previous
// one.
type Decisions struct{ *unit }

func (u *unit) decisions() Decisions { return Decisions{u} }

// MaxDecisionsADay limits the decisions about one workflow in one day (UTC). Erasures, and
// decisions that no caller requested, do not count.
const MaxDecisionsADay = 1000

// verdict is a decision that is not recorded yet.
type verdict struct {
	decision.Content
	used usedVersions
	// asOf is zero for the account's day.
	asOf fact.Date
}

// record queues a decision about a locked workflow with the current stored facts, together with the
// statements of the decided change. It refuses more than MaxDecisionsADay, and more bytes than the
// organization's quota.
func (r Decisions) record(ctx context.Context, batch *pgx.Batch, file storedApplication, made verdict) (refusal.DecisionRef, error) {
	d := decision.Decision{
		WorkflowID: file.WireID(), BusinessID: file.Business.WireID(), Number: file.DecisionNumber + 1, Kind: made.Kind, Outcome: made.Outcome,
		DecidedAt: r.at, PreviousAt: file.DecidedAt, AsOf: made.asOf, SandboxToday: r.day(r.at).named != "", UserID: r.actor.UserID, UserType: string(r.actor.UserType),
		PreviousDigest: file.DecisionDigest,
	}
	if d.PreviousAt != nil && d.PreviousAt.After(d.DecidedAt) {
		d.DecidedAt = *d.PreviousAt
	}
	if err := r.withinTheDay(ctx, d); err != nil {
		return refusal.DecisionRef{}, err
	}
	d.ID = id.DecisionID{UUID: id.NewAt(d.DecidedAt)}
	if r.trace != "" {
		d.TraceID = telemetry.Continue(r.trace).ID()
	}
	if d.AsOf.IsZero() {
		var err error
		if d.AsOf, _, err = r.day(d.DecidedAt).in(file.TimeZone); err != nil {
			return refusal.DecisionRef{}, err
		}
	}
	changes, err := json.Marshal(made.Changes)
	if err != nil {
		return refusal.DecisionRef{}, fmt.Errorf("encode the changes of a decision: %w", err)
	}
	d.Changes = string(changes)
	if d.Kind != decision.Erasure {
		if err := r.fill(file, &d, made); err != nil {
			return refusal.DecisionRef{}, err
		}
		d.Salt = make([]byte, decision.SaltSize)
		rand.Read(d.Salt)
	}
	d.Seal()
	if err := r.takeBytes(d); err != nil {
		return refusal.DecisionRef{}, err
	}
	queueDecision(batch, d)
	return d.Ref(), nil
}

// withinTheDay refuses a decision when its day already has the maximum number.
func (r Decisions) withinTheDay(ctx context.Context, d decision.Decision) error {
	if d.Kind == decision.Erasure || r.actor == domain.System || d.Number <= MaxDecisionsADay {
		return nil
	}
	limit, _, err := db.One[struct{ DecidedAt time.Time }](ctx, r.q, `
		SELECT decided_at
		FROM decision
		WHERE workflow_id = $1 AND number = $2`,
		d.WorkflowID.UUID, d.Number-MaxDecisionsADay)
	switch {
	case err != nil:
		return fmt.Errorf("count the decisions of a day: %w", err)
	case sameDay(limit.DecidedAt, d.DecidedAt):
		return refusal.Rule(refusal.EntityWorkflow, d.WorkflowID.String(), refusal.DecisionLimitExceeded,
			"%d decisions were made about this workflow today (UTC), as many as may be. Nothing was changed: try again tomorrow.", MaxDecisionsADay)
	}
	return nil
}

func sameDay(a, b time.Time) bool { return fact.DateOf(a.UTC()) == fact.DateOf(b.UTC()) }

// fill sets the facts, versions and results of a decision, and their fingerprint.
func (r Decisions) fill(file storedApplication, d *decision.Decision, made verdict) (err error) {
	if d.Results, d.Personal, err = made.Texts(file.recorded(r.scope.Environment)); err != nil {
		return err
	}
	if made.used.ruleSet {
		d.RuleSet = file.RuleSet.recorded()
	}
	if made.used.pricingModel {
		d.PricingModel = file.PricingModel.recorded()
	}
	d.Fingerprint = d.ComputeFingerprint()
	return nil
}

// repeats reports whether a recalculation has the same result, facts and versions as the last
// calculation.
func (r Decisions) repeats(ctx context.Context, file storedApplication, made verdict) (bool, error) {
	if !r.recalculating {
		return false, nil
	}
	d := decision.Decision{Kind: made.Kind, Outcome: made.Outcome}
	if err := r.fill(file, &d, made); err != nil {
		return false, err
	}
	last, there, err := db.One[struct{ Fingerprint []byte }](ctx, r.q, `
		SELECT fingerprint FROM decision WHERE workflow_id = $1 AND kind = $2 ORDER BY number DESC LIMIT 1`, file.ID, made.Kind)
	if err != nil {
		return false, fmt.Errorf("read what the last calculation found: %w", err)
	}
	return there && bytes.Equal(last.Fingerprint, d.Fingerprint), nil
}

func queueDecision(batch *pgx.Batch, d decision.Decision) {
	row := rowOfDecision(d)
	batch.Queue(`
		INSERT INTO decision (id, workflow_id, number, kind, outcome, decided_at, previous_at, as_of, user_id, user_type, trace_id, rule_set_id, rule_set_sha256,
		                      pricing_model_id, pricing_model_sha256, changes, results, personal, salt, personal_sha256, fingerprint, previous_digest, digest,
		                      sandbox_today)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::date, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)`,
		row.ID, row.WorkflowID, row.Number, row.Kind, row.Outcome, row.DecidedAt, row.PreviousAt, row.AsOf, row.UserID, row.UserType, row.TraceID,
		row.RuleSetID, row.RuleSetSHA256, row.PricingModelID, row.PricingModelSHA256, row.Changes, row.Results, row.Personal, row.Salt,
		row.PersonalSHA256, row.Fingerprint, row.PreviousDigest, row.Digest, row.SandboxToday)
}

// decisionRow is a decision as it is stored.
type decisionRow struct {
	ID, WorkflowID     id.UUID
	BusinessID         id.UUID // of the workflow
	Number             int64
	Kind               decision.Kind
	Outcome            decision.Outcome
	DecidedAt          time.Time
	PreviousAt         *time.Time
	AsOf               string
	SandboxToday       bool
	UserID, UserType   string
	TraceID            string
	RuleSetID          id.NullUUID
	RuleSetSHA256      []byte `db:"rule_set_sha256"`
	PricingModelID     id.NullUUID
	PricingModelSHA256 []byte `db:"pricing_model_sha256"`
	Changes            string
	Results, Personal  *string
	Salt               []byte
	PersonalSHA256     []byte `db:"personal_sha256"`
	Fingerprint        []byte
	PreviousDigest     []byte
	Digest             []byte
}

const (
	plainColumns = `d.id, d.workflow_id,
	(SELECT w.business_id FROM workflow w WHERE w.id = d.workflow_id) AS business_id,
	d.number, d.kind, d.outcome, d.decided_at, d.previous_at,
	to_char(d.as_of, 'YYYY-MM-DD') AS as_of, d.sandbox_today,
	d.user_id, d.user_type, d.trace_id,
	d.rule_set_id, d.rule_set_sha256, d.pricing_model_id, d.pricing_model_sha256, d.personal_sha256, d.fingerprint, d.previous_digest, d.digest`
	decisionColumns = plainColumns + `, d.changes, d.results, d.personal, d.salt`
	// listedColumns leaves out columns that may be large.
	listedColumns = plainColumns + `, '' AS changes, NULL AS results, NULL AS personal, NULL::bytea AS salt`
)

func rowOfDecision(d decision.Decision) decisionRow {
	row := decisionRow{
		ID: d.ID.UUID, WorkflowID: d.WorkflowID.UUID, Number: d.Number, Kind: d.Kind, Outcome: d.Outcome, DecidedAt: d.DecidedAt, PreviousAt: d.PreviousAt,
		AsOf: d.AsOf.String(), SandboxToday: d.SandboxToday, UserID: d.UserID, UserType: d.UserType, TraceID: d.TraceID, Changes: d.Changes,
		Results: textOrNil(d.Results), Personal: textOrNil(d.Personal), Salt: d.Salt, PersonalSHA256: d.PersonalSHA256,
		Fingerprint: d.Fingerprint, PreviousDigest: d.PreviousDigest, Digest: d.Digest,
	}
	if v := d.RuleSet; v != nil {
		row.RuleSetID, row.RuleSetSHA256 = v.ID.NullUUID(), v.SHA256
	}
	if v := d.PricingModel; v != nil {
		row.PricingModelID, row.PricingModelSHA256 = v.ID.NullUUID(), v.SHA256
	}
	return row
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (row decisionRow) decision() (decision.Decision, error) {
	d := decision.Decision{
		ID: id.DecisionID{UUID: row.ID}, WorkflowID: id.WorkflowID{UUID: row.WorkflowID}, BusinessID: id.BusinessID{UUID: row.BusinessID},
		Number: row.Number, Kind: row.Kind, Outcome: row.Outcome,
		DecidedAt: row.DecidedAt, PreviousAt: row.PreviousAt, SandboxToday: row.SandboxToday, UserID: row.UserID, UserType: row.UserType, TraceID: row.TraceID,
		RuleSet: readVersion(row.RuleSetID, row.RuleSetSHA256), PricingModel: readVersion(row.PricingModelID, row.PricingModelSHA256),
		Changes:        row.Changes,
		PersonalSHA256: row.PersonalSHA256, PreviousDigest: row.PreviousDigest, Digest: row.Digest,
		Salt: row.Salt, Fingerprint: row.Fingerprint,
	}
	if row.Results != nil {
		d.Results = *row.Results
	}
	if row.Personal != nil {
		d.Personal = *row.Personal
	}
	var err error
	if d.AsOf, err = fact.ParseDate(row.AsOf); err != nil {
		return d, fmt.Errorf("the date of decision %s: %w", d.ID, err)
	}
	return d, nil
}

func readVersion(u id.NullUUID, hash []byte) *decision.Version {
	if !u.Valid {
		return nil
	}
	return &decision.Version{ID: id.RuleSetVersionID{UUID: u.UUID}, SHA256: hash}
}

// List lists a workflow's decisions, newest first, without changes, results and facts. An empty
// kind and a nil since do not filter. The string is the After of the next page. It is empty on the
// last page.
func (r Decisions) List(
	ctx context.Context, workflowID id.WorkflowID,
	kind decision.Kind, since *time.Time,
	p domain.Page,
) ([]decision.Recorded, string, error) {
	var before id.NullUUID
	if p.After != "" {
		u, err := afterFrom(p, id.Decision, id.Nil)
		if err != nil {
			return nil, "", err
		}
		before = id.NullUUID{UUID: u, Valid: true}
	}
	w, err := r.workflows().Get(ctx, workflowID)
	if err != nil {
		return nil, "", err
	}
	rows, err := db.Many[decisionRow](ctx, r.q, `
		SELECT `+listedColumns+` FROM decision d
		WHERE d.workflow_id = $1 AND ($2 = '' OR d.kind = $2) AND ($3::timestamptz IS NULL OR d.decided_at >= $3)
			AND ($4::uuid IS NULL OR d.number < (SELECT a.number FROM decision a WHERE a.id = $4 AND a.workflow_id = $1))
		ORDER BY d.number DESC LIMIT $5`, w.ID, kind, since, before, p.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list decisions: %w", err)
	}
	next := ""
	if len(rows) > p.Limit {
		rows = rows[:p.Limit]
		next = id.Format(id.Decision, rows[p.Limit-1].ID)
	}
	found := make([]decision.Recorded, len(rows))
	for i, row := range rows {
		if found[i].Decision, err = row.decision(); err != nil {
			return nil, "", err
		}
	}
	return found, next, nil
}

// Get finds a decision.
func (r Decisions) Get(ctx context.Context, wireID id.DecisionID) (decision.Recorded, error) {
	found, err := find[struct {
		decisionRow
		AccountID id.UUID
	}](ctx, r.unit, refusal.EntityDecision, wireID, `
		SELECT `+decisionColumns+`, w.account_id FROM decision d JOIN workflow w ON w.id = d.workflow_id JOIN account a ON a.id = w.account_id
		WHERE d.id = $1 AND a.organization_id = $2 AND a.environment = $3`)
	if err != nil {
		return decision.Recorded{}, err
	}
	r.noteAccount(found.AccountID)
	return found.recorded()
}

// LastCalculated finds a workflow's last calculation that decided something, before the decision
// with a number; 0 is no limit. It returns nil if there is none.
func (r Decisions) LastCalculated(ctx context.Context, workflowID id.WorkflowID, before int64) (*decision.Recorded, error) {
	w, err := r.workflows().Get(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	last, there, err := db.One[struct{ ID id.UUID }](ctx, r.q, `
		SELECT id FROM decision WHERE workflow_id = $1 AND kind = 'CALCULATION' AND outcome = 'CALCULATED' AND ($2 = 0 OR number < $2)
		ORDER BY number DESC LIMIT 1`, w.ID, before)
	if err != nil || !there {
		return nil, err
	}
	whole, err := r.Get(ctx, id.DecisionID{UUID: last.ID})
	return &whole, err
}

// Stated finds the last manual statement about each document of a workflow, up to the decision with
// a number: the last review or waiver, and the last manual requirement.
func (r Decisions) Stated(ctx context.Context, workflowID id.WorkflowID, number int64) ([]decision.Stated, error) {
	type row struct {
		ID                 id.UUID
		Number             int64
		Outcome            decision.Outcome
		DecidedAt          time.Time
		UserID, UserType   string
		RequiredDocumentID string
		Statement          *string
	}
	w, err := r.workflows().Get(ctx, workflowID)
	if err != nil {
		return nil, err
	}
	rows, err := db.Many[row](ctx, r.q, `
		SELECT DISTINCT ON (s.required_document_id, d.outcome = 'CREATED') d.id, d.number, d.outcome, d.decided_at, d.user_id, d.user_type, s.required_document_id,
			(d.personal::json -> 'statement')::text AS statement
		FROM decision d,
			LATERAL (SELECT coalesce(
				d.changes::json #>> '{document,required_document_id}',
				d.changes::json #>> '{created,required_document_id}',
				'') AS required_document_id) s
		WHERE d.workflow_id = $1 AND d.number <= $2 AND d.kind = 'DOCUMENT_STATUS' AND d.outcome IN ('UPDATED', 'CREATED', 'WAIVED')
		ORDER BY s.required_document_id, d.outcome = 'CREATED', d.number DESC`, w.ID, number)
	if err != nil {
		return nil, fmt.Errorf("read what was stated about documents: %w", err)
	}
	found := make([]decision.Stated, len(rows))
	for i, row := range rows {
		found[i] = decision.Stated{
			DecisionID: id.DecisionID{UUID: row.ID},
			Number:     row.Number, Outcome: row.Outcome, DecidedAt: row.DecidedAt,
			UserID: row.UserID, UserType: row.UserType,
		}
		if err := found[i].RequiredDocumentID.Parse(row.RequiredDocumentID); err != nil {
			return nil, fmt.Errorf("the changes of decision %s: %w", found[i].DecisionID, err)
		}
		if row.Statement == nil {
			continue
		}
		if err := json.Unmarshal([]byte(*row.Statement), &found[i].Statement); err != nil {
			return nil, fmt.Errorf("the statement of decision %s: %w", found[i].DecisionID, err)
		}
	}
	return found, nil
}

// CarriedInto finds the documents of a workflow that took over the approvals of an earlier one.
// Only the first calculation takes over approvals.
func (r Decisions) CarriedInto(ctx context.Context, workflowID id.WorkflowID, number int64) ([]calculation.CarriedRef, error) {
	w, err := r.workflows().Get(ctx, workflowID)
	if err != nil || !w.PreviousWorkflowID.Valid {
		return nil, err
	}
	row, there, err := db.One[struct{ Changes string }](ctx, r.q, `
		SELECT changes
		FROM decision
		WHERE workflow_id = $1 AND number <= $2
			AND kind = 'CALCULATION' AND outcome = 'CALCULATED'
		ORDER BY number LIMIT 1`, w.ID, number)
	if err != nil || !there {
		return nil, err
	}
	var changes decision.Changes
	if err := json.Unmarshal([]byte(row.Changes), &changes); err != nil {
		return nil, fmt.Errorf("the changes of the first decision of workflow %s: %w", workflowID, err)
	}
	return changes.Carried, nil
}

func (row decisionRow) recorded() (decision.Recorded, error) {
	d, err := row.decision()
	if err != nil {
		return decision.Recorded{}, err
	}
	read := decision.Recorded{Decision: d}
	if err := json.Unmarshal([]byte(d.Changes), &read.Changed); err != nil {
		return read, fmt.Errorf("the changes of decision %s: %w", d.ID, err)
	}
	if d.Results != "" {
		if err := json.Unmarshal([]byte(d.Results), &read.Evaluated); err != nil {
			return read, fmt.Errorf("the results of decision %s: %w", d.ID, err)
		}
	}
	if d.Personal != "" {
		read.OnFile = &decision.Personal{}
		if err := json.Unmarshal([]byte(d.Personal), read.OnFile); err != nil {
			return read, fmt.Errorf("the facts of decision %s: %w", d.ID, err)
		}
	}
	read.Evaluated = decision.ReasonsByName(read.Evaluated, read.OnFile)
	return read, nil
}

// recordErasure removes the personal parts of a workflow's decisions, and records the erasure. It
// does nothing if there are none left. The caller has locked the workflow.
func (r Decisions) recordErasure(ctx context.Context, workflow id.UUID) (int64, error) {
	tag, err := r.q.Exec(ctx, `UPDATE decision SET personal = NULL, salt = NULL, fingerprint = NULL WHERE workflow_id = $1 AND personal IS NOT NULL`, workflow)
	if err != nil || tag.RowsAffected() == 0 {
		return 0, err
	}
	file, err := r.application(ctx, id.WorkflowID{UUID: workflow}, r.day(r.at))
	if err != nil {
		return 0, err
	}
	batch := &pgx.Batch{}
	if _, err = r.record(ctx, batch, file, verdict{Content: decision.Content{Kind: decision.Erasure, Outcome: decision.Erased}}); err != nil {
		return 0, err
	}
	return tag.RowsAffected(), db.SendAll(ctx, r.q, batch)
}

// How much one statement reads.
const (
	businessBatch = 500
	recordBatch   = 50 // a decision may have megabytes
)

// AllDecisions reads the decisions of whole accounts in batches, for operators.
type AllDecisions struct{ *base }

// EachRecord calls see for the businesses of an account with any decision, in the order of their
// creation. If workflowID is not zero, it selects only the business of that workflow. If after is
// not zero, it starts after that business. It is for operators.
func (s AllDecisions) EachRecord(
	ctx context.Context,
	accountID id.AccountID, workflowID id.WorkflowID, after id.BusinessID,
	see func(id.BusinessID) error,
) error {
	last := after.UUID
	for {
		found, err := db.Column[id.UUID](ctx, s.db.Pool, `
			SELECT b.id FROM business b WHERE b.account_id = $1 AND b.id > $2
				AND ($3::uuid IS NULL OR b.id = (SELECT w.business_id FROM workflow w WHERE w.id = $3))
				AND EXISTS (SELECT FROM workflow w WHERE w.business_id = b.id AND `+decidedSQL+`)
			ORDER BY b.id LIMIT $4`, accountID.UUID, last, workflowID.NullUUID(), businessBatch)
		if err != nil {
			return fmt.Errorf("list the businesses with decisions: %w", err)
		}
		for _, last = range found {
			if err := see(id.BusinessID{UUID: last}); err != nil {
				return err
			}
		}
		if len(found) < businessBatch {
			return nil
		}
	}
}

// decidedSQL is the condition that workflow w has any decision.
const decidedSQL = `(w.decision_number > 0 OR EXISTS (SELECT FROM decision d WHERE d.workflow_id = w.id))`

// RecordPart selects what to read of a business's record.
type RecordPart struct {
	BusinessID id.BusinessID
	WorkflowID id.WorkflowID // zero for all workflows of the business
	Since      time.Time
	// Until ends the record of each workflow: with the last decision before it, or with a later
	// erasure. Zero is no limit.
	Until time.Time
}

// WholeRecord calls see for the decisions about a business, by workflow and in their order. After
// the decisions of a workflow it calls end with the head of the workflow's record. All is read from
// one database snapshot: a concurrent erasure appears in all workflows, or in none. It is for
// operators.
func (s AllDecisions) WholeRecord(
	ctx context.Context,
	scope domain.Scope, part RecordPart,
	see func(decision.Decision) error,
	end func(id.WorkflowID, decision.Head) error,
) error {
	type headRow struct {
		ID             id.UUID
		DecisionNumber int64
		DecisionDigest []byte
		DecidedAt      *time.Time
		Erased         bool
	}
	return s.db.InSnapshot(ctx, scope, func(tx pgx.Tx) error {
		heads, err := db.Many[headRow](ctx, tx, `
			SELECT w.id, w.decision_number, w.decision_digest, w.decided_at, b.erased_at IS NOT NULL AS erased
			FROM workflow w JOIN business b ON b.id = w.business_id
			WHERE w.business_id = $1 AND ($2::uuid IS NULL OR w.id = $2) AND `+decidedSQL+` ORDER BY w.id`,
			part.BusinessID.UUID, part.WorkflowID.NullUUID())
		if err != nil {
			return fmt.Errorf("read the ends of a record: %w", err)
		}
		for _, row := range heads {
			w, head := id.WorkflowID{UUID: row.ID}, decision.Head{Number: row.DecisionNumber, Digest: row.DecisionDigest, Erased: row.Erased}
			if row.DecidedAt != nil {
				head.DecidedAt = *row.DecidedAt
			}
			if err := eachDecision(ctx, tx, w, part, &head, see); err != nil {
				return err
			}
			if err := end(w, head); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachDecision calls see for the decisions of a workflow. If it leaves out later ones, it sets head
// to where the record ended before the first of them.
func eachDecision(ctx context.Context, q db.Querier, w id.WorkflowID, part RecordPart, head *decision.Head, see func(decision.Decision) error) error {
	var erasure int64
	if !part.Until.IsZero() {
		err := q.QueryRow(ctx, `
			SELECT coalesce(max(number), 0)
			FROM decision
			WHERE workflow_id = $1 AND kind = 'ERASURE' AND decided_at >= $2`,
			w.UUID, part.Until).Scan(&erasure)
		if err != nil {
			return fmt.Errorf("look for an erasure: %w", err)
		}
	}
	var after int64
	for {
		rows, err := db.Many[decisionRow](ctx, q, `
			SELECT `+decisionColumns+` FROM decision d WHERE d.workflow_id = $1 AND d.number > $2 AND d.decided_at >= $3 ORDER BY d.number LIMIT $4`,
			w.UUID, after, part.Since, recordBatch)
		if err != nil {
			return fmt.Errorf("read decisions: %w", err)
		}
		for _, row := range rows {
			after = row.Number
			d, err := row.decision()
			if err != nil {
				return err
			}
			if !part.Until.IsZero() && !d.DecidedAt.Before(part.Until) && d.Number > erasure {
				head.Number, head.Digest, head.DecidedAt = d.Number-1, d.PreviousDigest, time.Time{}
				if d.PreviousAt != nil {
					head.DecidedAt = *d.PreviousAt
				}
				return nil
			}
			if err := see(d); err != nil {
				return err
			}
		}
		if len(rows) < recordBatch {
			return nil
		}
	}
}
