//go:build deep

package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/internal/webhooks/delivery"
)

// TestDeadlines_ReadWhatIsDueAlone, however many documents are due later or elsewhere.
func TestDeadlines_ReadWhatIsDueAlone(t *testing.T) {
	b := setup(t)
	b.publishOverdue()
	for range 3 {
		b.openOverdue()
	}
	require.NoError(t, b.Exec(manyTenants))
	for _, sql := range []string{
		`INSERT INTO required_document SELECT (jsonb_populate_record(d, jsonb_build_object('id', overlay(gen_random_uuid()::text placing '01' from 1)::uuid, 'document_type_code', 'LATER' || n, 'next_on', d.next_on + 400))).*
			FROM required_document d, generate_series(1, 2000) n WHERE d.document_type_code = 'DEED'`,
		`UPDATE required_document SET next_on = current_date + 400 WHERE document_type_code = 'X'`,
		`VACUUM ANALYZE`,
	} {
		require.NoError(t, b.Exec(sql))
	}
	b.Pass(100 * 24 * time.Hour)
	noted := &pgtest.Spy{}
	b.Store = server.Open(t, pgtest.As(b.URL, pgtest.Worker), nil, store.Options{Tracer: noted, Now: b.Now})
	require.EqualValues(t, 3, b.deadlines().Overdue)
	looks := 0
	for _, q := range noted.Sent {
		if strings.Contains(q.SQL, "d.next_on <=") && strings.Contains(q.SQL, "LIMIT") {
			looks++
			require.LessOrEqual(t, b.RowsRead(q, "required_document"), 3.0, q.SQL)
			b.explain(&pgtest.Spy{Sent: []pgx.QueuedQuery{q}}, func(_, plan string) {
				require.Regexp(t, `required_document_next"? on[^\n]*\n *Index Cond: [^\n]*account_id[^\n]*next_on"? <=`, plan)
			})
		}
	}
	require.Equal(t, 1, looks)
	var plan string
	for _, line := range b.lines(`EXPLAIN SELECT a.id FROM account a CROSS JOIN LATERAL (SELECT FROM required_document d WHERE d.account_id = a.id AND d.next_on <= current_date LIMIT 1) AS due`) {
		plan += line + "\n"
	}
	require.Contains(t, plan, "required_document_next")
}

// TestDeadlines_AreBeyondTheBoundOfADay of what callers decide.
func TestDeadlines_AreBeyondTheBoundOfADay(t *testing.T) {
	b := setup(t)
	b.publishText("one", renewed)
	b.mustCalculate()
	until := b.approvePassport()
	b.goTo(until.Next(), "UTC", 0)
	b.mustCalculate()
	b.addDecisions(store.MaxDecisionsADay - 1)
	_, err := b.calculate(b.Run())
	require.Error(t, err)
	require.Equal(t, domain.Deadlines{RenewalDue: 1}, b.deadlines())
}

// TestPrune_DeletesDecisionsInBatches: after each, what is left of the record has no gap.
func TestPrune_DeletesDecisionsInBatches(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	const old = 1200
	b.addDecisions(old - 1)
	b.Pass(day)
	b.setOwnership(1000)
	b.mustCalculate()
	times := slices.Repeat([]time.Time{decision.Month(b.Now().Add(-store.DefaultDecisionLife)).Add(-time.Hour)}, old)
	b.redate(append(times, b.Now())...)

	var counts []int64
	pruned, err := b.Store.Upkeep.Prune(t.Context(), store.Retention{}, func(p domain.Pruned) {
		if p.Decisions == 0 || p.Decisions == old {
			return
		}
		counts = append(counts, p.Decisions)
		left := b.record()
		require.Len(t, left, old+1-int(p.Decisions))
		require.Equal(t, p.Decisions+1, left[0].Number)
	}, func(string, error) {})
	require.NoError(t, err)
	require.EqualValues(t, old, pruned.Decisions)
	require.NotEmpty(t, counts)
	require.EqualValues(t, 1000, counts[0])
	require.Equal(t, []int64{old + 1}, []int64{b.record()[0].Number})
}

// TestPlans_UseIndexes explains, as the api and under a tenant's setting, every
// statement of the operations that are asked for most, on tables that are large
// enough for a scan to show.
func TestPlans_UseIndexes(t *testing.T) {
	b := setup(t)
	b.furnish(b.Account, b.Call)
	require.NoError(t, b.Exec(manyTenants))
	require.NoError(t, b.Exec(`ANALYZE`))
	noted := &pgtest.Spy{}
	store := server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Tracer: noted})
	b.Store = store
	r := store.Records(b.Call.Scope)
	workflow, page := b.Workflow.WireID(), domain.Page{Limit: 20}
	require.NoError(t, errors.Join(
		only(r.Workflows.Get(t.Context(), workflow)),
		only(r.Workflows.WithFindings(t.Context(), workflow)),
		only2(r.Workflows.List(t.Context(), b.Account.WireID(), domain.WorkflowFilter{}, page)),
		only2(r.Documents.List(t.Context(), workflow, calculation.DocumentFilter{}, nil)),
		only2(r.Documents.List(t.Context(), workflow, calculation.DocumentFilter{Status: "PENDING"}, &page)),
		only(r.Businesses.Stored(t.Context(), b.Business.WireID())),
		only2(r.Businesses.List(t.Context(), b.Account.WireID(), "", page)),
		only2(r.Persons.List(t.Context(), b.Business.WireID(), "", page)),
		only2(r.Tenants.List(t.Context(), page)),
		only2(r.Webhooks.Deliveries(t.Context(), b.Account.WireID(), delivery.Filter{}, page)),
		only(r.Webhooks.Events(t.Context(), b.Account.WireID(), domain.EventQuery{}, page)),
		only(r.Webhooks.Events(t.Context(), b.Account.WireID(), inOrder, page))))
	b.Call = b.keyed("plans")
	b.setOwnership(10)
	b.publish(rule("B", "true"))
	b.Call.IdempotencyKey = "plans-2"
	b.mustCalculate()

	require.Greater(t, b.explain(noted, func(sql, plan string) { require.NotContains(t, plan, "Seq Scan", sql) }), 15)
}

// TestFeed_ReadsNoMoreThanAPage, however many events there are: with contents and
// without, at the beginning and at the end.
func TestFeed_ReadsNoMoreThanAPage(t *testing.T) {
	b := setup(t)
	b.addEvents(domain.WebhookTest, 12_000)
	_, end := b.readFeed("")
	require.NoError(t, b.Exec(`VACUUM ANALYZE`))
	noted := &pgtest.Spy{}
	b.Store = server.Open(t, pgtest.As(b.URL, pgtest.API), nil, store.Options{Tracer: noted})
	half := b.mustList(inOrder, 200, "")
	for range 3 {
		half = b.mustList(inOrder, 200, half.Next)
	}
	b.mustList(domain.EventQuery{OldestFirst: true, Payload: true}, 50, half.Next)
	b.mustList(inOrder, 50, end)
	pages := 0
	for _, q := range noted.Sent {
		if !strings.Contains(q.SQL, "webhook_event_position") {
			continue
		}
		pages++
		require.LessOrEqual(t, b.RowsRead(q, "webhook_event"), 201.0, q.SQL)
		require.LessOrEqual(t, b.RowsRead(q, "webhook_event_position"), 203.0, q.SQL)
	}
	require.Equal(t, 6+5, pages) // the end needs no page
}

// TestEachLatestCalculation_ReadsNoOtherAccounts: its plan scans neither all workflows nor
// all decisions.
func TestEachLatestCalculation_ReadsNoOtherAccounts(t *testing.T) {
	b := setup(t)
	b.publish(rule("ALWAYS", ""))
	b.mustCalculate()
	b.copyApplication(5000)
	other, _ := b.NewAccount("other", "UTC")
	for _, account := range []domain.Account{b.Account, other} {
		rows, err := b.Pool().Query(t.Context(), `EXPLAIN `+store.LatestCalculationsSQL, account.ID, b.Began, id.WorkflowID{}.UUID, 200, []string{"ALWAYS"})
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		plan := strings.Join(lines, "\n")
		require.NotContains(t, plan, "Seq Scan", plan)
		require.NotContains(t, plan, "Hash", plan)
	}
}

// manyTenants are 300 accounts of 100 organizations, with 20 workflows each.
const manyTenants = `
	INSERT INTO organization (id, name) SELECT gen_random_uuid(), 'many ' || n FROM generate_series(1, 100) n;
	INSERT INTO account (id, organization_id, environment, name, currency, time_zone)
		SELECT gen_random_uuid(), o.id, 'sandbox', 'a', 'USD', 'UTC' FROM organization o, generate_series(1, 3) WHERE o.name LIKE 'many %';
	INSERT INTO business (id, account_id, legal_name, created_at, updated_at) SELECT gen_random_uuid(), a.id, 'b', now(), now() FROM account a, generate_series(1, 20) WHERE a.name = 'a';
	INSERT INTO person (id, business_id, first_name, last_name, created_at, updated_at) SELECT gen_random_uuid(), b.id, 'f', 'l', now(), now() FROM business b WHERE b.legal_name = 'b';
	INSERT INTO sales_info (id, business_id, created_at) SELECT gen_random_uuid(), b.id, now() FROM business b WHERE b.legal_name = 'b';
	INSERT INTO sales_amount (sales_info_id, type, value, currency, position) SELECT s.id, 'HIGHEST_TICKET_SALE', 1, 'USD', 1 FROM sales_info s ON CONFLICT DO NOTHING;
	INSERT INTO workflow (id, account_id, business_id, state, created_at, created_on, updated_at) SELECT gen_random_uuid(), b.account_id, b.id, 'CREATED', now(), now(), now() FROM business b WHERE b.legal_name = 'b';
	INSERT INTO required_document (id, workflow_id, account_id, document_type_code, name, category, requirement_text, entity_type, entity_id, status, origin, due_since, approval, reasons, decision_id, created_at, updated_at)
		SELECT gen_random_uuid(), w.id, w.account_id, 'X', 'x', 'x', 'x', 'Workflow', 'w', 'PENDING', 'RULE', now(), NULL, '[{}]', gen_random_uuid(), now(), now() FROM workflow w WHERE w.state = 'CREATED';
	INSERT INTO decision (id, workflow_id, number, kind, outcome, decided_at, as_of, user_id, user_type, trace_id, changes, results, personal_sha256, digest)
		SELECT gen_random_uuid(), w.id, 1, 'DOCUMENT_STATUS', 'UPDATED', now(), now(), 'x', 'SYSTEM', '', '{}', '[]', sha256('x'), sha256('x') FROM workflow w WHERE w.state = 'CREATED';
	INSERT INTO rule_set (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by)
		SELECT gen_random_uuid(), a.id, n, '{}', sha256(''), 1, 1, now(), 'x' FROM account a, generate_series(1, 5) n WHERE a.name = 'a';
	INSERT INTO rule_proposal (id, account_id, content, environment_version, cost_limit, applies_to, keep_approvals, changes, comment, proposed_by, proposed_by_type, proposed_at)
		SELECT gen_random_uuid(), a.id, '{}', 1, 1, 'ALL', '{}', '{}', 'x', 'x', 'SYSTEM', now() FROM account a, generate_series(1, 5) n WHERE a.name = 'a';
	INSERT INTO pricing_model (id, account_id, version, content, sha256, environment_version, cost_limit, published_at, published_by)
		SELECT gen_random_uuid(), a.id, n, '{}', sha256(''), 1, 1, now(), 'x' FROM account a, generate_series(1, 5) n WHERE a.name = 'a';
	UPDATE workflow SET event_sequence = event_sequence + 1;
	INSERT INTO webhook_event (id, account_id, event_type, occurred_at, workflow_id, sequence, user_id, user_type, fields)
		SELECT gen_random_uuid(), w.account_id, 'X', now(), w.id, w.event_sequence, 'x', 'SYSTEM', '{}' FROM workflow w;
	INSERT INTO webhook_event_position (event_id, account_id, position, batch)
		SELECT v.id, v.account_id, 1000 + row_number() OVER (PARTITION BY v.account_id), gen_random_uuid() FROM webhook_event v WHERE v.event_type = 'X';
	INSERT INTO webhook_endpoint (id, account_id, url, url_key, status, slot, created_at, updated_at)
		SELECT gen_random_uuid(), a.id, 'https://x' || n, 'x' || n, 'ACTIVE', n, now(), now() FROM account a, generate_series(1, 3) n WHERE a.name = 'a';
	INSERT INTO webhook_key (account_id, key_id, day, iteration, status, secret_sealed, created_at, activated_at)
		SELECT a.id, 'whk_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD') || '_0' || n, (now() AT TIME ZONE 'UTC')::date, n, CASE n WHEN 1 THEN 'ACTIVE' ELSE 'INACTIVE' END, 'x', now(), CASE n WHEN 1 THEN now() END FROM account a, generate_series(1, 3) n WHERE a.name = 'a';
	INSERT INTO webhook_endpoint_health (endpoint_id) SELECT e.id FROM webhook_endpoint e ON CONFLICT DO NOTHING;
	INSERT INTO webhook_ready (endpoint_id, account_id) SELECT e.id, e.account_id FROM webhook_endpoint e ON CONFLICT DO NOTHING;
	INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, created_at, updated_at)
		SELECT gen_random_uuid(), v.account_id, v.id, e.id, 'DELIVERED', now(), now() FROM webhook_event v JOIN webhook_endpoint e ON e.account_id = v.account_id AND e.slot = 1 WHERE v.event_type = 'X';
	INSERT INTO outcome (run_id, organization_id, environment, operation, key, body_sha256, content) SELECT gen_random_uuid(), o.id, 'sandbox', 'x', 'k' || n, sha256(''), '{}' FROM organization o, generate_series(1, 50) n;
	INSERT INTO outcome (run_id, organization_id, environment, operation, content) SELECT 'many ' || n, gen_random_uuid(), 'sandbox', 'x', '{}' FROM generate_series(1, 5000) n;`
