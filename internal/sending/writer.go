package sending

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"requisite/internal/id"
	"requisite/internal/postgres"
)

const (
	// groupSize limits how many outcomes are written in one transaction.
	groupSize = 200
	// writePatience is how long writing an outcome is retried. After that,
	// whoever finds the attempt declares it lost.
	writePatience = time.Minute
	// accountWriters limits how many transactions a process has open that write
	// outcomes of one account.
	accountWriters = 4
	// The pauses between retries double from one to the other.
	firstPause = 20 * time.Millisecond
	lastPause  = 2 * time.Second
)

// writer writes the outcomes of a flight's attempts. Successes at endpoints that
// are well are written in groups over all accounts, by transactions that wait for
// no lock. Whatever else an end causes (an endpoint's health, notices, disabling)
// and whatever could not be written with the others is written by account, so that
// the locks and the errors of one account delay no other one.
type writer struct {
	f *flight

	mu       sync.Mutex
	waiting  map[uuid.UUID][]end // by account, of which a goroutine writes
	accounts sync.WaitGroup
}

func newWriter(f *flight) *writer { return &writer{f: f, waiting: map[uuid.UUID][]end{}} }

// run writes in groups, until the flight is closed and all is written: a group is
// all that arrived while the one before it was written.
func (w *writer) run() {
	defer w.accounts.Wait()
	for first := range w.f.results {
		group := []end{first}
		for more := true; more && len(group) < groupSize; {
			select {
			case next, open := <-w.f.results:
				if more = open; open {
					group = append(group, next)
				}
			default:
				more = false
			}
		}
		w.writeSuccesses(group)
	}
}

// writeSuccesses writes what needs no lock, and hands the rest to its accounts.
func (w *writer) writeSuccesses(group []end) {
	var ended, left []end
	var ends []postgres.AttemptEnd
	for _, g := range group {
		if g.dropped {
			left = append(left, g)
		} else {
			ended, ends = append(ended, g), append(ends, g.AttemptEnd)
		}
	}
	if len(ended) == 0 {
		w.hand(left)
		return
	}
	ctx, cancel := w.patience(ended)
	defer cancel()
	nexts, rest, err := w.f.e.store.EndSuccesses(ctx, ends)
	if err != nil {
		if !postgres.Unreachable(err) {
			w.failed(ended, 1, err)
		}
		w.hand(group)
		return
	}
	var done []written
	for i, g := range ended {
		if len(rest) > 0 && rest[0] == i {
			left, rest = append(left, g), rest[1:]
		} else {
			done = append(done, written{end: g, next: nexts[i]})
		}
	}
	w.hand(left)
	w.tell(done)
}

// hand adds ends to those that wait for their account's turn.
func (w *writer) hand(group []end) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, g := range group {
		_, busy := w.waiting[g.AccountID]
		w.waiting[g.AccountID] = append(w.waiting[g.AccountID], g)
		if !busy {
			w.accounts.Go(func() { w.writeAccount(g.AccountID) })
		}
	}
}

// writeAccount writes what waits of an account, until nothing does.
func (w *writer) writeAccount(account uuid.UUID) {
	for {
		w.mu.Lock()
		group := w.waiting[account]
		if len(group) == 0 {
			delete(w.waiting, account)
			w.mu.Unlock()
			return
		}
		n := min(len(group), groupSize)
		w.waiting[account] = group[n:]
		w.mu.Unlock()
		w.writeGroup(group[:n:n], 1)
	}
}

// writeGroup writes ends of one account in one transaction, and in parts when one of
// them stops the others. One that cannot be written alone is retried by itself, while
// the account goes on.
func (w *writer) writeGroup(group []end, tries int) {
	ctx, cancel := w.patience(group)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		done, err := w.write(ctx, group)
		if err == nil {
			w.tell(done)
			return
		}
		if !postgres.Unreachable(err) || postgres.StatementTimedOut(err) {
			w.failed(group, tries, err)
			if len(group) > 1 {
				w.writeGroup(group[:len(group)/2], tries+1)
				w.writeGroup(group[len(group)/2:], tries+1)
				return
			}
			w.accounts.Go(func() { w.insist(group[0], tries, err) })
			return
		}
		if !wait(ctx, pause) {
			w.giveUp(group, err)
			return
		}
	}
}

// insist retries one end until it is written, or its time is over.
func (w *writer) insist(one end, tries int, err error) {
	group := []end{one}
	ctx, cancel := w.patience(group)
	defer cancel()
	for pause := firstPause; wait(ctx, pause); pause = min(2*pause, lastPause) {
		var done []written
		if done, err = w.write(ctx, group); err == nil {
			w.tell(done)
			return
		}
		if tries++; !postgres.Unreachable(err) {
			w.failed(group, tries, err)
		}
	}
	w.giveUp(group, err)
}

// write writes ends of one account in one transaction, and takes back what was never
// begun.
func (w *writer) write(ctx context.Context, group []end) ([]written, error) {
	select {
	case w.f.e.writers <- struct{}{}:
		defer func() { <-w.f.e.writers }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var ends []postgres.AttemptEnd
	var dropped []postgres.Attempt
	var done []written
	for _, g := range group {
		if g.dropped {
			dropped = append(dropped, g.Attempt)
			done = append(done, written{end: g})
		} else {
			ends = append(ends, g.AttemptEnd)
		}
	}
	if err := w.f.e.store.Drop(ctx, dropped); err != nil {
		return nil, err
	}
	nexts, err := w.f.e.store.EndAttempts(ctx, ends)
	if err != nil {
		return nil, err
	}
	for _, g := range group {
		if !g.dropped {
			done = append(done, written{end: g, next: nexts[0]})
			nexts = nexts[1:]
		}
	}
	return done, nil
}

// patience ends when the first of a group has waited for too long.
func (w *writer) patience(group []end) (context.Context, context.CancelFunc) {
	first := group[0].at
	for _, g := range group[1:] {
		if g.at.Before(first) {
			first = g.at
		}
	}
	return context.WithDeadline(context.WithoutCancel(w.f.ctx), first.Add(w.f.e.patience))
}

// wait pauses; false when ctx has ended.
func wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// tell reports what has been written to the flight's owner.
func (w *writer) tell(done []written) {
	if len(done) == 0 {
		return
	}
	for _, d := range done {
		if !d.dropped {
			w.f.e.count.OutcomeWritten(time.Since(d.at))
			w.f.e.observe(w.f.ctx, d.AttemptEnd, d.next)
		}
	}
	w.f.written <- done
}

// giveUp leaves ends unwritten: their attempts will be UNKNOWN.
func (w *writer) giveUp(group []end, err error) {
	w.f.e.log.ErrorContext(w.f.ctx, "the outcomes of webhook attempts could not be written: they will be UNKNOWN",
		"error", err, "count", len(group), "endpoint_ids", endpointIDs(group))
	done := make([]written, len(group))
	for i, g := range group {
		done[i] = written{end: g, err: err}
	}
	w.f.written <- done
}

// failed reports a transaction that a member of the group made fail.
func (w *writer) failed(group []end, tries int, err error) {
	w.f.e.count.OutcomesFailed()
	w.f.e.log.WarnContext(w.f.ctx, "writing the outcomes of webhook attempts failed; it is retried in parts",
		"error", err, "tries", tries, "count", len(group), "endpoint_ids", endpointIDs(group))
}

// endpointIDs names the endpoints of a group, at most ten.
func endpointIDs(group []end) (list []string) {
	named := map[uuid.UUID]bool{}
	for _, g := range group {
		if !named[g.EndpointID] && len(named) < 10 {
			named[g.EndpointID] = true
			list = append(list, id.Format(id.WebhookConfig, g.EndpointID))
		}
	}
	return list
}
