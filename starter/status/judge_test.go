package status

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"google.golang.org/protobuf/types/known/timestamppb"

	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/store/schema"
	"requisite/internal/webhooks/delivery"
)

var now = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func before(d time.Duration) *time.Time {
	at := now.Add(-d)
	return &at
}

func poller(identity string, since time.Duration) *taskqueuepb.PollerInfo {
	return &taskqueuepb.PollerInfo{Identity: identity, LastAccessTime: timestamppb.New(*before(since))}
}

// TestJudge_FindsWhatIsWrong: each check that depends on a value or a time at its limit, and beyond.
func TestJudge_FindsWhatIsWrong(t *testing.T) {
	none := deliveries.FailingHosts{}
	done := func(ago time.Duration) recorded { return recorded{at: *before(ago)} }
	never := func(ago time.Duration) recorded { return recorded{at: *before(ago), never: true} }
	there := polls{"workflow", []*taskqueuepb.PollerInfo{poller("worker@a/1", time.Minute)}}
	gone := polls{"activity", []*taskqueuepb.PollerInfo{poller("worker@a/1", polledWithin)}}
	for _, c := range []struct {
		name        string
		well, wrong Finding
	}{
		{"a queue without pollers", judgeQueue("", []polls{there}, 0, nil, now), judgeQueue("", []polls{there, gone}, 0, nil, now)},
		{"a queue that is not emptied", judgeQueue("", []polls{there}, backlogAtMost, nil, now), judgeQueue("", []polls{there}, backlogAtMost+1, nil, now)},
		{"no api", judgeVersions("", "1", []string{"api@a/1", "worker@a/1"}), judgeVersions("", "1", []string{"worker@a/1"})},
		{"no worker", judgeVersions("", "1", []string{"api@a/1", "worker@a/2"}), judgeVersions("", "1", []string{"api@a/1"})},
		{"a key that is missing", (&payloadUse{runs: 2, old: 2}).judge("", 2), (&payloadUse{runs: 2, lacks: 1}).judge("", 2)},
		{"an old schema", judgeSchema("", 7, 7), judgeSchema("", 6, 7)},
		{"few connections", judgeConnections("", store.Server{Connections: 90, MaxConnections: 100}, now), judgeConnections("", store.Server{Connections: 91, MaxConnections: 100}, now)},
		{"an old transaction", judgeTransactions("", store.Server{Now: now, OldestTransaction: before(transactionAtMost)}, now),
			judgeTransactions("", store.Server{Now: now, OldestTransaction: before(transactionAtMost + 1)}, now)},
		{"a clock behind", judgeClock("", store.Server{Now: *before(clockAtMost)}, now), judgeClock("", store.Server{Now: *before(clockAtMost + 1)}, now)},
		{"a clock ahead", judgeClock("", store.Server{Now: *before(-clockAtMost)}, now), judgeClock("", store.Server{Now: *before(-clockAtMost - 1)}, now)},
		{"a forgotten replication slot", judgeDisk("", store.Server{HeldBackBytes: heldBackAtMost}, now), judgeDisk("", store.Server{HeldBackBytes: heldBackAtMost + 1}, now)},
		{"an archive that fails", judgeArchive("", store.Server{Archives: true, Now: now, LastArchived: before(time.Minute), LastArchiveFailed: before(time.Hour)}, now),
			judgeArchive("", store.Server{Archives: true, Now: now, LastArchived: before(time.Hour), LastArchiveFailed: before(time.Minute)}, now)},
		{"an archive that hangs", judgeArchive("", store.Server{Archives: true, Now: now, LastArchived: before(11 * time.Minute), ArchiveTimeoutSeconds: 60}, now),
			judgeArchive("", store.Server{Archives: true, Now: now, LastArchived: before(13 * time.Minute), ArchiveTimeoutSeconds: 60}, now)},
		{"an archive that never worked", judgeArchive("", store.Server{Archives: true}, now), judgeArchive("", store.Server{Archives: true, Now: now, LastArchiveFailed: before(time.Minute)}, now)},
		{"an old backup", judgeBackup("", done(backedUpWithin), done(0), now), judgeBackup("", done(backedUpWithin+1), done(0), now)},
		{"no backup", judgeBackup("", done(time.Hour), done(0), now), judgeBackup("", never(backedUpWithin+1), never(backedUpWithin+1), now)},
		{"an old restore", judgeBackup("", done(0), done(restoredWithin), now), judgeBackup("", done(0), done(restoredWithin+1), now)},
		{"no restore", judgeBackup("", done(0), done(0), now), judgeBackup("", done(0), never(restoredWithin+1), now)},
		{"no reconciliation", judgeSuccess("", store.ScheduleReconcile, *before(succeeded[store.ScheduleReconcile]), now), judgeSuccess("", store.ScheduleReconcile, *before(succeeded[store.ScheduleReconcile] + 1), now)},
		{"no pruning", judgeSuccess("", store.SchedulePrune, *before(succeeded[store.SchedulePrune]), now), judgeSuccess("", store.SchedulePrune, *before(succeeded[store.SchedulePrune] + 1), now)},
		{"deliveries that nobody sends", judgeBacklog("", store.BackgroundState{}), judgeBacklog("", store.BackgroundState{Overdue: 1})},
		{"a delivery that waits", judgeWaiting("", "whd_1", waitsAtMost, nil), judgeWaiting("", "whd_1", waitsAtMost+1, []delivery.Wait{{Cause: delivery.CauseRate}})},
		{"no connection to most endpoints", judgeEndpoints("", deliveries.Endpoints{Failing: 4, Healthy: 4}, none, deliveries.FailingHosts{Endpoints: 4, Hosts: 3}),
			judgeEndpoints("", deliveries.Endpoints{Failing: 5, Healthy: 4}, none, deliveries.FailingHosts{Endpoints: 5, Hosts: 3})},
		{"no connection to many hosts", judgeEndpoints("", deliveries.Endpoints{Failing: 5}, none, deliveries.FailingHosts{Endpoints: 5, Hosts: 2}),
			judgeEndpoints("", deliveries.Endpoints{Failing: 5}, none, deliveries.FailingHosts{Endpoints: 5, Hosts: 3})},
		{"name servers that fail", judgeEndpoints("", deliveries.Endpoints{Failing: 9, Healthy: 91}, deliveries.FailingHosts{Endpoints: 9, Hosts: 2}, none),
			judgeEndpoints("", deliveries.Endpoints{Failing: 3, Healthy: 97}, deliveries.FailingHosts{Endpoints: 3, Hosts: 3}, none)},
		{"receivers that answer with errors", judgeEndpoints("", deliveries.Endpoints{Failing: 9}, none, none), wrong("", "x", "they never are")},
	} {
		require.Equal(t, OK, c.well.State, "%s: %+v", c.name, c.well)
		require.Equal(t, Wrong, c.wrong.State, "%s: %+v", c.name, c.wrong)
		require.NotEmpty(t, c.wrong.Do, c.name)
	}
	unseen := judgeTransactions("", store.Server{Now: now, Hidden: 3, Connections: 9, Role: "requisite"}, now)
	require.Equal(t, []any{Unknown, `GRANT pg_read_all_stats TO "requisite", as the server's administrator`}, []any{unseen.State, unseen.Do})
	require.Equal(t, Wrong, judgeTransactions("", store.Server{Now: now, Hidden: 3, OldestTransaction: before(transactionAtMost + 1)}, now).State)
	for found, f := range map[string]Finding{
		"none has been recorded since the schema was made, 60 min ago":                               judgeBackup("", never(time.Hour), never(time.Hour), now),
		"taken 5 min ago; none has been restored and verified since the schema was made, 60 min ago": judgeBackup("", done(5*time.Minute), never(time.Hour), now),
	} {
		require.Equal(t, []any{Unknown, found}, []any{f.State, f.Found})
	}
	require.Equal(t, "taken 5 min ago; one was restored and verified 24 h ago", judgeBackup("", done(5*time.Minute), done(24*time.Hour), now).Found)
	require.Equal(t, "taken 5 min ago; none has been restored and verified for 15 days", judgeBackup("", done(5*time.Minute), done(15*24*time.Hour), now).Found)
	require.Equal(t, "starter 2, api 1, worker 1, worker 2; they differ, as during an upgrade", judgeVersions("", "2", []string{"worker@b/2", "worker@a/1", "api@a/1", "api@b/1"}).Found)
	require.Equal(t, "archive_mode is off: no point in time can be restored, only a backup", judgeArchive("", store.Server{}, now).Found)
}

// TestFailed_AdvisesByTheCause: a connection that is lost midway is no full disk, no missing role and no old schema.
func TestFailed_AdvisesByTheCause(t *testing.T) {
	for _, c := range []struct {
		code, do string
		judge    func(error) Finding
	}{
		{codeDiskFull, "make room", func(err error) Finding { return judgeRoom("", err) }},
		{codeIO, "make room", func(err error) Finding { return judgeRoom("", err) }},
		{"57014", "Postgres's log", func(err error) Finding { return judgeRoom("", err) }},
		{codeUndefined, "create the role", func(err error) Finding { return judgeRights("", "r", schema.API, err) }},
		{"57014", "Postgres's log", func(err error) Finding { return failed("", err) }},
	} {
		require.Contains(t, c.judge(fmt.Errorf("query: %w", &pgconn.PgError{Code: c.code})).Do, c.do, c.code)
		lost := c.judge(fmt.Errorf("query: %w", io.ErrUnexpectedEOF))
		require.Equal(t, Wrong, lost.State)
		require.Equal(t, `see the line "postgres", and the network to Postgres`, lost.Do)
	}
	require.Contains(t, judgeRights("", "r", schema.API, db.Lack("lacks rights: x")).Do, "starter migrate --api-role r")
	denied := failed("backlog", &pgconn.PgError{Code: codeDenied})
	require.Equal(t, []any{Unknown, asOwner}, []any{denied.State, denied.Do}, "another role may see what this one may not")
	require.Equal(t, manyConnections, failed(postgres, &pgconn.PgError{Code: codeTooMany}).Do)
	require.NotContains(t, failed(postgres, io.ErrUnexpectedEOF).Do, "see the line", "no line refers to itself")
}

// TestExplain_ManyConnectionsAreTheCause: where connections run out, Postgres answers late or not at all.
func TestExplain_ManyConnectionsAreTheCause(t *testing.T) {
	found := explain([]Finding{wrong(postgres, "", "no answer in time"), wrong(connections, manyConnections, "300 of 300"), wrong("keyset of secrets", "", "too many clients")})
	require.Equal(t, []State{Unknown, Wrong, Unknown}, []State{found[0].State, found[1].State, found[2].State})
	require.Equal(t, `see the line "connections"`, found[0].Do)
}

func TestWords(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 s", 59 * time.Second: "59 s", time.Minute: "1 min", 119 * time.Minute: "119 min", 2 * time.Hour: "2 h", 48 * time.Hour: "2 days"} {
		require.Equal(t, want, long(d))
	}
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 3 << 30: "3 GiB"} {
		require.Equal(t, want, size(n))
	}
	require.Equal(t, "http://a:1/x", shownURL("http://user:password@a:1/x?token=1"))
	require.Equal(t, "(unreadable)", shownURL("pass word"))
}

func TestEndpoints_SayHowToSeeTheFailingOnes(t *testing.T) {
	none := deliveries.FailingHosts{}
	require.Empty(t, judgeEndpoints("", deliveries.Endpoints{Healthy: 9}, none, none).Do)
	few := judgeEndpoints("", deliveries.Endpoints{Failing: 3, Healthy: 9}, none, deliveries.FailingHosts{Endpoints: 1, Hosts: 1})
	require.Equal(t, OK, few.State)
	require.Equal(t, "3 of 12 enabled ones are failing: 2 answer badly or slowly, and 1 at 1 host(s) get no connection", few.Found)
	require.Contains(t, few.Do, "starter delivery list --status RETRYING")
}

// TestQueue_IsInDoubtWhileItsProgramIsSilent: Temporal lists a program for a while after its end.
func TestQueue_IsInDoubtWhileItsProgramIsSilent(t *testing.T) {
	list := []polls{{"workflow", []*taskqueuepb.PollerInfo{poller("worker@a/1", time.Second)}}}
	api := answer{line: "program http://api:1", status: http.StatusOK, text: "ok\nprogram: api\n"}
	worker := answer{line: "program http://worker:1", status: http.StatusOK, text: "ok\nprogram: worker\n"}
	silent := answer{line: "program http://worker:2", err: io.ErrUnexpectedEOF}
	require.Equal(t, OK, judgeQueue("", list, 0, []answer{api}, now).State, "nobody is silent")
	require.Equal(t, OK, judgeQueue("", list, 0, []answer{api, worker, silent}, now).State, "another one polls")
	doubt := judgeQueue("q", list, 0, []answer{api, silent}, now)
	require.Equal(t, Finding{State: Unknown, Check: "q", Found: "polled lately by worker@a/1, which may have ended since", Do: `see the line "program http://worker:2"`}, doubt)
}

// TestKeys_AreComparedOfAllProgramsAndTheCommand: one that was not restarted after a rotation still encrypts with the old key,
// and one that was not restarted after `keyset add` could not read what the others write with the new key.
func TestKeys_AreComparedOfAllProgramsAndTheCommand(t *testing.T) {
	says := func(line, text string) answer {
		return answer{line: line, status: http.StatusOK, text: "ok\nprogram: x\n" + text}
	}
	own := []holding{{"secrets", command, []string{"2", "3"}, []string{"3"}}, {"payloads", command, []string{"8"}, nil}}
	well := []answer{says("program a", "key of secrets: 2, 3\nkey of payloads: 8, 7\n"), says("program codec", "key of payloads: 8\n")}
	oldSecrets, oldPayloads := says("program b", "key of secrets: 1\nkey of payloads: 8\n"), says("program codec", "key of payloads: 7\n")
	missed := says("program b", "key of secrets: 2\nkey of payloads: 8\n")
	require.Equal(t, "key 2 encrypts secrets; key 8 encrypts payloads", judgeKeys("", own, well).Found)
	for _, c := range []struct {
		name     string
		own      []holding
		programs []answer
		state    State
		found    string
	}{
		{"all the same", own, well, OK, "key 2 encrypts secrets"},
		{"a worker with the old KEK", own, append(well, oldSecrets), Wrong, "key 1 encrypts secrets of program b; key 2 encrypts secrets of this command, program a; key 8 encrypts payloads"},
		{"a codec with the old keyset", own, []answer{well[0], oldPayloads}, Wrong, "key 7 encrypts payloads of program codec; key 8 encrypts payloads of this command, program a"},
		{"a command without keysets", nil, []answer{well[0], oldPayloads}, Wrong, "key 7 encrypts payloads of program codec; key 8 encrypts payloads of program a"},
		{"a command with another keyset", []holding{{"secrets", command, []string{"3"}, nil}}, well, Wrong, "key 3 encrypts secrets of this command"},
		{"a worker that was not restarted after a key was added", own, append(well, missed), Wrong, "key 3 of secrets is unknown to program b; key 2 encrypts secrets; key 8"},
		{"programs that still have a key that was dropped", own, well, OK, "key 8 encrypts payloads"},
		{"a program that is away", own, append(well, answer{line: "program c", err: io.EOF}), Unknown, "not every program says"},
		{"a program that is not ready", own, append(well, answer{line: "program c", status: 503, text: "key of secrets: 9"}), Unknown, "not every program says"},
		{"a program of an older release", own, append(well, says("program c", "")), Unknown, "not every program says"},
	} {
		f := judgeKeys("", c.own, slices.Clone(c.programs))
		require.Equal(t, c.state, f.State, "%s: %+v", c.name, f)
		require.Contains(t, f.Found, c.found, c.name)
	}
}
