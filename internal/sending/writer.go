package sending

import (
	"context"
	"sync"
	"time"

	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/store/db"
	"requisite/internal/store/deliveries"
	"requisite/internal/webhooks/delivery"
)

const (
	// groupSize limits how many outcomes are written in one transaction.
	groupSize = 200
	// retryTimeout is how long the writer retries an outcome. After that, a session or the
	// reconciliation declares the attempt lost.
	retryTimeout = time.Minute
	// writeTimeout limits one try: Postgres may have stopped answering.
	writeTimeout = 15 * time.Second
	// busyTries is how often a group waits for a lock before that is logged, and each of its
	// outcomes is written alone.
	busyTries = 4
	// accountWriters limits how many transactions a process has open that write
	// outcomes by account, and accountWritersEach how many of one account.
	accountWriters     = 4
	accountWritersEach = 2
	// The pauses between retries double from one to the other.
	firstPause = 20 * time.Millisecond
	lastPause  = 2 * time.Second
)

// writer writes the outcomes of a flight's attempts. It writes successes at healthy
// endpoints in groups of all accounts, in transactions that wait for no lock. It writes
// all other outcomes by account, so that locks and errors of one account do not delay
// other accounts.
type writer struct {
	f *flight

	mu       sync.Mutex
	waiting  map[id.UUID][]end // by account; a goroutine writes each
	accounts sync.WaitGroup
}

func newWriter(f *flight) *writer { return &writer{f: f, waiting: map[id.UUID][]end{}} }

// run writes groups until the flight is closed. A group is what arrived while the writer
// wrote the previous one.
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
		w.writeWithoutLocks(group)
	}
}

// writeWithoutLocks writes the outcomes that need no lock, and enqueues the rest.
func (w *writer) writeWithoutLocks(group []end) {
	var ended, left []end
	var ends []deliveries.AttemptEnd
	for _, g := range group {
		if g.dropped {
			left = append(left, g)
		} else {
			ended, ends = append(ended, g), append(ends, g.AttemptEnd)
		}
	}
	if len(ended) == 0 {
		w.enqueue(left)
		return
	}
	ctx, cancel := w.try()
	defer cancel()
	nexts, rest, err := w.f.d.deliveries.Ends.EndWithoutWaiting(ctx, ends)
	if err != nil {
		if !outage(err) && !db.Busy(err) {
			w.logFailure(ended, 1, err)
		}
		w.enqueue(group)
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
	w.enqueue(left)
	w.report(done)
}

// enqueue adds outcomes to the queues of their accounts.
func (w *writer) enqueue(group []end) {
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

// writeAccount writes the queue of an account until it is empty.
func (w *writer) writeAccount(account id.UUID) {
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
		w.writeGroup(group[:n:n], false)
	}
}

// writeGroup writes outcomes of one account in one transaction. It retries the group while Postgres is
// unavailable, and a few times while another transaction holds a lock that it needs. After any other
// error, it writes each outcome in a transaction and a goroutine of its own. An outcome that cannot be
// written then stops neither the others nor the next group of the account.
func (w *writer) writeGroup(group []end, alone bool) {
	busy, failed := 0, 0
	for pause := firstPause; len(group) > 0; pause = min(2*pause, lastPause) {
		done, err := w.write(group)
		if err == nil {
			w.report(done)
			return
		}
		if !outage(err) {
			tries := &failed
			if db.Busy(err) {
				tries = &busy
			}
			*tries++
			if failed > 0 || busy >= busyTries { // a lock is normal for a moment
				if *tries&(*tries-1) == 0 { // 1, 2, 4, 8, …
					w.logFailure(group, *tries, err)
				}
				if !alone {
					for i := range group {
						w.accounts.Go(func() { w.writeGroup(group[i:i+1:i+1], true) })
					}
					return
				}
			}
		}
		time.Sleep(pause)
		group = w.giveUpOld(group, err)
	}
}

// outage reports an error that does not depend on what was written.
func outage(err error) bool {
	return db.Unreachable(err) && !db.Busy(err) && !db.StatementTimedOut(err)
}

// write writes outcomes of one account, and drops attempts that never began.
func (w *writer) write(group []end) ([]written, error) {
	ctx, cancel := w.try()
	defer cancel()
	release, err := w.f.d.writers.Wait(ctx, group[0].AccountID.String(), limiter.Forever)
	if err != nil {
		return nil, err
	}
	defer release()
	var ends []deliveries.AttemptEnd
	var dropped []deliveries.Attempt
	var done []written
	for _, g := range group {
		if g.dropped {
			dropped = append(dropped, g.Attempt)
			done = append(done, written{end: g})
		} else {
			ends = append(ends, g.AttemptEnd)
		}
	}
	if err := w.f.d.deliveries.Ends.Drop(ctx, dropped); err != nil {
		return nil, err
	}
	nexts, err := w.f.d.deliveries.Ends.EndAttempts(ctx, ends)
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

// try is the context of one try. It does not end with the run: the outcome of a sent
// request must be written.
func (w *writer) try() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(w.f.ctx), writeTimeout)
}

// giveUpOld gives up outcomes older than retryTimeout, and returns the others.
func (w *writer) giveUpOld(group []end, err error) (left []end) {
	var old []end
	for _, g := range group {
		if time.Since(g.at) < w.f.d.patience {
			left = append(left, g)
		} else {
			old = append(old, g)
		}
	}
	if len(old) > 0 {
		w.giveUp(old, err)
	}
	return left
}

// report passes written outcomes to the flight's owner.
func (w *writer) report(done []written) {
	if len(done) == 0 {
		return
	}
	for _, d := range done {
		if !d.dropped {
			w.f.d.count.OutcomeDelay(time.Since(d.at))
			w.f.d.observe(w.f.ctx, d.AttemptEnd, d.next)
		}
	}
	w.f.written <- done
}

// giveUp leaves outcomes unwritten: their attempts become UNKNOWN.
func (w *writer) giveUp(group []end, err error) {
	w.f.d.log.ErrorContext(w.f.ctx, "the outcomes of webhook attempts could not be written: they will be UNKNOWN",
		"error", err, "count", len(group), "endpoint_ids", endpointIDs(group))
	if !outage(err) {
		w.f.d.count.OutcomesFailed()
	}
	done := make([]written, len(group))
	for i, g := range group {
		w.f.d.count.OutcomeDelay(time.Since(g.at))
		if !g.dropped {
			w.f.d.logAttempt(w.f.ctx, g.AttemptEnd, deliveries.Next{Outcome: delivery.AttemptUnknown, Error: notRecorded})
		}
		done[i] = written{end: g, err: err}
	}
	w.f.written <- done
}

// logFailure logs and counts a transaction that failed because of an outcome in it.
func (w *writer) logFailure(group []end, tries int, err error) {
	w.f.d.count.OutcomesFailed()
	w.f.d.log.WarnContext(w.f.ctx, "writing the outcomes of webhook attempts failed; the worker retries",
		"error", err, "tries", tries, "count", len(group), "endpoint_ids", endpointIDs(group))
}

// endpointIDs names the endpoints of a group, at most ten.
func endpointIDs(group []end) (list []string) {
	named := map[id.UUID]bool{}
	for _, g := range group {
		if !named[g.EndpointID] && len(named) < 10 {
			named[g.EndpointID] = true
			list = append(list, id.Format(id.WebhookConfig, g.EndpointID))
		}
	}
	return list
}
