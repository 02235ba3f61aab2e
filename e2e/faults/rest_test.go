//go:build deep

package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"golang.org/x/sync/errgroup"

	"requisite/e2e/harness"
	"requisite/internal/id"
	"requisite/workflows"
)

// restWithin is how long open deliveries may take after the last fault.
const restWithin = 4 * time.Minute

// rest waits until all deliveries and attempts have ended. The receivers recover, the owners enable
// disabled endpoints, and an operator retries waiting deliveries.
func (s *stack) rest(ctx context.Context, l *load) {
	s.healthy()
	l.sinks.heal()
	for _, a := range l.accounts {
		for _, h := range a.hooks() {
			if h.status != "ACTIVE" {
				l.setStatus(ctx, a, h, "ACTIVE")
			}
			l.enable(ctx, a, h)
		}
	}
	s.calculateTwice(ctx, l)
	s.lastDay(ctx, l)
	deadline := time.Now().Add(restWithin)
	for time.Now().Before(deadline) {
		open := s.openDeliveries(ctx)
		if len(open) == 0 {
			break
		}
		s.retry(ctx, l, open)
		pause(ctx, 5*time.Second)
	}
	for time.Now().Before(deadline) && len(s.openRuns(ctx)) > 0 {
		pause(ctx, 2*time.Second)
	}
	// An attempt of a worker that was killed ends when it is declared lost, also if its delivery has ended before.
	for time.Now().Before(deadline) && s.openAttempts(ctx) > 0 {
		pause(ctx, 2*time.Second)
	}
}

// twiceTries is how often calculateTwice begins again because the service, which goes on by the clock, has decided
// something between the two calculations.
const twiceTries = 10

// calculateTwice calculates each open workflow twice, under rules that are newer than its approvals.
func (s *stack) calculateTwice(ctx context.Context, l *load) {
	for _, a := range l.accounts {
		for _, p := range a.open() {
			l.renew(ctx, a, p)
		}
		l.publish(ctx, a)
	}
	type open struct {
		id      string
		uuid    id.UUID
		account string
	}
	for _, w := range rows(s, ctx, `SELECT id, account_id FROM workflow WHERE state <> 'ENDED' ORDER BY id`, func(r struct{ ID, Account id.UUID }) open {
		return open{id.Format(id.Workflow, r.ID), r.ID, id.Format(id.AccountSandbox, r.Account)}
	}) {
		calculate := func() (documents string, decisions, events int64) {
			request := harness.Object{"workflow_id": w.id}
			l.ask(ctx, Op{Operation: calculateDocuments, Account: w.account, Subject: w.id}, request, nil)
			l.ask(ctx, Op{Operation: "workflow.requiredDocument.list", Account: w.account, Subject: w.id, Field: unread}, request,
				func(_ *Op, data json.RawMessage) (err error) {
					documents, err = withoutTime(data)
					return err
				})
			require.NoError(s.t, s.Query(ctx, `SELECT decision_number FROM workflow WHERE id = '`+w.uuid.String()+`'`, &decisions))
			require.NoError(s.t, s.Query(ctx, `SELECT coalesce(max(sequence), 0) FROM webhook_event WHERE workflow_id = '`+w.uuid.String()+`'`, &events))
			return documents, decisions, events
		}
		before, first, told := calculate()
		for try := 1; ; try++ {
			after, second, toldThen := calculate()
			if second == first+1 || try == twiceTries {
				s.repeats = append(s.repeats, Repeat{w.id, before, after, toldThen - told})
				break
			}
			before, first, told = after, second, toldThen
		}
	}
}

// withoutTime returns a list of documents without the time of its calculation.
func withoutTime(list json.RawMessage) (string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(list, &fields); err != nil {
		return "", err
	}
	delete(fields, "documents_calculated_at")
	text, err := json.Marshal(fields)
	return string(text), err
}

// lastDay lets a day pass, and waits until everything that it brings is done.
func (s *stack) lastDay(ctx context.Context, l *load) {
	i, began, later := s.current["worker"], s.since(), 25*time.Hour
	require.NoError(s.t, setClock(i.clock, later))
	s.today = map[string]string{}
	var left []string
	for _, a := range l.accounts {
		today := time.Now().Add(later).In(zone(a.zone)).Format(time.DateOnly)
		s.today[a.id] = today
		left = append(left, fmt.Sprintf(`(account_id = '%s' AND next_on <= '%s')`, id.Must[id.AccountID](a.id).UUID, today))
	}
	var triggered time.Time
	s.Poll(s.t, "the deadlines are not applied", func(context.Context) (bool, error) {
		if time.Since(triggered) > triggerEvery {
			triggered = time.Now()
			s.trigger("deadlines")
		}
		due := rows(s, ctx, `SELECT id FROM required_document WHERE `+strings.Join(left, ` OR `), func(r struct{ ID id.UUID }) id.UUID { return r.ID })
		return len(due) == 0, fmt.Errorf("%d documents are left", len(due))
	})
	require.NoError(s.t, setClock(i.clock, 0))
	s.stepped = append(s.stepped, Span{began, s.since() + attemptLife})
}

func (s *stack) openAttempts(ctx context.Context) int {
	return len(rows(s, ctx, `SELECT delivery_id FROM webhook_attempt WHERE outcome = 'SENDING'`, func(r struct{ ID id.UUID }) id.UUID { return r.ID }))
}

func (s *stack) openDeliveries(ctx context.Context) []string {
	found := rows(s, ctx, `SELECT id FROM webhook_delivery_shown WHERE state IN ('PENDING', 'RETRYING', 'HELD') ORDER BY id`, func(r struct{ ID id.UUID }) string {
		return id.Format(id.WebhookDelivery, r.ID)
	})
	return found
}

// retriesAtOnce limits the operator's concurrent retries.
const retriesAtOnce = 8

func (s *stack) retry(ctx context.Context, l *load, deliveries []string) {
	var all errgroup.Group
	all.SetLimit(retriesAtOnce)
	for _, d := range deliveries[:min(len(deliveries), 200)] {
		all.Go(func() error {
			_, _ = l.client.Call(ctx, "webhook.delivery.retry", harness.Object{"delivery_id": d}, nil) // the delivery may have ended; rest retries it otherwise
			return nil
		})
	}
	_ = all.Wait()
}

// rows returns the rows of a query, converted by as.
func rows[R, T any](s *stack, ctx context.Context, sql string, as func(R) T) []T {
	conn, err := pgx.Connect(ctx, s.DatabaseURL)
	require.NoError(s.t, err)
	defer conn.Close(ctx)
	found, err := conn.Query(ctx, sql)
	require.NoError(s.t, err)
	list, err := pgx.CollectRows(found, pgx.RowToStructByPos[R])
	require.NoError(s.t, err)
	meant := make([]T, len(list))
	for i, r := range list {
		meant[i] = as(r)
	}
	return meant
}

// openRuns returns the open runs with the reason of each wait. Those of schedules stay open.
func (s *stack) openRuns(ctx context.Context) []OpenRun {
	c := s.Temporal(s.t)
	defer c.Close()
	var found []OpenRun
	var repeat []string
	for _, schedule := range workflows.Schedules() {
		repeat = append(repeat, "'"+schedule.Workflow+"'")
	}
	request := &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("ExecutionStatus = 'Running' AND WorkflowType NOT IN (%s)", strings.Join(repeat, ", ")), PageSize: 500}
	for {
		list, err := c.ListWorkflow(ctx, request)
		require.NoError(s.t, err)
		for _, e := range list.Executions {
			run := OpenRun{ID: e.Execution.WorkflowId, Type: e.Type.Name, Age: time.Since(e.StartTime.AsTime())}
			about, err := harness.Describe(ctx, c, run.ID, e.Execution.RunId)
			if err != nil || about.WorkflowExecutionInfo.CloseTime != nil {
				continue // the run has ended
			}
			for _, a := range about.PendingActivities {
				if a.LastFailure != nil {
					run.Reason = fmt.Sprintf("%s failed %d times", a.ActivityType.GetName(), a.Attempt-1)
				}
			}
			found = append(found, run)
		}
		if request.NextPageToken = list.NextPageToken; len(request.NextPageToken) == 0 {
			return found
		}
	}
}

// history collects the history of the run.
func (s *stack) history(ctx context.Context, l *load, began time.Time) *History {
	h := &History{
		Began: began, Ended: s.since(), Ops: l.ops, Shown: l.shown, Faulty: l.faulty, Arrivals: l.sinks.seen(),
		Today: s.today, Repeats: s.repeats, Stepped: s.stepped, Lost: s.lost, Runs: s.openRuns(ctx), Panics: panics(s.Dir),
	}
	account := func(u id.UUID) string { return id.Format(id.AccountSandbox, u) }
	h.Businesses = rows(s, ctx, `SELECT id, account_id, legal_name, established_date::text, industry_category_code FROM business`, func(r struct {
		ID, Account       id.UUID
		Name, Established string
		Codes             []string
	}) Business {
		return Business{id.Format(id.Business, r.ID), account(r.Account), r.Name, r.Established, r.Codes}
	})
	h.Workflows = rows(s, ctx, `SELECT id, business_id, account_id, state, evaluation_score::float8 FROM workflow`, func(r struct {
		ID, Business, Account id.UUID
		State                 string
		Score                 *float64
	}) Workflow {
		return Workflow{id.Format(id.Workflow, r.ID), id.Format(id.Business, r.Business), account(r.Account), r.State, r.Score}
	})
	h.Persons = rows(s, ctx, `SELECT id, business_id FROM person`, func(r struct{ ID, Business id.UUID }) Person {
		return Person{id.Format(id.Person, r.ID), id.Format(id.Business, r.Business)}
	})
	h.Decisions = rows(s, ctx, `
		SELECT id, workflow_id, number, kind, outcome, rule_set_id, coalesce(md5(personal::json->>'facts'), ''),
		       as_of::text, sandbox_today, changes FROM decision`, func(r struct {
		ID, Workflow  id.UUID
		Number        int64
		Kind, Outcome string
		Rules         id.NullUUID
		Facts, AsOf   string
		SandboxToday  bool
		Changes       string
	}) Decision {
		d := Decision{
			ID: id.Format(id.Decision, r.ID), WorkflowID: id.Format(id.Workflow, r.Workflow), Number: r.Number, Kind: r.Kind, Outcome: r.Outcome,
			Facts: r.Facts, AsOf: r.AsOf, SandboxToday: r.SandboxToday, Changes: json.RawMessage(r.Changes),
		}
		if r.Rules.Valid {
			d.Version = id.Format(id.RuleSetVersion, r.Rules.UUID)
		}
		return d
	})
	h.Documents = rows(s, ctx, `
		SELECT id, workflow_id, document_type_code, status, entity_id, reasons->0->>'version_id', reasons->0->'facts'->>'established_date',
		       coalesce(due_on::text, ''), coalesce(evidence->0->>'expires_on', '') FROM required_document`, func(r struct {
		ID, Workflow                                                    id.UUID
		Code, Status, EntityID, Version, Established, DueOn, ValidUntil string
	}) Document {
		return Document{
			id.Format(id.RequiredDocument, r.ID), id.Format(id.Workflow, r.Workflow), r.Code, r.Status, r.EntityID,
			r.Version, r.Established, r.DueOn, r.ValidUntil,
		}
	})
	h.Keys = rows(s, ctx, `SELECT account_id, key_id, day::text, status, activated_at IS NOT NULL FROM webhook_key`, func(r struct {
		Account            id.UUID
		KeyID, Day, Status string
		Activated          bool
	}) Key {
		return Key{account(r.Account), r.KeyID, r.Day, r.Status, r.Activated}
	})
	h.Events = rows(s, ctx, `SELECT id, account_id, event_type, workflow_id, sequence, fields::text FROM webhook_event`, func(r struct {
		ID, Account  id.UUID
		Type         string
		Workflow     id.NullUUID
		Sequence     int64
		FieldsAsText string
	}) Event {
		e := Event{ID: id.Format(id.WebhookEvent, r.ID), Account: account(r.Account), Type: r.Type, Sequence: r.Sequence, Fields: json.RawMessage(r.FieldsAsText)}
		if r.Workflow.Valid {
			e.WorkflowID = id.Format(id.Workflow, r.Workflow.UUID)
		}
		return e
	})
	h.Deliveries = rows(s, ctx, `SELECT id, event_id, endpoint_id, state FROM webhook_delivery_shown`, func(r struct {
		ID, Event, Endpoint id.UUID
		State               string
	}) Delivery {
		return Delivery{id.Format(id.WebhookDelivery, r.ID), id.Format(id.WebhookEvent, r.Event), id.Format(id.WebhookConfig, r.Endpoint), r.State}
	})
	h.Attempts = rows(s, ctx, `SELECT delivery_id, number, outcome, started_at FROM webhook_attempt`, func(r struct {
		Delivery  id.UUID
		Number    int
		Outcome   string
		StartedAt time.Time
	}) Attempt {
		return Attempt{id.Format(id.WebhookDelivery, r.Delivery), r.Number, r.Outcome, r.StartedAt.Sub(began)}
	})
	s.tenants.leaveOut(h)
	return h
}

// panics returns the log lines of panics.
func panics(dir string) []string {
	var found []string
	for _, program := range programs {
		log, _ := os.ReadFile(filepath.Join(dir, program+".log")) // the file exists, because the program has run
		for line := range strings.Lines(string(log)) {
			if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.Contains(line, `"panic`) {
				found = append(found, program+": "+strings.TrimSpace(line))
			}
		}
	}
	return found
}
