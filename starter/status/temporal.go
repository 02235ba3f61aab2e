package status

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"requisite/app"
	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/internal/telemetry"
	"requisite/internal/temporalclient"
	"requisite/workflows"
)

const temporal = "temporal"

func queues() []string {
	return []string{temporalclient.Sync, temporalclient.Webhooks, temporalclient.Endpoints, temporalclient.Upkeep}
}

func schedules() []store.Schedule {
	var list []store.Schedule
	for _, s := range workflows.Schedules() {
		list = append(list, store.Schedule(s.ID))
	}
	return list
}

// ofTemporal checks Temporal, and the runs and programs that use it.
func (i *Inspector) ofTemporal() []check {
	list := []check{{temporal, func(ctx context.Context, name string) []Finding { return one(i.temporal(ctx, name)) }}}
	with := func(name string, look func(context.Context, client.Client, string) Finding) {
		list = append(list, check{name, func(ctx context.Context, name string) []Finding {
			c, err := i.dialTemporal()
			if err != nil {
				return one(away(name, temporal))
			}
			return one(look(ctx, c, name))
		}})
	}
	for _, queue := range queues() {
		with("task queue "+queue, func(ctx context.Context, c client.Client, name string) Finding {
			pollers, backlog, err := i.polled(ctx, c, queue)
			if err != nil {
				return notAnswered(name, err)
			}
			return judgeQueue(name, pollers, backlog, i.answers(), time.Now())
		})
	}
	with("versions", i.versions)
	for _, s := range schedules() {
		with("schedule "+string(s), func(ctx context.Context, c client.Client, name string) Finding {
			return i.schedule(ctx, c, name, string(s))
		})
	}
	with("runs", i.runs)
	with("payload keyset", i.payloads)
	return list
}

// notAnswered is the finding of a check that Temporal did not answer. The line of Temporal itself says more.
func notAnswered(name string, err error) Finding {
	return unknown(name, "see the line "+temporal, "Temporal answered: %s", err)
}

// temporal connects to the server, checks the namespace, and looks up a run, which needs the server's database.
func (i *Inspector) temporal(ctx context.Context, name string) Finding {
	namespace := i.Service.TemporalNamespace
	c, err := i.dialTemporal()
	if err != nil {
		return wrong(name, "start it, or mend TEMPORAL_ADDRESS and TEMPORAL_TLS_…", "%s", err)
	}
	system, err := c.WorkflowService().GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	if err != nil {
		return troubled(name, "see Temporal's log", "%s", err)
	}
	var lack temporalclient.Lack
	switch err := temporalclient.CheckNamespace(ctx, c, namespace, true); {
	case errors.As(err, &lack):
		found, do, _ := strings.Cut(string(lack), "; ")
		return wrong(name, do, "%s", found)
	case err != nil:
		return troubled(name, "see Temporal's log", "%s", err)
	}
	described, err := c.WorkflowService().DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	if err != nil {
		return troubled(name, "see Temporal's log", "look for namespace %s: %s", namespace, err)
	}
	var absent *serviceerror.NotFound
	if _, err := c.WorkflowService().DescribeWorkflowExecution(ctx, &workflowservice.DescribeWorkflowExecutionRequest{
		Namespace: namespace, Execution: &commonpb.WorkflowExecution{WorkflowId: "starter-status"},
	}); err != nil && !errors.As(err, &absent) {
		return troubled(name, "see Temporal's log, and whether its database can be written", "ask for a run: %s", err)
	}
	return ok(name, "Temporal %s at %s; namespace %s keeps histories for %s", orUnknown(system.GetServerVersion()), i.Service.TemporalAddress, namespace,
		long(described.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration()))
}

// troubled is the finding of a server that answers with errors. Its database may be on the same Postgres.
func troubled(name, do, format string, args ...any) Finding {
	f := wrong(name, do, format, args...)
	f.follows = [][]string{{postgres}}
	return f
}

func orUnknown(version string) string {
	if version == "" {
		return "of an unknown version"
	}
	return version
}

// polls are the pollers of a task queue for tasks of one type.
type polls struct {
	Tasks   string
	Pollers []*taskqueuepb.PollerInfo
}

// polled returns the pollers of a task queue, and for how long the oldest task has waited there.
func (i *Inspector) polled(ctx context.Context, c client.Client, queue string) (list []polls, backlog time.Duration, err error) {
	for name, kind := range map[string]enumspb.TaskQueueType{"workflow": enumspb.TASK_QUEUE_TYPE_WORKFLOW, "activity": enumspb.TASK_QUEUE_TYPE_ACTIVITY} {
		found, err := c.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
			Namespace: i.Service.TemporalNamespace, TaskQueue: &taskqueuepb.TaskQueue{Name: queue}, TaskQueueType: kind, ReportStats: true,
		})
		if err != nil {
			return nil, 0, err
		}
		list = append(list, polls{name, found.GetPollers()})
		backlog = max(backlog, found.GetStats().GetApproximateBacklogAge().AsDuration())
	}
	slices.SortFunc(list, func(a, b polls) int { return strings.Compare(a.Tasks, b.Tasks) })
	return list, backlog, nil
}

// A poll takes a minute at most, and Temporal lists a process for some minutes after its end. A task
// normally waits for milliseconds.
const (
	polledWithin  = 2 * time.Minute
	backlogAtMost = time.Minute
)

// judgeQueue looks at who polls. Temporal lists a program that has ended for a while: that somebody polls is sure only
// if the programs answer.
func judgeQueue(name string, list []polls, backlog time.Duration, programs []answer, now time.Time) Finding {
	var by []string
	for _, p := range list {
		present := recent(p.Pollers, now)
		if len(present) == 0 {
			return wrong(name, "start a worker; if one runs, see its log and its TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE", "nobody polls for %s tasks", p.Tasks)
		}
		by = append(by, present...)
	}
	slices.Sort(by)
	by = slices.Compact(by)
	if backlog > backlogAtMost {
		return wrong(name, "start another worker, or see what holds them up", "the oldest task has waited for %s, for %s", long(backlog), strings.Join(by, ", "))
	}
	if silent := silentOf(programs); len(silent) > 0 && !anyAnswers(programs, by) {
		return unknown(name, see(silent...), "polled lately by %s, which may have ended since", strings.Join(by, ", "))
	}
	return ok(name, "polled by %s", strings.Join(by, ", "))
}

// silentOf returns the lines of the programs that give no answer.
func silentOf(programs []answer) (lines []string) {
	for _, a := range programs {
		if a.err != nil {
			lines = append(lines, a.line)
		}
	}
	return lines
}

// anyAnswers reports whether a program answers that polls under one of the identities, which have the form
// program@host/release.
func anyAnswers(programs []answer, identities []string) bool {
	for _, a := range programs {
		of := a.says(app.FactProgram) + "@"
		if of != "@" && slices.ContainsFunc(identities, func(by string) bool { return strings.HasPrefix(by, of) }) {
			return true
		}
	}
	return false
}

// recent returns the identities of the programs that have polled lately.
func recent(pollers []*taskqueuepb.PollerInfo, now time.Time) (list []string) {
	for _, p := range pollers {
		if now.Sub(p.GetLastAccessTime().AsTime()) < polledWithin {
			list = append(list, p.GetIdentity())
		}
	}
	return list
}

// versions compares the releases of the programs that poll.
func (i *Inspector) versions(ctx context.Context, c client.Client, name string) Finding {
	var by []string
	for _, queue := range queues() {
		list, _, err := i.polled(ctx, c, queue)
		if err != nil {
			return notAnswered(name, err)
		}
		for _, p := range list {
			by = append(by, recent(p.Pollers, time.Now())...)
		}
	}
	return judgeVersions(name, telemetry.Version(), by)
}

// judgeVersions takes identities of the form program@host/release.
func judgeVersions(name, own string, identities []string) Finding {
	slices.Sort(identities)
	count, releases := map[string]int{}, map[string]bool{}
	var said []string
	for _, identity := range slices.Compact(identities) {
		program, rest, _ := strings.Cut(identity, "@")
		release := rest[strings.LastIndex(rest, "/")+1:]
		count[program]++
		releases[release] = true
		said = append(said, program+" "+release)
	}
	for _, program := range []string{"api", "worker"} {
		if count[program] == 0 {
			cure := fmt.Sprintf("start the %s; if it runs, see its log and its TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE", program)
			return wrong(name, cure, "no %s is connected to Temporal", program)
		}
	}
	said = slices.Compact(said)
	all := fmt.Sprintf("starter %s, %s", own, strings.Join(said, ", "))
	releases[own] = true
	if len(releases) > 1 {
		all += "; they differ, as during an upgrade"
	}
	return ok(name, "%s", all)
}

func (i *Inspector) schedule(ctx context.Context, c client.Client, name, id string) Finding {
	found, err := c.WorkflowService().DescribeSchedule(ctx, &workflowservice.DescribeScheduleRequest{Namespace: i.Service.TemporalNamespace, ScheduleId: id})
	var none *serviceerror.NotFound
	switch {
	case errors.As(err, &none):
		return wrong(name, "restart a worker, which makes it", "it does not exist")
	case err != nil:
		return notAnswered(name, err)
	case found.GetSchedule().GetState().GetPaused():
		return wrong(name, "restart it in the Temporal UI, or with `temporal schedule toggle --unpause`", "somebody paused it")
	}
	return ok(name, "present, not paused")
}

// faults are the runs that need a person; docs/operating/runs.md has the list.
const faults = `(ExecutionStatus IN ("Failed", "TimedOut") OR (ExecutionStatus = "Terminated" AND TaskQueue NOT IN ("endpoints", "upkeep")))`

// lately is the period in which a failed run counts.
const lately = time.Hour

func (i *Inspector) runs(ctx context.Context, c client.Client, name string) Finding {
	query := fmt.Sprintf(`%s AND CloseTime > %q`, faults, time.Now().Add(-lately).UTC().Format(time.RFC3339))
	count, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: i.Service.TemporalNamespace, Query: query})
	switch {
	case err != nil:
		return notAnswered(name, err)
	case count.GetCount() > 0:
		failed, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Namespace: i.Service.TemporalNamespace, Query: query, PageSize: 1})
		if err != nil || len(failed.GetExecutions()) == 0 {
			return notAnswered(name, cmp.Or(err, errors.New("the list of failed runs is empty again")))
		}
		return wrong(name, `open the list "Faults" in the Temporal UI: each run shows its failure`, "%d failed in the last hour, the last of them %s",
			count.GetCount(), failed.GetExecutions()[0].GetExecution().GetWorkflowId())
	}
	return ok(name, "none failed in the last hour")
}

// readRuns is how many of the newest runs, and at most how many of the oldest, are read to see which keys encrypt payloads.
const readRuns = 20

func (i *Inspector) payloads(ctx context.Context, c client.Client, name string) Finding {
	if i.Service.PayloadKeyFile == "" {
		return unknown(name, "name it with REQUISITE_PAYLOAD_KEY_FILE", "--payload-key-file is not set")
	}
	keys, infos, err := i.keyset(ctx, i.Service.CheckPayloadKeys, i.Service.PayloadKeys)
	if err != nil {
		return wrong(name, "restore it from its backup", "%s", err)
	}
	use := payloadUse{keys: keys}
	if err := use.read(ctx, c); err != nil {
		return notAnswered(name, err)
	}
	return use.judge(name, len(infos))
}

// keyset loads a keyset, and lists its keys.
func (i *Inspector) keyset(ctx context.Context, check func() error, of func(context.Context) (vault.Keyset, error)) (*vault.Vault, []vault.KeyInfo, error) {
	if err := check(); err != nil {
		return nil, nil, err
	}
	keyset, err := of(ctx)
	if err != nil {
		return nil, nil, err
	}
	keys, err := keyset.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	infos, err := keyset.Keys()
	return keys, infos, err
}

// payloadUse counts the newest and the oldest runs, those that need an old key, and those whose key is missing.
type payloadUse struct {
	keys             *vault.Vault
	runs, old, lacks int
	example          string // a run whose key is missing
}

// read reads the newest and the oldest runs. The list begins with open ones.
func (u *payloadUse) read(ctx context.Context, c client.Client) error {
	var without []string // types of runs that have no payloads
	for _, s := range workflows.Schedules() {
		without = append(without, fmt.Sprintf("%q", s.Workflow))
	}
	query := `WorkflowType NOT IN (` + strings.Join(without, ", ") + `)`
	before, err := temporalclient.StartOfTheOldest(ctx, c, query, readRuns)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, query := range []string{query, temporalclient.StartedBefore(query, before)} {
		page, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: query, PageSize: readRuns})
		if err != nil {
			return err
		}
		for _, run := range page.GetExecutions() {
			if seen[run.GetExecution().GetRunId()] {
				continue
			}
			seen[run.GetExecution().GetRunId()] = true
			if err := u.readRun(ctx, c, run); err != nil {
				return err
			}
		}
	}
	return nil
}

// readRun looks at the first event of a run, which has its input.
func (u *payloadUse) readRun(ctx context.Context, c client.Client, run *workflowpb.WorkflowExecutionInfo) error {
	old, lacks := false, false
	for p, err := range temporalclient.Payloads(ctx, c, run, 1) {
		if err != nil {
			return err
		}
		old, lacks = old || codec.NeedsOldKey(u.keys, p), lacks || codec.LacksKey(u.keys, p)
	}
	u.runs++
	if old {
		u.old++
	}
	if lacks {
		u.lacks++
		u.example = run.GetExecution().GetWorkflowId()
	}
	return nil
}

func (u *payloadUse) judge(name string, keys int) Finding {
	if u.lacks > 0 {
		return wrong(name, "restore the keyset from its backup, and restart the programs; docs/operating/keysets.md",
			"%d of the %d newest and oldest runs are encrypted with a key that it does not have, such as %s", u.lacks, u.runs, u.example)
	}
	return ok(name, "%d key(s); of the %d newest and oldest runs, %d need an old key", keys, u.runs, u.old)
}
