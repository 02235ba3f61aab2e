//go:build deep

package ruleset_test

import (
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/rational"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/starter/startertest"
)

var backtestDecisions = flag.Int("backtest-decisions", 10_000, "how many decisions TestBacktest_OfManyDecisions looks at")

// TestBacktest_OfManyDecisions prints how long a backtest of a shipped rule set takes, and the
// memory that the program took. 100,000 decisions take less than a minute on two processors.
func TestBacktest_OfManyDecisions(t *testing.T) {
	b := startertest.Setup(t)
	b.SupplyFacts()
	const rules = "../../examples/rules/us-card-acquirer.yaml"
	b.Publish(rules)
	b.Decide(b.Workflow, func(calculation.Snapshot) store.Found { return store.Score{Score: rational.Int(620)} })
	b.Exec(`ALTER TABLE decision DISABLE TRIGGER decision_follows; DELETE FROM decision; UPDATE workflow SET decision_number = 0, decision_digest = NULL, decided_at = NULL; ALTER TABLE decision ENABLE TRIGGER decision_follows`)
	b.DecideByRules(b.Workflow)
	begun := time.Now()
	copyDecision(b, *backtestDecisions)
	t.Logf("%d decisions made in %s, of %d bytes each", *backtestDecisions, time.Since(begun).Round(time.Second), b.Count(`SELECT avg(pg_column_size(d.*))::int FROM decision d WHERE number = 1`))

	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begun = time.Now()
	found := backtest(b, rules)
	took := time.Since(begun)
	runtime.ReadMemStats(&after)
	t.Logf("%d decisions in %s on %d processors; the heap grew from %d to at most %d MB", found.Applications, took.Round(10*time.Millisecond), runtime.GOMAXPROCS(0), before.HeapSys>>20, after.HeapSys>>20)
	require.Equal(t, *backtestDecisions+1, found.Applications+found.Erased)
	require.Equal(t, found.Applications, found.Unchanged.Applications)
}
