//go:build deep

package outages_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"requisite/e2e/harness"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// statusLine is one line of `starter status`.
type statusLine struct{ State, Check, Found string }

// status runs `starter status` with more settings and flags. code is its exit code.
func (s stack) status(t *testing.T, code int, env []string, flags ...string) map[string]statusLine {
	t.Helper()
	got, lines := s.askStatus(t, env, append([]string{"--timeout", "5m"}, flags...)...)
	require.Equal(t, code, got, "%+v", lines)
	return lines
}

// awaitStatus runs `starter status` until all lines are right. On a slow machine, a program may not answer in time.
func (s stack) awaitStatus(t *testing.T, right func(statusLine) bool, flags ...string) (code int, lines map[string]statusLine) {
	t.Helper()
	s.Await(t, "the lines of starter status", func(context.Context) error {
		code, lines = s.askStatus(t, nil, flags...)
		for _, l := range lines {
			if !right(l) {
				return fmt.Errorf("%+v", l)
			}
		}
		return nil
	})
	return code, lines
}

// askStatus runs `starter status` once, and returns its exit code.
func (s stack) askStatus(t *testing.T, env []string, flags ...string) (code int, lines map[string]statusLine) {
	t.Helper()
	env = append(append(s.Environment(), "REQUISITE_API_ROLE=requisite_api", "REQUISITE_WORKER_ROLE=requisite_worker"), env...)
	args := append([]string{"status", "--json", "--program", "http://" + s.Metrics["api"], "--program", "http://" + s.Metrics["worker"]}, flags...)
	out, err := s.Command(env, "starter", args...).Output()
	if exit := (&exec.ExitError{}); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	var list []statusLine
	require.NoError(t, json.Unmarshal(out, &list), "%v %s", err, out)
	lines = map[string]statusLine{}
	for _, l := range list {
		lines[l.Check] = l
	}
	return code, lines
}

// backUp records a backup, and that it was restored.
func (s stack) backUp(t *testing.T) {
	t.Helper()
	_, err := s.Exec(t.Context(), `UPDATE schedule_success SET at = now() WHERE schedule IN ('backup', 'restore')`)
	require.NoError(t, err)
}

func TestStatus_OfAWellService(t *testing.T) {
	s := stack{harness.New(t)} // in which no test has let a run fail
	s.Must(t, "workflow.requiredDocument.calculate", s.Application(t), nil)
	s.backUp(t)
	s.Await(t, "both programs to be ready", func(ctx context.Context) error { // they work a moment before they say so
		for _, program := range []string{"api", "worker"} {
			if err := harness.AnswersOK(ctx, "http://"+s.Metrics[program]+"/readyz"); err != nil {
				return fmt.Errorf("ask the %s: %w", program, err)
			}
		}
		return nil
	})
	file := filepath.Join(t.TempDir(), "status.json")
	code, lines := s.awaitStatus(t, func(l statusLine) bool { return l.State == "OK" }, "--timeout", "5m", "--bundle", file)
	require.Equal(t, 0, code)
	require.Contains(t, lines["task queue sync"].Found, "api@")
	require.Contains(t, lines["task queue sync"].Found, "worker@")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(text), `"error"`)
	require.Contains(t, string(text), "requisite_webhook_overdue")
}

// TestStatus_OfANamespaceWithoutPrograms: what nobody has made, and what nobody works on. The cause is that no program is there.
func TestStatus_OfANamespaceWithoutPrograms(t *testing.T) {
	s := newStack(t)
	s.backUp(t)
	elsewhere := []string{"TEMPORAL_NAMESPACE=elsewhere"}
	require.Equal(t, statusLine{"WRONG", "temporal", "no namespace elsewhere at Temporal"}, s.status(t, 3, elsewhere)["temporal"])
	migrated := s.Command(append(s.Environment(), elsewhere...), "starter", "migrate")
	out, err := migrated.CombinedOutput()
	require.NoError(t, err, "%s", out)
	lines := s.status(t, 3, elsewhere)
	require.Equal(t, "OK", lines["temporal"].State, "%+v", lines["temporal"])
	for _, queue := range []string{"sync", "webhooks", "endpoints", "upkeep"} {
		require.Equal(t, statusLine{"UNKNOWN", "task queue " + queue, "nobody polls for activity tasks"}, lines["task queue "+queue])
	}
	require.Equal(t, statusLine{"WRONG", "versions", "no api is connected to Temporal"}, lines["versions"])
	for _, schedule := range []string{"prune", "reconcile"} {
		require.Equal(t, statusLine{"UNKNOWN", "schedule " + schedule, "it does not exist"}, lines["schedule "+schedule])
	}
	require.Equal(t, "OK", lines["runs"].State)

	c, err := client.NewLazyClient(client.Options{HostPort: s.TemporalAddress, Namespace: "elsewhere"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: "upkeep", WorkflowExecutionTimeout: time.Second}, "Prune")
	require.NoError(t, err)
	s.Poll(t, "the run does not time out", func(ctx context.Context) (bool, error) {
		found, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Query: `ExecutionStatus = "TimedOut"`})
		return found.GetCount() == 1, err
	})
	line := s.status(t, 3, elsewhere)["runs"]
	require.Equal(t, "WRONG", line.State)
	require.Equal(t, "1 failed in the last hour, the last of them "+run.GetID(), line.Found)
}

func TestStatus_FindsAPausedScheduleAndAnotherKeyset(t *testing.T) {
	s := newStack(t)
	s.backUp(t)
	s.Must(t, "workflow.requiredDocument.calculate", s.Application(t), nil)
	schedule := s.Temporal(t).ScheduleClient().GetHandle(t.Context(), "prune")
	require.NoError(t, schedule.Pause(t.Context(), client.SchedulePauseOptions{}))
	require.Equal(t, statusLine{"WRONG", "schedule prune", "somebody paused it"}, s.status(t, 3, nil)["schedule prune"])
	require.NoError(t, schedule.Unpause(t.Context(), client.ScheduleUnpauseOptions{}))

	other := filepath.Join(t.TempDir(), "payload.json")
	out, err := s.Starter("keyset", "create", other).CombinedOutput()
	require.NoError(t, err, "%s", out)
	found := s.status(t, 3, []string{"REQUISITE_PAYLOAD_KEY_FILE=" + other})["payload keyset"]
	require.Equal(t, "WRONG", found.State)
	require.Regexp(t, `newest and oldest runs are encrypted with a key that it does not have, such as \w+/`, found.Found)
}

// TestStatus_WhileTemporalIsFrozen: one line says so, those that depend on it name it, and all others are as usual.
func TestStatus_WhileTemporalIsFrozen(t *testing.T) {
	s := newStack(t)
	s.backUp(t)
	thaw := s.Devstack.Freeze(t)
	s.AwaitMetrics(t, "worker", "requisite_healthy 0")
	code, lines := s.awaitStatus(t, func(l statusLine) bool {
		switch l.Check {
		case "task queue upkeep":
			return l.State == "UNKNOWN"
		case "postgres", "backlog":
			return l.State == "OK"
		case "program http://" + s.Metrics["worker"]:
			return l.State == "UNKNOWN" && strings.Contains(l.Found, "no answer from Temporal")
		default:
			return (l.Check == "temporal") == (l.State == "WRONG")
		}
	}, "--timeout", "15s")
	thaw()
	require.Equal(t, 3, code)
	for _, check := range []string{"temporal", "task queue upkeep", "postgres", "backlog", "program http://" + s.Metrics["worker"]} {
		require.Contains(t, lines, check)
	}
}
