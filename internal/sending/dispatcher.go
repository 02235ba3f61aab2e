package sending

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"

	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

// Dispatcher starts runs: sessions for due deliveries, unless a session in this process
// takes them, and the runs of failing endpoints, recalculations and replays. Any number of
// processes may have a dispatcher.
type Dispatcher struct {
	Deliverer  *Deliverer
	Deliveries *deliveries.Store
	Log        *slog.Logger
	// StartSession starts a run that sends first attempts. WakeRun starts an endpoint's run,
	// or signals the open one.
	StartSession func(context.Context) error
	WakeRun      func(context.Context, deliveries.Trouble) error
	// StartRun starts the run of a recalculation or a replay, unless it is open.
	StartRun func(context.Context, store.RunToStart) error
}

const (
	// slowPoll is how often it looks without a notification.
	slowPoll = time.Second
	// When many endpoints fail at once, each process starts this many runs a
	// second, and after a quiet time the same number in one burst.
	runsPerSecond = 20
	// wakers is how many runs are woken concurrently.
	wakers = 8
)

// Run dispatches until ctx ends. A worker polls in five loops: this one looks for due deliveries, listen waits for
// notifications of them, wakeRuns looks for failing endpoints, startRuns for recalculations and replays, and tidyReady
// for idle endpoints.
func (d *Dispatcher) Run(ctx context.Context) {
	var beside sync.WaitGroup
	beside.Go(func() { d.listen(ctx) })
	beside.Go(func() { d.wakeRuns(ctx) })
	beside.Go(func() { d.startRuns(ctx) })
	beside.Go(func() { d.tidyReady(ctx) })
	defer beside.Wait()
	poll := time.NewTicker(slowPoll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.Deliverer.due:
		case <-poll.C:
		}
		if err := d.dispatch(ctx); err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "starting a session for due webhooks failed; the worker retries", "error", err)
			pause(ctx, slowPoll)
		}
	}
}

// dispatch starts a session when something is due for one.
func (d *Dispatcher) dispatch(ctx context.Context) error {
	if d.Deliverer.notifySession() {
		return nil
	}
	due, err := d.Deliveries.Claims.SessionDue(ctx, d.Deliverer.slots.all.AtLimit())
	if err != nil || !due {
		return err
	}
	d.Deliverer.expectSession(true)
	if err := d.StartSession(ctx); err != nil {
		d.Deliverer.expectSession(false)
		return err
	}
	return nil
}

// wakeRuns wakes endpoints' runs, at a limited rate.
func (d *Dispatcher) wakeRuns(ctx context.Context) {
	limit := rate.NewLimiter(runsPerSecond, runsPerSecond)
	for limit.Wait(ctx) == nil {
		some, err := d.Deliveries.Runs.ToWake(ctx, wakers)
		if err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "looking for failing endpoints failed; the worker retries", "error", err)
		}
		if len(some) == 0 {
			select {
			case <-ctx.Done():
			case <-time.After(slowPoll):
			case <-d.Deliverer.runs:
			}
			continue
		}
		var all errgroup.Group
		for i, trouble := range some {
			if i > 0 && limit.Wait(ctx) != nil {
				break
			}
			all.Go(func() error {
				if err := d.WakeRun(ctx, trouble); err != nil && ctx.Err() == nil {
					d.Log.ErrorContext(ctx, "waking an endpoint's run failed; the worker retries", "error", err, "endpoint_id", trouble.EndpointID)
				}
				return nil
			})
		}
		_ = all.Wait()
	}
}

// tidyReady removes idle endpoints from the queue of sessions, so that claims need not
// look at them.
func (d *Dispatcher) tidyReady(ctx context.Context) {
	last := id.Nil
	for ctx.Err() == nil {
		next, err := d.Deliveries.Claims.TidyReady(ctx, last)
		if err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "removing idle endpoints from the queue failed; the worker retries", "error", err)
		}
		if last = next; last == id.Nil {
			pause(ctx, slowPoll)
		} else { // tidy a long queue in small batches
			pause(ctx, slowPoll/10)
		}
	}
}

// startRuns starts the runs of recalculations and replays, a few at a time.
func (d *Dispatcher) startRuns(ctx context.Context) {
	for ctx.Err() == nil {
		some, err := d.Deliverer.store.LongRuns.ToStart(ctx, wakers)
		if err != nil && ctx.Err() == nil {
			d.Log.ErrorContext(ctx, "looking for recalculations and replays failed; the worker retries", "error", err)
		}
		for _, r := range some {
			if err := d.StartRun(ctx, r); err != nil && ctx.Err() == nil {
				d.Log.ErrorContext(ctx, "starting a run failed; the worker retries", "run_id", r.ID, "error", err)
			}
		}
		pause(ctx, slowPoll)
	}
}

// listen passes on notifications, and reconnects after an interruption.
func (d *Dispatcher) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := d.Deliveries.Outbox.ListenForDue(ctx, d.Deliverer.wakeDispatcher)
		if err != nil && ctx.Err() == nil {
			d.Log.WarnContext(ctx, "the connection for notifications of due webhooks broke; the worker reconnects", "error", err)
			pause(ctx, slowPoll)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
