package store_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/rules/fact"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
)

func (b *bundle) tryRecalculation() (run id.RecalculationID, err error) {
	err = b.Try(b.Call, func(r *store.Records) error {
		run, err = r.Recalculations.Start(b.Context(), b.Account.WireID(), true)
		return err
	})
	return run, err
}

// recalculateBy sets when the account is recalculated by itself.
func (b *bundle) recalculateBy(setting domain.RecalculationSetting) {
	b.Helper()
	require.NoError(b, only(b.Operator.Write(b.Context(), b.Call, func(r *store.Records) (any, error) {
		return nil, r.Tenants.SetRecalculation(b.Context(), b.Account.WireID(), setting)
	})))
}

// publishOn publishes a draft from a day on.
func (b *bundle) publishOn(from fact.Date, d calculation.Draft) (p store.Published) {
	b.Helper()
	d.EffectiveFrom = new(from.String())
	b.Write(b.Call, func(r *store.Records) (err error) {
		p, err = r.Rules.Publish(b.Context(), b.Account.WireID(), d)
		return err
	})
	return p
}

// startDue starts what is due, and reports how many that are.
func (b *bundle) startDue() int64 {
	b.Helper()
	started, err := b.Store.Upkeep.StartDueRecalculations(b.Context(), func(int64) {}, func(a id.AccountID, err error) { b.Errorf("%s: %v", a, err) })
	require.NoError(b, err)
	return started
}

// endRecalculations ends all that run.
func (b *bundle) endRecalculations() {
	b.Helper()
	require.NoError(b, b.Exec(`UPDATE recalculation SET state = 'DONE', again_at = NULL, ended_at = $1 WHERE state = 'RUNNING'`, b.Now()))
}

// running are those that run.
func (b *bundle) running() (runs []id.RecalculationID) {
	b.Helper()
	rows, err := b.Pool().Query(b.Context(), `SELECT id FROM recalculation WHERE state = 'RUNNING'`)
	require.NoError(b, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[id.UUID])
	require.NoError(b, err)
	for _, u := range found {
		runs = append(runs, id.RecalculationID{UUID: u})
	}
	return runs
}

// endRound ends the round of the one that runs.
func (b *bundle) endRound() {
	b.Helper()
	at, err := b.Store.LongRuns.RunningRecalculation(b.Context(), b.running()[0])
	require.NoError(b, err)
	require.NoError(b, only(b.Store.LongRuns.AdvanceRecalculation(b.Context(), at, id.Nil, domain.RecalculationCounts{})))
}

func (b *bundle) recalculations() int { return b.Count(`SELECT count(*) FROM recalculation`) }

func TestRecalculation_OneOfAnAccountAtATime(t *testing.T) {
	b := setup(t)
	require.Equal(t, refusal.RulesNotPublished, pgtest.Refused(t, only(b.tryRecalculation())).SubCode)
	b.publishFrom("A", 1, forAll)
	require.Equal(t, refusal.RulesNotPublished, pgtest.Refused(t, only(b.tryRecalculation())).SubCode, "they are coming")
	b.publish(rule("B", ""))
	errs := make([]error, 4)
	pgtest.AtOnce(len(errs), func(i int) { _, errs[i] = b.tryRecalculation() })
	refused := 0
	for _, err := range errs {
		if err != nil {
			refused++
			require.Equal(t, refusal.RecalculationInProgress, pgtest.Refused(t, err).SubCode)
		}
	}
	require.Equal(t, []int{len(errs) - 1, 1}, []int{refused, b.recalculations()})

	account, call := b.NewAccount("second", "UTC")
	other := &bundle{b.InAccount(account, call)}
	other.publish(rule("B", ""))
	require.NoError(t, only(other.tryRecalculation()), "another account has its own")
}

func TestRecalculation_OfAnotherOrganization(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	run, err := b.tryRecalculation()
	require.NoError(t, err)
	account, call := b.NewAccount("second", "UTC")
	other := &bundle{b.InAccount(account, call)}
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, only(b.Store.Records(call.Scope).Recalculations.Get(t.Context(), run))).Code)
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, other.Try(call, func(r *store.Records) error { return r.Recalculations.Cancel(t.Context(), run) })).Code)
	other.Account = b.Account
	require.Equal(t, refusal.EntityNotFound, pgtest.Refused(t, only(other.tryRecalculation())).Code)
	found, err := b.Store.Records(b.Call.Scope).Recalculations.Get(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, domain.RecalculationRunning, found.State)
}

func TestRunsToStart_LeasesARecalculation(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	run, err := b.tryRecalculation()
	require.NoError(t, err)
	toStart := func() int {
		found, err := b.Store.LongRuns.ToStart(t.Context(), 8)
		require.NoError(t, err)
		for _, f := range found {
			require.Equal(t, store.RunToStart{ID: run.UUID, AccountID: b.Account.ID, Environment: b.Account.Environment}, f)
		}
		return len(found)
	}
	require.Equal(t, []int{1, 0}, []int{toStart(), toStart()})
	b.Pass(2 * time.Minute)
	require.Equal(t, 1, toStart(), "its run may not have been started")
	at, err := b.Store.LongRuns.RunningRecalculation(t.Context(), run)
	require.NoError(t, err)
	_, err = b.Store.LongRuns.AdvanceRecalculation(t.Context(), at, b.Workflow.ID, domain.RecalculationCounts{Unchanged: 1})
	require.NoError(t, err)
	b.Pass(2 * time.Minute)
	require.Zero(t, toStart(), "it works")
	b.Pass(4 * time.Minute)
	require.Equal(t, 1, toStart(), "nothing has come of it")
	b.endRecalculations()
	b.Pass(time.Hour)
	require.Zero(t, toStart())
}

func TestRunsToStart_LeasesRecalculationsAlthoughReplaysFail(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	run, err := b.tryRecalculation()
	require.NoError(t, err)
	require.NoError(t, b.Exec(`ALTER TABLE webhook_replay RENAME TO elsewhere`))
	found, err := b.Store.LongRuns.ToStart(t.Context(), 8)
	require.ErrorContains(t, err, "webhook_replay")
	require.Len(t, found, 1)
	require.Equal(t, run.UUID, found[0].ID)
}

func TestAdvanceRecalculation_CountsOnce(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	run, err := b.tryRecalculation()
	require.NoError(t, err)
	begin, err := b.Store.LongRuns.RunningRecalculation(t.Context(), run)
	require.NoError(t, err)
	first, err := b.Store.LongRuns.AdvanceRecalculation(t.Context(), begin, b.Workflow.ID, domain.RecalculationCounts{Changed: 1, Unchanged: 2, WithGaps: 3, NotEvaluable: 4})
	require.NoError(t, err)
	require.EqualValues(t, 10, first.Done())
	again, err := b.Store.LongRuns.AdvanceRecalculation(t.Context(), begin, b.Workflow.ID, domain.RecalculationCounts{Changed: 1})
	require.NoError(t, err)
	require.Equal(t, first, again)

	b.recalculateBy(domain.RecalculationOnForce)
	b.publish(rule("B", ""))
	second, err := b.Store.LongRuns.AdvanceRecalculation(t.Context(), again, id.New(), domain.RecalculationCounts{Changed: 1})
	require.NoError(t, err)
	begunAgain, err := b.Store.LongRuns.AdvanceRecalculation(t.Context(), second, [16]byte{}, domain.RecalculationCounts{})
	require.NoError(t, err)
	require.Equal(t, []any{domain.RecalculationRunning, 2, domain.System, int64(11)}, []any{begunAgain.State, begunAgain.Round, begunAgain.Actor, begunAgain.Done()})
	stale, err := b.Store.LongRuns.AdvanceRecalculation(t.Context(), second, [16]byte{}, domain.RecalculationCounts{})
	require.NoError(t, err)
	require.Equal(t, begunAgain, stale)
	done, err := b.Store.LongRuns.AdvanceRecalculation(t.Context(), begunAgain, [16]byte{}, domain.RecalculationCounts{Unchanged: 1})
	require.NoError(t, err)
	require.Equal(t, []any{domain.RecalculationDone, int64(12), int64(12)}, []any{done.State, done.Done(), *done.Total})
}

func TestStartDueRecalculations_OnceADay(t *testing.T) {
	b := setup(t)
	require.NoError(t, b.Exec(`UPDATE account SET time_zone = 'Pacific/Kiritimati' WHERE id = $1`, b.Account.ID)) // 14 hours before UTC
	day := fact.DateOf(b.Now().AddDate(0, 0, 30))
	later := func(days int) fact.Date { return fact.DateOf(day.UTC().AddDate(0, 0, days)) }
	b.goTo(day, "Pacific/Kiritimati", 12*time.Hour)
	b.recalculateBy(domain.RecalculationDaily)
	require.Zero(t, b.startDue(), "it has no rules")
	b.publish(rule("A", ""))
	require.Zero(t, b.recalculations(), "publishing starts none")
	require.EqualValues(t, 1, b.startDue())
	b.endRecalculations()
	require.Zero(t, b.startDue())
	b.goTo(later(1), "Pacific/Kiritimati", -time.Minute)
	require.Zero(t, b.startDue())
	b.goTo(later(1), "Pacific/Kiritimati", time.Minute)
	require.EqualValues(t, 1, b.startDue())
	require.Equal(t, 2, b.recalculations())
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM recalculation WHERE only_stale AND user_id = 'SYSTEM'`))

	b.goTo(later(4), "Pacific/Kiritimati", 5*time.Hour) // the last still runs
	require.EqualValues(t, 1, b.startDue())
	require.Zero(t, b.startDue(), "it was asked to begin again")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM recalculation WHERE again_at IS NOT NULL`))
	require.Equal(t, 2, b.recalculations())
	b.endRecalculations()
	b.recalculateBy(domain.RecalculationManual)
	b.Pass(48 * time.Hour)
	require.Zero(t, b.startDue())
}

func TestStartDueRecalculations_WhenRulesComeIntoForce(t *testing.T) {
	b := setup(t)
	b.goTo(fact.DateOf(b.Now().AddDate(0, 0, 1)), "UTC", 12*time.Hour)
	b.publish(rule("A", ""))
	b.recalculateBy(domain.RecalculationOnForce)
	require.Zero(t, b.startDue(), "they were in force before")
	b.publishFrom("B", 2, forAll)
	require.Zero(t, b.recalculations())
	b.Pass(24 * time.Hour)
	require.Zero(t, b.startDue())
	b.Pass(24 * time.Hour)
	require.EqualValues(t, 1, b.startDue())
	b.endRecalculations()
	b.Pass(48 * time.Hour)
	require.Zero(t, b.startDue())
	b.publishFrom("C", 0, forAll)
	require.Equal(t, 2, b.recalculations(), "in the transaction of the publication")
	require.EqualValues(t, 1, b.Count(`SELECT count(*) FROM recalculation WHERE state = 'RUNNING' AND user_id = 'SYSTEM'`))
	b.publishFrom("D", 0, forAll)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM recalculation WHERE again_at IS NOT NULL`))
	b.endRecalculations()
	approved := b.propose(ann, draft(rule("E", "")))
	require.NoError(t, only(b.approve(bob, approved)))
	require.Equal(t, 3, b.recalculations(), "and of an approval")
}

// TestStartDueRecalculations_LeaveOutWhatNeverCame: nothing comes into force on the day of a version that was withdrawn.
func TestStartDueRecalculations_LeaveOutWhatNeverCame(t *testing.T) {
	b := setup(t)
	b.goTo(fact.DateOf(b.Now().AddDate(0, 0, 1)), "UTC", 12*time.Hour)
	b.recalculateBy(domain.RecalculationOnForce)
	b.publishFrom("A", 0, forAll)
	b.publishFrom("B", 2, forAll)
	b.publishFrom("C", 3, forNew)
	b.publishFrom("D", 4, forAll)
	b.publishFrom("A", 0, forAll) // withdraws all three
	b.publishFrom("E", 5, forNew)
	b.endRecalculations()
	b.Pass(2 * 24 * time.Hour)
	require.Zero(t, b.startDue())
	b.Pass(2 * 24 * time.Hour)
	require.Zero(t, b.startDue())
	b.Pass(24 * time.Hour)
	require.EqualValues(t, 1, b.startDue())
}

// TestStartDueRecalculations_WaitForAPublication that began before the day: otherwise a start for another version of that day
// would be the last of the day, and leave it out.
func TestStartDueRecalculations_WaitForAPublication(t *testing.T) {
	b := setup(t)
	b.goTo(fact.DateOf(b.Now().AddDate(0, 0, 1)), "UTC", 12*time.Hour)
	b.recalculateBy(domain.RecalculationOnForce)
	b.publishFrom("A", 0, forAll)
	b.publishFrom("B", 1, forAll)
	b.endRecalculations()
	b.Pass(24 * time.Hour)
	release := b.holdPolicy()
	started := make(chan int64, 1)
	go func() { started <- b.startDue() }()
	b.AwaitLocks(1, "the policy")
	release()
	require.EqualValues(t, 1, <-started)
}

// TestSandboxToday_PublicationFromToday is one from this moment, also where the call names today.
func TestSandboxToday_PublicationFromToday(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	b.recalculateBy(domain.RecalculationOnForce)
	b.publish(rule("B", ""))
	b.endRecalculations()
	today := fact.DateOf(b.Now())
	b.today(today)
	require.Nil(t, b.publishOn(today, draft(rule("C", ""))).EffectiveFrom)
	require.Len(t, b.running(), 1, "the start of this day is over, so that no round would begin it")
	b.endRecalculations()
	b.today(today.Next())
	require.Equal(t, today.Next().String(), *b.publishOn(today.Next(), draft(rule("D", ""))).EffectiveFrom, "for other calls it is coming")
	require.Empty(t, b.running())
}

func TestStartDueRecalculations_OfSeveralAtOnce(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	b.recalculateBy(domain.RecalculationDaily)
	pgtest.AtOnce(4, func(int) {
		if _, err := b.Store.Upkeep.StartDueRecalculations(t.Context(), func(int64) {}, func(_ id.AccountID, err error) { t.Error(err) }); err != nil {
			t.Error(err)
		}
	})
	require.Equal(t, 1, b.recalculations())
}

// TestStartDueRecalculations_ServeOthers: an account whose zone this program does not know ends no other's.
func TestStartDueRecalculations_ServeOthers(t *testing.T) {
	b := setup(t)
	account, call := b.NewAccount("second", "UTC")
	other := &bundle{b.InAccount(account, call)}
	for _, of := range []*bundle{b, other} {
		of.publish(rule("A", ""))
		of.recalculateBy(domain.RecalculationDaily)
	}
	require.NoError(t, b.Exec(`UPDATE account SET time_zone = 'Mars/Olympus' WHERE id = $1`, b.Account.ID))
	var failed []id.AccountID
	started, err := b.Store.Upkeep.StartDueRecalculations(t.Context(), func(int64) {}, func(a id.AccountID, _ error) { failed = append(failed, a) })
	require.ErrorContains(t, err, "1 accounts")
	require.Equal(t, []id.AccountID{b.Account.WireID()}, failed)
	require.EqualValues(t, 1, started)
}

// TestCancelRecalculation_AndAutomaticStarts: a caller's that is canceled is no start of the day, and loses no automatic
// start. An automatic one that is canceled ends the start of its day.
func TestCancelRecalculation_AndAutomaticStarts(t *testing.T) {
	const none, begins = 0, 1
	noon := fact.DateOf(time.Now().AddDate(0, 0, 30))
	tomorrow := fact.DateOf(noon.UTC().AddDate(0, 0, 1))
	begin := func(b *bundle) {
		b.Helper()
		require.NoError(b, only(b.tryRecalculation()))
	}
	due := func(b *bundle) {
		b.Helper()
		require.EqualValues(b, 1, b.startDue())
	}
	for name, c := range map[string]struct {
		setting domain.RecalculationSetting
		before  func(*bundle)
		// atOnce is what runs after the cancel, and later what the next round starts.
		atOnce, later int
	}{
		"a caller's":                                {domain.RecalculationDaily, begin, none, begins},
		"a caller's, of an account by hand":         {domain.RecalculationManual, begin, none, none},
		"a caller's, rules published meanwhile":     {domain.RecalculationOnForce, func(b *bundle) { begin(b); b.publishFrom("B", 0, forAll) }, begins, none},
		"a caller's, before rules of today":         {domain.RecalculationOnForce, func(b *bundle) { b.publishFrom("B", 1, forAll); b.goTo(tomorrow, "UTC", time.Hour); begin(b) }, none, begins},
		"a caller's, rules of a day meanwhile":      {domain.RecalculationOnForce, func(b *bundle) { b.publishFrom("B", 1, forAll); begin(b); b.goTo(tomorrow, "UTC", time.Hour); due(b) }, begins, none},
		"a caller's, a day begun meanwhile":         {domain.RecalculationDaily, func(b *bundle) { begin(b); b.goTo(tomorrow, "UTC", time.Hour); due(b) }, begins, none},
		"an automatic one":                          {domain.RecalculationDaily, due, none, none},
		"an automatic one, rules published":         {domain.RecalculationOnForce, func(b *bundle) { b.publishFrom("B", 0, forAll); b.publishFrom("C", 0, forAll) }, none, none},
		"an automatic one, a day begun meanwhile":   {domain.RecalculationDaily, func(b *bundle) { due(b); b.goTo(tomorrow, "UTC", time.Hour); due(b) }, begins, none},
		"an automatic round of a caller's":          {domain.RecalculationOnForce, func(b *bundle) { begin(b); b.publishFrom("B", 0, forAll); b.endRound() }, none, none},
		"an automatic round of a caller's, and day": {domain.RecalculationDaily, func(b *bundle) { begin(b); b.goTo(tomorrow, "UTC", time.Hour); due(b); b.endRound() }, none, none},
	} {
		cancels := map[string]func(*bundle, id.RecalculationID) error{
			"by a caller": func(b *bundle, run id.RecalculationID) error {
				return b.Try(b.Call, func(r *store.Records) error { return r.Recalculations.Cancel(b.Context(), run) })
			},
			"by an operator": func(b *bundle, run id.RecalculationID) error {
				return only(b.Store.LongRuns.EndRecalculation(b.Context(), run))
			},
		}
		for by, cancel := range cancels {
			t.Run(name+" "+by, func(t *testing.T) {
				b := setup(t)
				b.goTo(noon, "UTC", 12*time.Hour)
				b.publish(rule("A", ""))
				b.recalculateBy(c.setting)
				c.before(b)
				running := b.running()
				require.Len(t, running, 1)
				for range 2 {
					require.NoError(t, cancel(b, running[0]))
				}
				found, err := b.Store.Records(b.Call.Scope).Recalculations.Get(t.Context(), running[0])
				require.NoError(t, err)
				require.Equal(t, domain.RecalculationCanceled, found.State)
				after := b.running()
				require.Len(t, after, c.atOnce)
				if c.atOnce > 0 {
					at, err := b.Store.LongRuns.RunningRecalculation(t.Context(), after[0])
					require.NoError(t, err)
					require.Equal(t, []any{domain.System, true}, []any{at.Actor, at.OnlyStale})
				}
				b.Pass(time.Hour)
				require.EqualValues(t, c.later, b.startDue())
				b.endRecalculations()
				b.Pass(24 * time.Hour)
				if c.setting == domain.RecalculationDaily {
					require.EqualValues(t, 1, b.startDue(), "of the next day")
				}
			})
		}
	}
}

// TestPrune_KeepsTheLastStart: a caller's that was canceled after it is none.
func TestPrune_KeepsTheLastStart(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	b.publishFrom("B", 1, forAll)
	b.recalculateBy(domain.RecalculationOnForce)
	b.Pass(24 * time.Hour)
	require.EqualValues(t, 1, b.startDue())
	b.endRecalculations()
	run, err := b.tryRecalculation()
	require.NoError(t, err)
	b.Write(b.Call, func(r *store.Records) error { return r.Recalculations.Cancel(t.Context(), run) })
	b.Pass(100 * 24 * time.Hour)
	require.EqualValues(t, 1, b.prune(store.Retention{}).Recalculations)
	require.Zero(t, b.startDue())
}

// TestPrune_KeepsTheLastRecalculation, which says when the next is due.
func TestPrune_KeepsTheLastRecalculation(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	for range 3 {
		require.NoError(t, only(b.tryRecalculation()))
		b.Pass(time.Hour)
		b.endRecalculations()
	}
	require.Zero(t, b.prune(store.Retention{}).Recalculations)
	b.Pass(100 * 24 * time.Hour)
	require.EqualValues(t, 2, b.prune(store.Retention{}).Recalculations)
	require.Equal(t, 1, b.recalculations())
	b.recalculateBy(domain.RecalculationOnForce)
	require.Zero(t, b.startDue())
}

// A page does not read workflows of other accounts, nor the rules of those that have ended.
func TestWorkflowsToRecalculate_InPages(t *testing.T) {
	b := setup(t)
	b.publish(rule("A", ""))
	b.mustCalculate()
	b.open(3)
	run, err := b.tryRecalculation()
	require.NoError(t, err)
	at, err := b.Store.LongRuns.RunningRecalculation(t.Context(), run)
	require.NoError(t, err)
	open, last, err := b.Store.LongRuns.WorkflowsToRecalculate(t.Context(), at)
	require.NoError(t, err)
	require.Len(t, open, 4)
	require.Equal(t, b.Workflow.WireID(), open[0].ID)
	require.False(t, open[0].Stale)
	require.False(t, open[0].CalculatedBy.Valid, "it was today")
	require.Equal(t, open[3].ID.UUID, last)
	require.NoError(t, b.Store.LongRuns.CountToRecalculate(t.Context(), at, nil))
	at.Cursor = last
	open, last, err = b.Store.LongRuns.WorkflowsToRecalculate(t.Context(), at)
	require.NoError(t, err)
	require.Empty(t, open)
	require.Zero(t, last)

	at, err = b.Store.LongRuns.RunningRecalculation(t.Context(), run)
	require.NoError(t, err)
	require.Zero(t, *at.Total)
	b.publishFrom("B", 0, calculation.Validity{AppliesTo: calculation.AppliesToNew})
	open, _, err = b.Store.LongRuns.WorkflowsToRecalculate(t.Context(), at)
	require.NoError(t, err)
	require.False(t, open[0].Stale, "these rules are for others")
	b.publishFrom("C", 0, forAll)
	open, _, err = b.Store.LongRuns.WorkflowsToRecalculate(t.Context(), at)
	require.NoError(t, err)
	require.True(t, open[0].Stale)
	require.False(t, open[1].Stale, "it was never calculated")
}
