package workflows

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
)

// Scheduled describes work that repeats for ever. A Temporal Schedule keeps one run of it open.
type Scheduled struct {
	ID       string // of the schedule; the ids of its runs begin with it
	Workflow string // its registered name
	Summary  string
}

// Schedules returns all work that repeats for ever.
func Schedules() []Scheduled {
	return []Scheduled{
		{"prune", PruneName, "Delete expired records, every 10 minutes"},
		{"deadlines", ApplyDeadlinesName, "Apply the deadlines of required documents, every minute"},
		{"recalculations", StartRecalculationsName, "Start the recalculations that are due, every hour"},
		{"reconcile", ReconcileName, "Repair webhook deliveries that no run works on, every 30 seconds"},
	}
}

// RoundsDone is the result of a run that repeats an activity.
type RoundsDone struct {
	Rounds int `json:"rounds"`
	Failed int `json:"failed,omitempty"`
}

// rounds repeats an activity, which must be safe to run at any time. The run ends when its
// history is long or after a day, and its schedule starts the next one within a minute.
// Between two rounds it holds nothing in a worker.
type rounds[T comparable] struct {
	summary  string
	activity any
	pause    time.Duration // between two rounds
	describe func(T) string
	// outcome is the outcome of the run once a round has found something.
	outcome string
}

// pauseAfterFailure is the longest pause after a round that has failed.
const pauseAfterFailure = 30 * time.Second

func (r rounds[T]) run(ctx workflow.Context) (RoundsDone, error) {
	var done RoundsDone
	told := roundsTold{since: workflow.Now(ctx)}
	tellOperators(ctx, "The first round is at work. The tab Pending Activities shows it.")
	for {
		var found, nothing T
		err := workflow.ExecuteActivity(inOneRound(ctx, r.summary), r.activity).Get(ctx, &found)
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
		done.Rounds++
		pause, now := r.pause, stamp(workflow.Now(ctx))
		switch {
		case err != nil:
			done.Failed++
			pause = min(pause, pauseAfterFailure)
			told.last = fmt.Sprintf("**The round of %s failed**: %s", now, visible.Markdown(reason(err)))
			told.failed = told.last
		default:
			told.last = fmt.Sprintf("**The round of %s**: %s", now, r.describe(found))
			if found != nothing {
				first := told.found == ""
				told.found = told.last
				if first && r.outcome != "" {
					if err := workflow.UpsertTypedSearchAttributes(ctx, temporalclient.Outcome.ValueSet(r.outcome)); err != nil {
						return done, err
					}
				}
			}
		}
		if shouldContinueAsNew(ctx) {
			tellOperators(ctx, told.describe(done, "The schedule starts the next run within a minute."))
			return done, nil
		}
		tellOperators(ctx, told.describe(done, fmt.Sprintf("The next round is at %s.", stamp(workflow.Now(ctx).Add(pause)))))
		if err := workflow.Sleep(ctx, pause); err != nil {
			return done, err
		}
	}
}

// roundsTold is the text for operators: the last round, the last one that found something, and
// the last one that failed.
type roundsTold struct {
	since               time.Time
	last, found, failed string
}

func (t roundsTold) describe(done RoundsDone, next string) string {
	var b strings.Builder
	b.WriteString(t.last)
	b.WriteString(fmt.Sprintf("\n\n%s Rounds since %s: %d, of which %d failed.", next, stamp(t.since), done.Rounds, done.Failed))
	for _, earlier := range []struct{ title, text string }{{"The last round that found something", t.found}, {"The last failure", t.failed}} {
		if earlier.text != "" && earlier.text != t.last {
			b.WriteString(fmt.Sprintf("\n\n%s:\n\n%s", earlier.title, earlier.text))
		}
	}
	return b.String()
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// reason is the message of an activity's failure, without Temporal's frame.
func reason(err error) string {
	var app *temporal.ApplicationError
	if errors.As(err, &app) {
		return app.Message()
	}
	var activity *temporal.ActivityError
	if errors.As(err, &activity) && activity.Unwrap() != nil {
		return activity.Unwrap().Error()
	}
	return err.Error()
}
