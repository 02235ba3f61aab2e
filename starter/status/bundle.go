package status

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.temporal.io/api/workflowservice/v1"

	"requisite/internal/telemetry"
	"requisite/starter/cli"
)

// aboutBundle is the first text of a bundle.
const aboutBundle = "What starter status found, for somebody who helps. It holds no secrets and no data of applications. " +
	"It names hosts, databases and roles: read it before you send it."

// bundle has the information that support needs. A part that cannot be read is replaced by the error.
type bundle struct {
	About    string              `json:"about"`
	At       time.Time           `json:"at"`
	Starter  string              `json:"starter"`
	Status   json.RawMessage     `json:"status"`
	Settings json.RawMessage     `json:"settings"` // for a secret only whether it is set
	Postgres map[string]any      `json:"postgres"`
	Temporal map[string]any      `json:"temporal"`
	Metrics  map[string][]string `json:"metrics"` // of each program, by line
}

// Bundle writes the information that support needs as JSON.
func (i *Inspector) Bundle(ctx context.Context, out io.Writer, found []Finding) error {
	defer i.open(ctx)()
	var lines, settings bytes.Buffer
	if err := (&cli.List{JSON: true}).Print(&lines, headings, rowsOf(found)...); err != nil {
		return err
	}
	slog.New(slog.NewJSONHandler(&settings, nil)).Info("settings", "settings", &i.Service)
	b := bundle{
		About: aboutBundle, At: time.Now().UTC(), Starter: telemetry.ThisBuild().String(), Status: lines.Bytes(), Settings: settings.Bytes(),
		Postgres: i.aboutPostgres(ctx), Temporal: i.aboutTemporal(ctx), Metrics: map[string][]string{},
	}
	for _, base := range i.Programs {
		for _, at := range i.addresses(ctx, base) {
			b.Metrics[strings.TrimSpace(shownURL(base)+" "+at.address)] = i.metrics(ctx, base, at)
		}
	}
	return cli.PrintJSON(out, b)
}

// part is what a query found, or its error.
func part[T any](parts map[string]any, name string, found T, err error) {
	if err != nil {
		parts[name] = map[string]string{"error": oneLine(err.Error())}
		return
	}
	parts[name] = found
}

func (i *Inspector) aboutPostgres(ctx context.Context) map[string]any {
	parts := map[string]any{}
	ctx, cancel := context.WithTimeout(ctx, i.Timeout)
	defer cancel()
	s, err := i.openStore()
	if err != nil {
		part(parts, "connection", 0, err)
		return parts
	}
	server, err := s.Database.Server(ctx)
	part(parts, "server", server, err)
	settings, err := s.Database.Settings(ctx)
	part(parts, "settings", settings, err)
	tables, err := s.Database.Tables(ctx)
	part(parts, "tables", tables, err)
	sessions, err := s.Database.Sessions(ctx)
	part(parts, "sessions", sessions, err)
	state, err := s.Upkeep.BackgroundState(ctx, true)
	part(parts, "deliveries", state, err)
	applied, newest, err := s.Database.Schema().Versions(ctx)
	part(parts, "schema", []int64{applied, newest}, err)
	return parts
}

// failedRun is a run that failed. Its ids are ids of records; its history stays encrypted.
type failedRun struct {
	Type       string    `json:"type"`
	Status     string    `json:"status"`
	WorkflowID string    `json:"workflow_id"`
	RunID      string    `json:"run_id"`
	Started    time.Time `json:"started"`
	Closed     time.Time `json:"closed"`
}

// failedRuns is how many runs that failed are listed.
const failedRuns = 50

func (i *Inspector) aboutTemporal(ctx context.Context) map[string]any {
	parts := map[string]any{}
	ctx, cancel := context.WithTimeout(ctx, i.Timeout)
	defer cancel()
	c, err := i.dialTemporal()
	if err != nil {
		part(parts, "connection", 0, err)
		return parts
	}
	namespace := i.Service.TemporalNamespace
	system, err := c.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	part(parts, "server", system.GetServerVersion(), err)
	for _, queue := range queues() {
		list, backlog, err := i.polled(ctx, c, queue)
		pollers := map[string][]string{}
		for _, p := range list {
			for _, by := range p.Pollers {
				pollers[p.Tasks] = append(pollers[p.Tasks], fmt.Sprintf("%s, %s", by.GetIdentity(), by.GetLastAccessTime().AsTime().Format(time.RFC3339)))
			}
		}
		part(parts, "queue "+queue, map[string]any{"pollers": pollers, "backlog": backlog.String()}, err)
	}
	for _, status := range []string{"Running", "Completed", "Failed", "TimedOut", "Terminated", "Canceled"} {
		count, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: namespace, Query: fmt.Sprintf("ExecutionStatus = %q", status)})
		part(parts, "runs "+strings.ToLower(status), count.GetCount(), err)
	}
	page, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Namespace: namespace, Query: faults, PageSize: failedRuns})
	runs := []failedRun{}
	for _, r := range page.GetExecutions() {
		runs = append(runs, failedRun{
			r.GetType().GetName(), r.GetStatus().String(),
			r.GetExecution().GetWorkflowId(), r.GetExecution().GetRunId(),
			r.GetStartTime().AsTime(), r.GetCloseTime().AsTime(),
		})
	}
	part(parts, "failed", runs, err)
	return parts
}

// metricsAtMost limits the bytes of the metrics of a program.
const metricsAtMost = 4 << 20

func (i *Inspector) metrics(ctx context.Context, base string, at address) []string {
	ctx, cancel := context.WithTimeout(ctx, i.Timeout)
	defer cancel()
	status, body, err := i.get(ctx, base, "metrics", at, metricsAtMost)
	switch {
	case err != nil:
		return []string{"no answer: " + oneLine(reason(err))}
	case status != http.StatusOK:
		return []string{fmt.Sprintf("answered %d", status)}
	}
	return slices.DeleteFunc(strings.Split(body, "\n"), func(line string) bool { return line == "" || strings.HasPrefix(line, "#") })
}
