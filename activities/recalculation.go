package activities

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/activity"

	"requisite/internal/decision"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/requests/refusal"
	"requisite/internal/rules/calculation"
	"requisite/internal/store"
	"requisite/internal/store/db"
)

const (
	// recalculateFor is how long one step of a recalculation works. Then other recalculations get a turn.
	recalculateFor = 10 * time.Second
	// recalculationNoted is how often a step saves its progress, and looks whether it was canceled.
	recalculationNoted = time.Second
	// recalculationTries is how often a step tries a workflow that fails, or whose facts change meanwhile.
	recalculationTries = 3
	recalculationPause = 50 * time.Millisecond
)

// RecalculateSome calculates the next workflows of a recalculation, one after the other, for recalculateFor. It
// calculates each as a caller's request would. It stores the result under the recalculation, its round and the
// workflow, so a repeated step calculates and counts no workflow twice. A workflow that keeps failing is counted as
// not evaluable, and does not stop the recalculation.
func (a *Activities) RecalculateSome(ctx context.Context, run id.RecalculationID) (domain.RecalculationProgress, error) {
	at, err := a.store.LongRuns.RunningRecalculation(ctx, run)
	if err != nil || at.State != domain.RecalculationRunning {
		return at.RecalculationProgress, err
	}
	stop := heartbeat(ctx)
	defer stop()
	release, err := a.rules.TakeRecalculation(ctx, at.Scope)
	if err != nil {
		return at.RecalculationProgress, err
	}
	defer release()
	for until := time.Now().Add(recalculateFor); at.State == domain.RecalculationRunning && time.Now().Before(until); {
		if at, err = a.recalculateNext(ctx, at, until); err != nil {
			return at.RecalculationProgress, err
		}
	}
	return at.RecalculationProgress, nil
}

// EndRecalculation ends a recalculation; what it has calculated stays.
func (a *Activities) EndRecalculation(ctx context.Context, run id.RecalculationID) (domain.RecalculationProgress, error) {
	return a.store.LongRuns.EndRecalculation(ctx, run)
}

// recalculateNext calculates the next workflows of a recalculation, and stops after the given time.
func (a *Activities) recalculateNext(ctx context.Context, at store.RunningRecalculation, until time.Time) (store.RunningRecalculation, error) {
	countsDays := func(version id.UUID) (bool, error) {
		rules, err := a.rules.RuleSet(ctx, at.Scope, version)
		if err != nil && ctx.Err() == nil && !db.Unreachable(err) {
			return true, nil // the calculation of the workflow reports what is wrong with the version
		}
		return err == nil && rules.CountsDays(), err
	}
	if at.Cursor == id.Nil {
		if err := a.store.LongRuns.CountToRecalculate(ctx, at, countsDays); err != nil {
			return at, err
		}
	}
	open, last, err := a.store.LongRuns.WorkflowsToRecalculate(ctx, at)
	if err != nil {
		return at, err
	}
	var counts domain.RecalculationCounts
	noted := time.Now()
	for _, w := range open {
		wanted := !at.OnlyStale || w.Stale || w.Outcome.Committed()
		if !wanted && w.CalculatedBy.Valid {
			if wanted, err = countsDays(w.CalculatedBy.UUID); err != nil {
				return at, err
			}
		}
		if !wanted {
			continue
		}
		became, err := a.recalculated(ctx, at, w)
		if err != nil {
			return at, err
		}
		counts = counts.Plus(became)
		if time.Since(noted) < recalculationNoted {
			continue
		}
		here := at
		if at, err = a.store.LongRuns.AdvanceRecalculation(ctx, here, w.ID.UUID, counts); err != nil {
			return at, err
		}
		if at.State != domain.RecalculationRunning || at.Cursor != w.ID.UUID || time.Now().After(until) {
			return at, nil
		}
		counts, noted = domain.RecalculationCounts{}, time.Now()
	}
	return a.store.LongRuns.AdvanceRecalculation(ctx, at, last, counts)
}

// recalculated calculates a workflow, and returns how to count it. An error stops the step; its retry calculates
// the workflow again.
func (a *Activities) recalculated(ctx context.Context, at store.RunningRecalculation, w store.WorkflowToRecalculate) (domain.RecalculationCounts, error) {
	if w.Outcome.Committed() {
		return countOf(w.Outcome.RunResult())
	}
	for try := 1; ; try++ {
		became, err := countOf(a.calculate(ctx, at.CalculationOf(w.ID, a.store.Now())))
		switch {
		case err == nil:
			return became, nil
		case ctx.Err() != nil, db.Unreachable(err) && !db.Busy(err) && !db.StatementTimedOut(err), errors.Is(err, limiter.ErrBusy): // it is not the workflow's fault
			return became, err
		case try == recalculationTries:
			if !errors.Is(err, calculation.ErrFactsChanged) {
				activity.GetLogger(ctx).Error("a workflow could not be recalculated; the others go on", "ApplicationWorkflowId", w.ID.String(), "error", err)
			}
			return domain.RecalculationCounts{NotEvaluable: 1}, nil
		}
		select {
		case <-ctx.Done():
			return became, ctx.Err()
		case <-time.After(recalculationPause << try):
		}
	}
}

// calculate calculates the required documents of a workflow, as the steps of CalculateRequiredDocuments do. It returns
// a panic as an error: otherwise Temporal would retry the step for ever, and never reach the other workflows.
func (a *Activities) calculate(ctx context.Context, run domain.Run) (_ calculation.RunResult, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("panic: %v", failed)
		}
	}()
	snapshot, err := a.store.LoadFacts(ctx, run.Call, run.WorkflowID, run.StartedAt)
	if err != nil {
		return calculation.RunResult{}, err
	}
	found, err := a.rules.RequiredInRecalculation(ctx, snapshot)
	if refused, is := refusal.FromError(err); is && refused.Decided() {
		return a.store.Save(ctx, run, snapshot, store.Refused{Kind: decision.Calculation, Refusal: refused})
	}
	if err != nil {
		return calculation.RunResult{}, err
	}
	return a.store.Save(ctx, run, snapshot, store.Required(found))
}

// countOf counts a result. A workflow that has ended, or whose business was erased, meanwhile is not counted.
func countOf(result calculation.RunResult, err error) (domain.RecalculationCounts, error) {
	refused, is := refusal.FromError(err)
	switch {
	case err == nil && result.Unchanged:
		return domain.RecalculationCounts{Unchanged: 1}, nil
	case err == nil:
		return domain.RecalculationCounts{Changed: 1}, nil
	case !is:
		return domain.RecalculationCounts{}, err
	case refused.Code == refusal.MissingRequirements:
		return domain.RecalculationCounts{WithGaps: 1}, nil
	case refused.SubCode == refusal.WorkflowEnded, refused.SubCode == refusal.BusinessErased:
		return domain.RecalculationCounts{}, nil
	}
	return domain.RecalculationCounts{NotEvaluable: 1}, nil
}
