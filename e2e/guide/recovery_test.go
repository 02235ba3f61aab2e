//go:build deep

package guide_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/needs"
	"requisite/workflows"
)

func (s *stack) exec(sql string, args ...any) {
	s.t.Helper()
	_, err := s.Exec(s.t.Context(), sql, args...)
	require.NoError(s.t, err)
}

// TestGuide_BacksUpAndRestores backs up the database while the service works, restores it
// into another database, and continues the service with that. Then it rotates the keys that
// seal the restored secrets.
func TestGuide_BacksUpAndRestores(t *testing.T) {
	path := postgresPrograms(t)
	s := newStack(t)
	asleep, awake := s.sink("WEBHOOK_TEST"), s.sink("REQUIRED_DOCUMENTS_CALCULATED")
	asleep.answers(harness.Together(3, harness.InAnHour))
	slept := asleep.test(3)
	w := s.Application(t)
	once := requisite.IdempotencyKey("before the backup")
	kept := s.Must(t, "workflow.requiredDocument.calculate", w, nil, once)

	calculated, stop := s.load(t)
	s.Poll(t, "nothing is calculated", func(context.Context) (bool, error) { return calculated.Load() >= 3, nil })
	cursor := s.caughtUp(t, "")
	restored := s.backUp(t, path, calculated)
	stop()

	// The restore loses everything after the backup: these deliveries, and the runs that
	// made them.
	asleep.answers(nil)
	s.starter("delivery", "list", "--account", s.AccountID, "--status", "RETRYING")
	s.overdue()
	for _, event := range slept {
		deliveries, err := s.Deliveries(t.Context(), requisite.DeliveryListRequestFilters{EventID: &event})
		require.NoError(t, err)
		s.starter("delivery", "retry", deliveries[0].DeliveryID)
	}
	s.awaitDelivered()
	asleep.forget()
	awake.forget()
	lost := s.caughtUp(t, cursor)

	s.API.Stop(t)
	s.Worker.Stop(t)
	s.UseDatabase(restored)
	s.starter("migrate", "--api-role", harness.API, "--worker-role", harness.Worker)
	s.overdue()
	s.StartPrograms(t)
	s.awaitDelivered()
	again := asleep.forget()
	for _, event := range slept {
		require.Positive(t, again[event], "the service sends again what was not delivered at the time of the backup")
	}
	var torn int
	require.NoError(t, s.Query(t.Context(), `
		SELECT count(*) FROM (SELECT d.workflow_id FROM required_document d JOIN workflow w ON w.id = d.workflow_id WHERE w.account_id = $1) d FULL JOIN
			(SELECT workflow_id FROM webhook_event WHERE event_type = 'REQUIRED_DOCUMENTS_CALCULATED' AND account_id = $1) v USING (workflow_id)
		WHERE d IS NULL OR v IS NULL`, &torn, s.AccountKey()))
	require.Zero(t, torn, "the backup is a consistent snapshot")
	for range 2 { // the second time, the restored events have new positions
		_, err := s.Client.WebhookEventList(t.Context(), s.feedAfter(lost))
		var refused requisite.Error
		require.ErrorAs(t, err, &refused)
		require.Equal(t, []string{"SYSTEM_RULE_VIOLATION", "CURSOR_UNKNOWN", "WebhookEvent"}, []string{refused.Code, refused.SubCode, refused.EntityType})
		s.caughtUp(t, cursor)
	}
	repeat := s.Must(t, "workflow.requiredDocument.calculate", w, nil, once)
	require.JSONEq(t, string(kept.Data), string(repeat.Data))
	s.Must(t, "workflow.requiredDocument.calculate", w, nil)
	s.Must(t, "workflow.requiredDocument.calculate", s.Application(t), nil)
	s.awaitDelivered()
	require.NotEmpty(t, awake.forget())
	s.starter("decision", "verify", "--account", s.AccountID)

	s.rotate(t, awake)
}

// feedAfter returns a request for the feed after a cursor.
func (s *stack) feedAfter(cursor string) requisite.EventListRequest {
	request := requisite.EventListRequest{AccountID: s.AccountID, Order: requisite.Ptr("OLDEST_FIRST"), Page: &requisite.Page{Limit: requisite.Ptr(int64(200))}}
	if cursor != "" {
		request.Page.After = &cursor
	}
	return request
}

// caughtUp reads the feed to its end, and returns the last cursor.
func (s *stack) caughtUp(t testing.TB, cursor string) string {
	for {
		page, err := s.Client.WebhookEventList(t.Context(), s.feedAfter(cursor))
		require.NoError(t, err)
		require.NotNil(t, page.Data.Next)
		cursor = *page.Data.Next
		if page.Data.CaughtUp {
			return cursor
		}
	}
}

// load calculates one application after the other until stop.
func (s *stack) load(t *testing.T) (done *atomic.Int64, stop func()) {
	done, ended, ending := new(atomic.Int64), make(chan struct{}), make(chan struct{})
	s.Publish(t, "business_age_years >= 5")
	go func() {
		defer close(ended)
		for {
			select {
			case <-ending:
				return
			default:
			}
			var business, workflow harness.Object
			_, err := harness.Call(t.Context(), s.Client, "business.create", harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": "Ltd", "established_date": "2001-01-01"}}, &business)
			if err == nil {
				_, err = harness.Call(t.Context(), s.Client, "workflow.create", harness.Object{"account_id": s.AccountID, "workflow": business}, &workflow)
			}
			if err == nil {
				_, err = harness.Call(t.Context(), s.Client, "workflow.requiredDocument.calculate", workflow, nil)
			}
			if err != nil {
				t.Error("under load:", err)
				return
			}
			done.Add(1)
		}
	}()
	return done, func() { close(ending); <-ended }
}

// backUp follows the guide. It restores into another database, and returns its URL. The backup does not end before one
// more is calculated.
func (s *stack) backUp(t *testing.T, path string, calculated *atomic.Int64) string {
	restored := s.CreateDatabase(t, "requisite_restored")
	release := s.Hold(t, `LOCK TABLE rule_proposal`) // pg_dump waits for it, with its snapshot; calculations do not use it
	dumped := make(chan struct{})
	go func() {
		defer close(dumped)
		s.shell(t, "BACKUP_DIRECTORY=/var/backups/requisite", path, harness.AsOwner(s.DatabaseURL))
	}()
	s.Poll(t, "the backup does not wait", func(ctx context.Context) (waits bool, err error) {
		err = s.Query(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'pg_dump' AND wait_event_type = 'Lock')`, &waits)
		return waits || t.Failed(), err
	})
	began := calculated.Load()
	s.Poll(t, "the service does not calculate during the backup", func(context.Context) (bool, error) { return calculated.Load() > began+1, nil })
	release()
	<-dumped
	dumps, err := filepath.Glob(filepath.Join(s.Dir, "requisite-*.dump"))
	require.NoError(t, err)
	require.Len(t, dumps, 1)
	require.NoError(t, os.Rename(dumps[0], filepath.Join(s.Dir, "requisite.dump")))
	s.shell(t, "pg_restore", path, harness.AsOwner(restored))
	return restored
}

// shell runs the last command of the guide that begins with a word.
func (s *stack) shell(t *testing.T, program, path, database string) {
	var line string
	for _, b := range blocks(t, "../../docs/operating/backup.md") {
		for l := range strings.Lines(b.text) {
			if strings.HasPrefix(l, "$ "+program+" ") {
				line = strings.TrimPrefix(l, "$ ")
			}
		}
	}
	require.NotEmpty(t, line, "the guide has no %s", program)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	command := exec.Command("sh", "-c", strings.NewReplacer("/var/backups/requisite", s.Dir, " deploy/", " "+root+"/deploy/").Replace(line))
	command.Dir = s.Dir
	command.Env = append(os.Environ(), "PATH="+path+":"+os.Getenv("PATH"), "DATABASE_URL="+database)
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s%s", line, out)
}

// postgresPrograms returns the directory of pg_dump and pg_restore.
func postgresPrograms(t *testing.T) string {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump")
	require.NoError(t, err)
	if path, err := exec.LookPath("pg_dump"); err == nil {
		found = append(found, path)
	}
	for _, dump := range found {
		if _, err := os.Stat(filepath.Join(filepath.Dir(dump), "pg_restore")); err == nil {
			return filepath.Dir(dump)
		}
	}
	needs.Lacking(t, "pg_dump and pg_restore are not installed: apt-get install postgresql-client")
	return ""
}

// rotate follows the guide to rotate the key that seals secrets, while the service runs.
func (s *stack) rotate(t *testing.T, k *sink) {
	works := func(step string) {
		t.Helper()
		k.forget()
		w := s.Application(t)
		s.Must(t, "workflow.requiredDocument.calculate", w, nil)
		s.awaitDelivered()
		require.Len(t, k.forget(), 1, "after %s", step)
	}
	s.starter("keyset", "add", s.KEKFile())
	s.restart()
	s.starter("keyset", "promote", s.KEKFile())
	s.restart()
	works("promote")
	out, err := s.Starter("keyset", "drop").CombinedOutput()
	require.Error(t, err, "the old key is still in use: %s", out)
	require.Contains(t, s.starter("keyset", "rewrap"), "0 left")
	s.starter("keyset", "drop")
	s.restart()
	works("drop")
}

// TestGuide_RecoversFailedDeliveries makes deliveries FAILED, one with a command and the
// others by canceling the endpoint's run. Then it recovers them, as after an outage.
func TestGuide_RecoversFailedDeliveries(t *testing.T) {
	s := newStack(t)
	k := s.sink("WEBHOOK_TEST")
	k.answers(harness.Together(3, harness.InAnHour))
	k.test(3)
	pattern := regexp.MustCompile(`whd_\w+`)
	list := func(status string) []string {
		return pattern.FindAllString(s.starter("delivery", "list", "--endpoint", k.configID, "--status", status), -1)
	}
	require.Len(t, list("RETRYING"), 3)
	one := list("RETRYING")[0]
	s.starter("delivery", "cancel", one)
	require.Equal(t, []string{one}, list("FAILED"))
	require.Contains(t, s.starter("delivery", "get", one), "503")
	c := s.Temporal(t)
	s.Poll(t, "the endpoint has no run", func(ctx context.Context) (bool, error) {
		err := c.CancelWorkflow(ctx, k.configID, "")
		return err == nil, err
	})
	s.Poll(t, "the deliveries are not FAILED", func(context.Context) (bool, error) { return len(list("FAILED")) == 3, nil })
	k.answers(nil)
	s.starter("delivery", "flush", k.configID)
	s.operate("webhook.delivery.recover", harness.Object{"config_id": k.configID, "since": time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)}, nil)
	s.awaitDelivered()
	s.Must(t, "webhook.config.delete", harness.Object{"config_id": k.configID}, nil)
}

// TestGuide_PrunesOldAttempts shortens the retention of attempts, and triggers the schedule.
func TestGuide_PrunesOldAttempts(t *testing.T) {
	s := newStack(t)
	k := s.sink("WEBHOOK_TEST")
	s.exec(`
		WITH old AS (SELECT overlay(gen_random_uuid()::text placing '00000000-0000-7000' from 1)::uuid AS id, now() - interval '5 days' AS at),
		event AS (INSERT INTO webhook_event (id, account_id, event_type, occurred_at, user_id, user_type, fields)
			SELECT old.id, e.account_id, 'WEBHOOK_TEST', old.at, 'u', 'SYSTEM', '{}' FROM old, webhook_endpoint e WHERE e.url LIKE '` + k.url + `%'),
		delivery AS (INSERT INTO webhook_delivery (id, account_id, event_id, endpoint_id, state, attempt_count, created_at, updated_at)
			SELECT old.id, e.account_id, old.id, e.id, 'DELIVERED', 1, old.at, old.at FROM old, webhook_endpoint e WHERE e.url LIKE '` + k.url + `%')
		INSERT INTO webhook_attempt (delivery_id, number, endpoint_id, outcome, key_id, started_at, status_code, probe, epoch, workflow_id, run_id, activity_id)
		SELECT old.id, 1, e.id, 'SUCCEEDED', '` + s.key + `', old.at, 200, false, 0, '', '', '' FROM old, webhook_endpoint e WHERE e.url LIKE '` + k.url + `%'`)
	s.Set("REQUISITE_KEEP_ATTEMPTS=96h")
	s.restart()
	c := s.Temporal(t)
	s.exec(`UPDATE schedule_success SET at = now() - interval '1 day'`)
	for _, schedule := range workflows.Schedules() {
		require.NoError(t, harness.StartRound(t.Context(), c, schedule.ID))
	}
	s.Poll(t, "the successes are not recorded", func(ctx context.Context) (recorded bool, err error) {
		err = s.Query(ctx, `SELECT bool_and(at > now() - interval '1 hour') FROM schedule_success WHERE schedule NOT IN ('backup', 'restore')`, &recorded)
		return recorded, err
	})
	var attempts, events int
	require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_attempt WHERE started_at < now() - interval '4 days'`, &attempts))
	require.Zero(t, attempts)
	require.NoError(t, s.Query(t.Context(), `SELECT count(*) FROM webhook_event WHERE occurred_at < now() - interval '4 days' AND account_id = $1`, &events, s.AccountKey()))
	require.Equal(t, 1, events, "the event stays")
	s.Must(t, "webhook.config.delete", harness.Object{"config_id": k.configID}, nil)

	out, err := s.Command(nil, "worker", "--keep-attempts", "744h", "--keep-outcomes", "1h").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "--keep-attempts is 744h0m0s, but attempts are deleted with their events")
	require.Contains(t, string(out), "--keep-outcomes is 1h0m0s and must be at least 24h0m0s")
}

// TestGuide_SetsTheRetentionOfHistories: migrate sets the retention of the namespace, and a
// later migrate without the flag does not shorten it.
func TestGuide_SetsTheRetentionOfHistories(t *testing.T) {
	s := newStack(t)
	c := s.Temporal(t)
	retention := func() time.Duration {
		described, err := c.WorkflowService().DescribeNamespace(t.Context(), &workflowservice.DescribeNamespaceRequest{Namespace: "requisite"})
		require.NoError(t, err)
		return described.Config.WorkflowExecutionRetentionTtl.AsDuration()
	}
	require.Contains(t, s.starter("migrate", "--retention", "720h"), "are kept for 720h0m0s")
	require.Equal(t, 720*time.Hour, retention())
	require.Contains(t, s.starter("migrate"), "are kept for 720h0m0s")
	require.Equal(t, 720*time.Hour, retention())
	s.starter("migrate", "--retention", "48h")
	require.Equal(t, 48*time.Hour, retention())
	refused, err := s.Starter("migrate", "--retention", "23h").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(refused), "at least 24h0m0s")
}

// TestGuide_RecoversFromTheLossOfTemporal deletes Temporal's data while a calculation runs
// and deliveries wait, and follows the guide. The calculation may still be saved and
// answered, because its step may outlive its run.
func TestGuide_RecoversFromTheLossOfTemporal(t *testing.T) {
	s := newStack(t)
	k := s.sink("WEBHOOK_TEST")
	k.answers(harness.Together(3, harness.InAnHour))
	slept := k.test(3)
	k.forget()
	w := s.Application(t)
	release := s.Hold(t, `LOCK TABLE outcome IN SHARE MODE`)
	open := s.InBackground("workflow.requiredDocument.calculate", w)
	s.Poll(t, "the calculation does not begin", func(ctx context.Context) (bool, error) {
		var waiting bool
		err := s.Query(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name LIKE 'requisite-%' AND wait_event_type = 'Lock')`, &waiting)
		return waiting, err
	})
	s.LoseTemporal(t)
	release()
	lost := <-open
	require.NoError(t, lost.Err)
	if lost.HTTPStatus == http.StatusOK {
		require.Len(t, s.Documents(t, w), 1, "an answered calculation is saved")
	}
	k.answers(nil)

	out := s.starter("migrate")
	require.Contains(t, out, "histories of ended runs are kept for 168h0m0s")
	s.restart()
	s.Must(t, "workflow.requiredDocument.calculate", w, nil)
	require.Len(t, s.Documents(t, w), 1)
	s.overdue()
	s.awaitDelivered()
	again := k.forget()
	for _, event := range slept {
		require.Positive(t, again[event], "the waiting delivery is attempted again")
	}
	c := s.Temporal(t)
	for _, schedule := range workflows.Schedules() {
		_, err := c.WorkflowService().DescribeSchedule(t.Context(), &workflowservice.DescribeScheduleRequest{Namespace: "requisite", ScheduleId: schedule.ID})
		require.NoError(t, err, "schedule %s", schedule.ID)
	}
}
