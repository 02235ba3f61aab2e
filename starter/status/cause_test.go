package status

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExplain_LeavesOneLineWrongForOneCause: the others are UNKNOWN, and name it.
func TestExplain_LeavesOneLineWrongForOneCause(t *testing.T) {
	api, worker, queue := "program http://api:1", "program http://worker:1", "task queue sync"
	unready := func(line, why string) Finding {
		return judgeProgram(answer{line: line, status: http.StatusServiceUnavailable, text: why})
	}
	down := func(line string) Finding { return wrong(line, "do", "found") }
	silent := func(line string) Finding { return judgeProgram(answer{line: line, err: syscall.ECONNREFUSED}) }
	for _, c := range []struct {
		name  string
		found []Finding
		want  map[string]string // what is done about the lines that are UNKNOWN; all others are WRONG
	}{
		{"Temporal is stopped",
			[]Finding{unready(api, "no answer from Temporal\n"), unready(worker, "no answer from Temporal\n"), down(temporal), down(queue), down("versions"),
				down("schedule prune"), down("runs"), down("payload keyset"), down("success of prune"), down("backlog"), down("longest waiting")},
			map[string]string{api: temporal, worker: temporal, queue: temporal, "versions": temporal, "schedule prune": temporal, "runs": temporal,
				"payload keyset": temporal, "success of prune": temporal, "backlog": temporal, "longest waiting": temporal}},
		{"Postgres is stopped, and Temporal's database is on it",
			[]Finding{unready(api, "no answer from Temporal\nno answer from Postgres\n"), troubled(temporal, "do", "found"), down(postgres), down("backlog")},
			map[string]string{api: postgres, temporal: postgres, "backlog": postgres}},
		{"a worker is stopped",
			[]Finding{silent(worker), down("versions"), down(queue), down("success of reconcile"), down("backlog"), down("longest waiting")},
			map[string]string{"versions": worker, queue: worker, "success of reconcile": worker, "backlog": worker, "longest waiting": worker}},
		{"no worker, and no program is asked",
			[]Finding{down("versions"), down(queue), down("schedule prune")}, map[string]string{queue: "versions", "schedule prune": "versions"}},
		{"a schedule is paused", []Finding{down("schedule prune"), down("success of prune")}, map[string]string{"success of prune": "schedule prune"}},
		{"an old schema", []Finding{down("schema"), down("role of the api")}, map[string]string{"role of the api": "schema"}},
		{"two causes", []Finding{silent(worker), down(temporal), down(postgres), down("disk"), down("runs")}, map[string]string{"disk": postgres, "runs": temporal}},
		{"a program that lacks more than Temporal", []Finding{unready(api, "no answer from Temporal\nthe schema is old\n"), down(temporal)}, nil},
		{"a program that lacks what the command has", []Finding{unready(api, "no answer from Temporal\n"), ok(temporal, "")}, nil},
	} {
		for _, f := range explain(c.found) {
			cause, follows := c.want[f.Check]
			switch {
			case follows:
				require.Equal(t, Unknown, f.State, "%s: %+v", c.name, f)
				require.Equal(t, see(cause), f.Do, "%s: %+v", c.name, f)
			case f.State != OK:
				require.Equal(t, Wrong, f.State, "%s: %+v", c.name, f)
			}
		}
	}
	both := explain([]Finding{silent(api), silent(worker), down("versions")})[2]
	require.Equal(t, `see the lines "program http://api:1" and "program http://worker:1"`, both.Do)
}

// TestDependencies_CoverAllChecks: each line but that of Postgres and that of the keys can have its cause in another.
func TestDependencies_CoverAllChecks(t *testing.T) {
	for _, c := range (&Inspector{Programs: []string{"http://api:1"}}).checks() {
		covered := c.name == postgres || c.name == keys
		for _, d := range dependencies {
			covered = covered || covers(d.line, c.name)
		}
		require.True(t, covered, c.name)
	}
}

func TestUnreachable_SaysWhyThereIsNoConnection(t *testing.T) {
	dialing := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for want, err := range map[string]error{
		"the host name worker does not resolve":                            dialing(&net.DNSError{Name: "worker", Err: "no such host", IsNotFound: true}),
		"no name server resolves the host name worker: server misbehaving": dialing(&net.DNSError{Name: "worker", Err: "server misbehaving"}),
		"the connection was refused":                                       dialing(os.NewSyscallError("connect", syscall.ECONNREFUSED)),
		"there is no route to its address":                                 dialing(os.NewSyscallError("connect", syscall.EHOSTUNREACH)),
		"no answer in time":                                                context.DeadlineExceeded,
		"":                                                                 errors.New("something else"),
	} {
		require.Equal(t, want, unreachable(err))
	}
}
