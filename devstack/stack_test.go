package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/localpostgres"
)

const (
	programVariable = "DEVSTACK_TEST_RUN_PROGRAM"
	taskQueue       = "test"
)

// TestMain lets the test binary run as the program, so that the tests see it as its parent does.
func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is a running devstack.
type program struct {
	cmd      *exec.Cmd
	stdin    io.Closer
	stdout   *bufio.Reader
	progress []string
	ready    endpoints
}

// launch starts devstack and reads its events until it is ready, or has failed with the returned message.
func launch(t testing.TB, arguments ...string) (*program, string) {
	t.Helper()
	p := begin(t, arguments...)
	return p, p.readEvents(t)
}

// begin starts devstack on free ports.
func begin(t testing.TB, arguments ...string) *program {
	t.Helper()
	logFile := filepath.Join(t.TempDir(), "log")
	arguments = append([]string{"--temporal-port=0", "--ui-port=0", "--log-file=" + logFile}, arguments...)
	p := &program{cmd: exec.Command(os.Args[0], arguments...)}
	p.cmd.Env = append(slices.DeleteFunc(os.Environ(), isDatabaseURL), programVariable+"=1")
	p.cmd.Stderr = os.Stderr
	stdin, err := p.cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.stdin, p.stdout = stdin, bufio.NewReader(stdout)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		_ = p.cmd.Wait()
		if t.Failed() {
			content, _ := os.ReadFile(logFile)
			t.Logf("log of devstack:\n%s", content)
		}
	})
	return p
}

func isDatabaseURL(variable string) bool { return strings.HasPrefix(variable, "DATABASE_URL=") }

func (p *program) readEvents(t testing.TB) (failure string) {
	t.Helper()
	for {
		line, err := p.stdout.ReadBytes('\n')
		require.NoError(t, err, "standard output ended before ready or error")
		var event struct {
			message
			endpoints
		}
		require.NoError(t, json.Unmarshal(line, &event), string(line))
		switch event.Event {
		case "progress":
			p.progress = append(p.progress, event.Message)
		case "ready":
			p.ready = event.endpoints
			return ""
		case "error":
			return event.Message
		default:
			require.Fail(t, "unknown event", string(line))
		}
	}
}

func start(t testing.TB, arguments ...string) *program {
	t.Helper()
	p, failure := launch(t, arguments...)
	require.Empty(t, failure)
	return p
}

// requireExit waits until the program has ended, and checks that it ended in order.
func (p *program) requireExit(t testing.TB, code int) {
	t.Helper()
	rest, err := io.ReadAll(p.stdout)
	require.NoError(t, err)
	require.Empty(t, string(rest), "no output follows the last event")
	err = p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		require.Equal(t, code, exit.ExitCode())
		return
	}
	require.NoError(t, err)
	require.Equal(t, code, 0)
}

func (p *program) dial(t testing.TB) client.Client {
	t.Helper()
	c, err := client.Dial(client.Options{
		HostPort: p.ready.TemporalAddress, Namespace: p.ready.Namespace, Logger: quiet(),
		ConnectionOptions: client.ConnectionOptions{GetSystemInfoTimeout: time.Hour}, // a busy machine may need more than the usual 5 s
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func quiet() log.Logger { return log.NewStructuredLogger(slog.New(slog.DiscardHandler)) }

// greet is a workflow that also changes a search attribute, which the server refuses until every service knows it.
func greet(ctx workflow.Context, name string) (string, error) {
	account := temporal.NewSearchAttributeKeyKeyword("AccountId")
	if err := workflow.UpsertTypedSearchAttributes(ctx, account.ValueSet("sb_2")); err != nil {
		return "", err
	}
	return "hello " + name, nil
}

func runGreeting(t testing.TB, c client.Client, id string) {
	t.Helper()
	w := worker.New(c, taskQueue, worker.Options{})
	w.RegisterWorkflow(greet)
	require.NoError(t, w.Start())
	defer w.Stop()
	ctx := untilDeadline(t)
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:        id,
		TaskQueue: taskQueue,
		TypedSearchAttributes: temporal.NewSearchAttributes(
			temporal.NewSearchAttributeKeyKeyword("AccountId").ValueSet("sb_1")),
	}, greet, "world")
	require.NoError(t, err)
	requireGreeting(t, ctx, run)
}

func requireGreeting(t testing.TB, ctx context.Context, run client.WorkflowRun) {
	t.Helper()
	var answer string
	require.NoError(t, run.Get(ctx, &answer))
	require.Equal(t, "hello world", answer)
}

func get(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, string(body))
	return string(body)
}

// requireSilent checks that nothing listens at the addresses of a stopped stack.
func requireSilent(t *testing.T, e endpoints) {
	t.Helper()
	for _, where := range []string{hostOf(t, e.DatabaseURL), hostOf(t, e.TemporalUIURL), e.TemporalAddress} {
		conn, err := net.Dial("tcp", where)
		if err == nil {
			conn.Close()
		}
		require.Error(t, err, "%s still listens", where)
	}
}

func hostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.Host
}

// postmaster is the process of the stack's PostgreSQL server.
func postmaster(t *testing.T, e endpoints) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), e.DatabaseURL)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var content string
	require.NoError(t, conn.QueryRow(t.Context(), "SELECT pg_read_file('postmaster.pid')").Scan(&content))
	pid, err := strconv.Atoi(strings.SplitN(content, "\n", 2)[0])
	require.NoError(t, err)
	return pid
}

func TestEphemeralStack_RunsWorkflowsAndLeavesNothing(t *testing.T) {
	t.Parallel()
	stack := start(t, "--ephemeral", "--search-attribute=AccountId=Keyword", "--codec-endpoint=http://127.0.0.1:9/codec", "--codec-sign-in=http://127.0.0.1:9/sign-in")
	require.Equal(t, "requisite", stack.ready.Namespace)
	require.Contains(t, stack.progress, "starting Temporal")
	server := postmaster(t, stack.ready)

	c := stack.dial(t)
	runGreeting(t, c, "greeting")
	await(t, "a closed workflow to be found by its search attribute", func(ctx context.Context) error {
		found, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Query: "AccountId = 'sb_2'"})
		if err == nil && found.Count != 1 {
			err = fmt.Errorf("%d are found", found.Count)
		}
		return err
	})

	require.Contains(t, get(t, stack.ready.TemporalUIURL), "<!doctype html>")
	settings := get(t, stack.ready.TemporalUIURL+"/api/v1/settings")
	require.Contains(t, settings, `"DefaultNamespace":"requisite"`)
	require.Contains(t, settings, `"Endpoint":"http://127.0.0.1:9/codec"`)
	require.Contains(t, settings, `"IncludeCredentials":true`)
	require.Contains(t, settings, `"DefaultErrorLink":"http://127.0.0.1:9/sign-in"`)
	require.Contains(t, settings, "reload this page at "+stack.ready.TemporalUIURL+".", "the message names the host of the cookies")
	require.Contains(t, get(t, stack.ready.TemporalUIURL+"/api/v1/namespaces/requisite/workflows"), `"greeting"`)

	require.NoError(t, stack.cmd.Process.Signal(syscall.SIGTERM))
	stack.requireExit(t, 0)
	requireSilent(t, stack.ready)
	require.ErrorIs(t, syscall.Kill(server, 0), syscall.ESRCH, "PostgreSQL still runs")
}

func TestStack_KeepsItsStateBetweenRuns(t *testing.T) {
	t.Parallel()
	dir := reachableDir(t)
	arguments := []string{"--dir=" + dir, "--stop-on-stdin-eof", "--search-attribute=AccountId=Keyword"}

	first := start(t, arguments...)
	runGreeting(t, first.dial(t), "greeting")
	require.NoError(t, first.stdin.Close())
	first.requireExit(t, 0)
	requireSilent(t, first.ready)

	second := start(t, append(arguments, "--search-attribute=Pages=Int", "--retention=48h")...)
	require.NotContains(t, second.progress, "creating the database temporal")
	c := second.dial(t)
	requireGreeting(t, t.Context(), c.GetWorkflow(t.Context(), "greeting", ""))
	_, err := c.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{Query: "Pages > 1 AND AccountId = 'sb_2'"})
	require.NoError(t, err)
	namespace, err := c.WorkflowService().DescribeNamespace(t.Context(), &workflowservice.DescribeNamespaceRequest{Namespace: "requisite"})
	require.NoError(t, err)
	require.Equal(t, 48*time.Hour, namespace.Config.WorkflowExecutionRetentionTtl.AsDuration())

	_, failure := launch(t, arguments...)
	require.Contains(t, failure, "in use by another process")

	require.NoError(t, second.cmd.Process.Kill())
	_ = second.cmd.Wait()
	third := start(t, arguments...)
	requireGreeting(t, t.Context(), third.dial(t).GetWorkflow(t.Context(), "greeting", ""))
	require.NoError(t, third.cmd.Process.Signal(os.Interrupt))
	third.requireExit(t, 0)

	refused, failure := launch(t, append(arguments, "--history-shards=8")...)
	require.Contains(t, failure, "4 history shards, which cannot be changed to 8")
	refused.requireExit(t, 1)
}

func TestStack_EndsWhenItsDatabaseEnds(t *testing.T) {
	t.Parallel()
	stack := start(t, "--ephemeral")
	require.NoError(t, syscall.Kill(postmaster(t, stack.ready), syscall.SIGKILL))
	require.Equal(t, "PostgreSQL ended unexpectedly; its log says why", stack.readEvents(t))
	stack.requireExit(t, 1)
	requireSilent(t, stack.ready)
}

func TestWrongFlags_AreReportedAsAnEvent(t *testing.T) {
	t.Parallel()
	stack, failure := launch(t, "--ephemeral", "--history-shards=0")
	require.Contains(t, failure, "--history-shards 0")
	stack.requireExit(t, 2)
}

func TestStop_BeforeReadyExitsInOrder(t *testing.T) {
	t.Parallel()
	stack := begin(t, "--ephemeral", "--stop-on-stdin-eof")
	require.NoError(t, stack.stdin.Close())
	_, err := io.Copy(io.Discard, stack.stdout)
	require.NoError(t, err)
	stack.requireExit(t, 0)
}

func TestExternalDatabase_IsUsedByOneStackOnly(t *testing.T) {
	t.Parallel()
	server, err := localpostgres.Start(t.Context(), localpostgres.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Stop()) }()
	require.NoError(t, server.CreateDatabase(t.Context(), "mine"))
	argument := "--database-url=" + server.URL("mine")

	stack := start(t, argument, "--no-ui", "--search-attribute=AccountId=Keyword")
	require.Equal(t, server.URL("mine"), stack.ready.DatabaseURL)
	require.Empty(t, stack.ready.TemporalUIURL)
	runGreeting(t, stack.dial(t), "greeting")

	rival, failure := launch(t, argument, "--no-ui")
	require.Contains(t, failure, "another devstack uses the database temporal")
	rival.requireExit(t, 1)

	require.NoError(t, stack.cmd.Process.Signal(syscall.SIGTERM))
	stack.requireExit(t, 0)
	conn, err := pgx.Connect(t.Context(), server.URL("mine"))
	require.NoError(t, err, "the external server keeps running")
	require.NoError(t, conn.Close(t.Context()))
}

// reachableDir is a directory that the PostgreSQL server's user may enter. For root, the test's own directory is not.
func reachableDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "devstack-test-")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}
