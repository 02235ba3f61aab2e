//go:build deep

package faults

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	seedFlag    = flag.Uint64("seed", 0, "seed of the schedule and of the load; 0 chooses one")
	faultsFlag  = flag.Int("faults", 10, "number of faults")
	forFlag     = flag.Duration("for", 0, "spread the faults over this time")
	kindsFlag   = flag.String("kinds", "", "kinds of faults, separated by commas; all if empty")
	paceFlag    = flag.Duration("pace", 100*time.Millisecond, "time between two requests of the busiest client; the others wait for a multiple")
	backlogFlag = flag.Int("backlog", 2000, "number of waiting deliveries at an endpoint of an organization in trouble")
	keepFlag    = flag.String("keep", "", "directory for the history and the logs if a promise was broken")
)

// TestFaults runs the service under load and faults, and checks its promises: see
// docs/reliability.md.
func TestFaults(t *testing.T) {
	seed := *seedFlag
	if seed == 0 {
		seed = 1 + rand.Uint64N(1_000_000)
	}
	kinds := Kinds()
	if *kindsFlag != "" {
		kinds = nil
		for name := range strings.SplitSeq(*kindsFlag, ",") {
			require.Contains(t, Kinds(), Kind(name), "-kinds")
			kinds = append(kinds, Kind(name))
		}
	}
	steps := Schedule(seed, *faultsFlag, kinds)
	again := fmt.Sprintf("go test -tags deep ./e2e/faults -run '^TestFaults$' -seed %d -faults %d", seed, *faultsFlag)
	t.Logf("seed %d; the same schedule: %s", seed, again)

	builds, err := Build(t.TempDir())
	require.NoError(t, err)
	began := time.Now()
	since := func() time.Duration { return time.Since(began) }
	s := newStack(t, builds, since)
	if *keepFlag != "" {
		require.NoError(t, os.MkdirAll(*keepFlag, 0o755))
	}
	t.Cleanup(func() { keepLogs(t, s.Dir) })
	l := newLoad(accountsOf(t, s), s.Client.Signer, s.links["client-api"].Addr(), since, *paceFlag)
	l.sinks, err = newSinks(l.secret, since)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.sinks.server.Close() })
	s.links["worker-sinks"].To(l.sinks.address)
	l.sinkAt = s.links["worker-sinks"].Addr()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l.ctx, s.load = ctx, l
	l.prepare(ctx)
	s.tenants = newTenants(t, s, *backlogFlag)
	before := map[string]Level{}
	for program, i := range s.current {
		before[program] = s.awaitLevel(ctx, program, i, since)
	}
	stop, stopLoad := context.WithCancel(ctx)
	loaded := make(chan struct{})
	go func() {
		defer close(loaded)
		l.run(ctx, stop, seed)
		l.others.Wait()
	}()
	from := since()
	for n, step := range steps {
		time.Sleep(step.Before)
		if next := from + *forFlag*time.Duration(n)/time.Duration(len(steps)); since() < next {
			time.Sleep(next - since())
		}
		t.Logf("%s  %s", since().Round(time.Millisecond), step)
		s.perform(step)
	}
	broken := since()
	t.Logf("%s  the last fault has ended", broken.Round(time.Millisecond))
	s.healthy()
	stopLoad()
	select {
	case <-loaded:
	case <-time.After(restWithin):
		cancel() // a request without a response by now will get none
		<-loaded
	}
	resting, end := context.WithTimeout(t.Context(), 2*restWithin)
	defer end()
	s.rest(resting, l)
	h := s.history(resting, l, began)
	found := Check(h)
	for program, i := range s.current {
		after := s.awaitLevel(resting, program, i, since)
		t.Logf("%s at rest before: %s; after: %s", program, before[program], after)
		found = append(found, Grown(program, before[program], after)...)
	}
	s.report(t, h, len(steps), broken)
	for _, left := range s.left {
		t.Logf("left out: %s", left)
	}
	if len(found) == 0 {
		return
	}
	keepHistory(t, h)
	byPromise := map[string]int{}
	for _, v := range found {
		if byPromise[v.Promise]++; byPromise[v.Promise] <= 10 {
			t.Errorf("%s", v)
		}
	}
	t.Errorf("%d violations %v of seed %d; the same schedule: %s", len(found), byPromise, seed, again)
}

// awaitLevel reads the metrics of a process, which a busy machine may not answer at once.
func (s *stack) awaitLevel(ctx context.Context, program string, i *instance, since func() time.Duration) (now Level) {
	s.Poll(s.t, program+" has no metrics", func(context.Context) (answers bool, _ error) {
		now, answers = i.level(ctx, since())
		return answers, nil
	})
	return now
}

// report prints a summary of the run.
func (s *stack) report(t *testing.T, h *History, faults int, broken time.Duration) {
	done, refused, tries := 0, 0, 0
	for _, o := range h.Ops {
		tries += o.Tries
		switch {
		case o.done():
			done++
		case o.Answered():
			refused++
		}
	}
	outcomes := map[string]int{}
	for _, a := range h.Attempts {
		outcomes[a.Outcome]++
	}
	states := map[string]int{}
	for _, d := range h.Deliveries {
		states[d.State]++
	}
	dates := map[string]int{}
	for _, e := range h.Events {
		if slices.Contains([]string{"REQUIRED_DOCUMENT_OVERDUE", "REQUIRED_DOCUMENT_EXPIRING", "REQUIRED_DOCUMENT_EXPIRED"}, e.Type) {
			dates[e.Type]++
		}
	}
	t.Logf("days brought %v", dates)
	repeats := 0
	h.eachRepeat(func(Decision, Decision) { repeats++ })
	t.Logf("%d decisions, of which %d repeat the one before; %d workflows were calculated twice at rest", len(h.Decisions), repeats, len(h.Repeats))
	for _, ended := range rows(s, t.Context(), `SELECT state, changed + unchanged FROM recalculation ORDER BY id`, func(r struct {
		State string
		Done  int64
	}) string {
		return fmt.Sprintf("a recalculation is %s after %d workflows", r.State, r.Done)
	}) {
		t.Log(ended)
	}
	restarts := map[string]int{}
	for _, i := range s.all {
		restarts[i.program] += i.restarts()
	}
	t.Logf("%d faults in %s, then %s until rest: %d requests (%d done, %d refused) in %d tries; %d businesses, %d documents, %d keys; %d events, deliveries %v, attempts %v, %d arrivals; the programs ended by themselves %v times",
		faults, broken.Round(time.Second), (h.Ended - broken).Round(time.Second), len(h.Ops), done, refused, tries,
		len(h.Businesses), len(h.Documents), len(h.Keys), len(h.Events), states, outcomes, len(h.Arrivals), restarts)
	for _, size := range rows(s, t.Context(), `
		SELECT relname::text, n_live_tup, pg_total_relation_size(relid) FROM pg_stat_user_tables ORDER BY 3 DESC LIMIT 6`, func(r struct {
		Name        string
		Rows, Bytes int64
	}) string {
		return fmt.Sprintf("%s: %d rows, %d KB", r.Name, r.Rows, r.Bytes>>10)
	}) {
		t.Log(size)
	}
}

// accountsOf creates two more accounts with pricing models, and returns all accounts.
func accountsOf(t *testing.T, s *stack) []string {
	var organization string
	require.NoError(t, s.Query(t.Context(), `SELECT id::text FROM organization`, &organization))
	run := func(args ...string) string {
		out, err := s.Starter(args...).Output()
		require.NoError(t, err, "starter %v: %s", args, out)
		return strings.TrimSpace(string(out))
	}
	listed := strings.Fields(run("organization", "list"))
	at := slices.IndexFunc(listed, func(word string) bool { return strings.HasPrefix(word, "org_") })
	require.GreaterOrEqual(t, at, 0)
	accounts := []string{s.AccountID}
	for i, name := range []string{"second", "third"} {
		accounts = append(accounts, run("account", "create", listed[at], name, "--time-zone", zones[i+1]))
	}
	var model strings.Builder
	model.WriteString("base: 500\nrules:\n")
	for c := 1; c < classes; c++ {
		fmt.Fprintf(&model, "  - name: class %d\n    when: industry_category_code.exists(c, c == %q)\n    points: %d\n", c, class(c), 100*c)
	}
	file := filepath.Join(t.TempDir(), "pricing.yaml")
	require.NoError(t, os.WriteFile(file, []byte(model.String()), 0o600))
	for _, a := range accounts {
		run("pricing", "publish", file, "--account", a)
	}
	return accounts
}

// keepHistory saves the history.
func keepHistory(t *testing.T, h *History) {
	if *keepFlag == "" {
		return
	}
	content, err := json.MarshalIndent(h, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(*keepFlag, "history.json"), content, 0o600))
}

// keepLogs saves the logs of all programs if the test fails.
func keepLogs(t *testing.T, dir string) {
	if *keepFlag == "" || !t.Failed() {
		return
	}
	logs, _ := filepath.Glob(filepath.Join(dir, "*.log")) // the pattern is well formed
	for _, path := range logs {
		log, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(*keepFlag, filepath.Base(path)), log, 0o600)
		}
		if err != nil {
			t.Log(err)
		}
	}
}
