package sending

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"requisite/internal/id"
	"requisite/internal/limiter"
	"requisite/internal/postgres/db"
	"requisite/internal/postgres/deliveries"
	"requisite/internal/webhooks/delivery"
)

const (
	// groupSize limits how many outcomes are written in one transaction.
	groupSize = 200
	// writePatience is how long writing an outcome is retried. After that,
	// whoever finds the attempt declares it lost.
	writePatience = time.Minute
	// writeWithin limits one try: Postgres may have stopped answering.
	writeWithin = 15 * time.Second
	// busyTries is how often a group waits for a lock of its account, about a second in
	// all, before that counts as a failure.
	busyTries = 5
	// accountWriters limits how many transactions a process has open that write
	// outcomes by account, and accountWritersEach how many of one account.
	accountWriters     = 4
	accountWritersEach = 2
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
	var ends []deliveries.AttemptEnd
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
	ctx, cancel := w.try()
	defer cancel()
	nexts, rest, err := w.f.e.deliveries.EndSuccesses(ctx, ends)
	if err != nil {
		if !outage(err) && !db.Busy(err) {
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
		w.writeGroup(group[:n:n], 0)
	}
}

// writeGroup writes ends of one account in one transaction, and in parts when one of
// them stops the others. What cannot be written is retried by itself, while the account
// goes on. tries is how often the group, or the one that it is a part of, was tried.
func (w *writer) writeGroup(group []end, tries int) {
	for pause := firstPause; len(group) > 0; pause = min(2*pause, lastPause) {
		done, err := w.write(group)
		if err == nil {
			w.tell(done)
			return
		}
		busy := db.Busy(err)
		if tries++; !outage(err) && (!busy || tries >= busyTries) {
			w.failed(group, tries, err)
			parts := partsOf(group, busy)
			if len(parts) == 1 {
				w.accounts.Go(func() { w.insist(group, tries, err) })
				return
			}
			for _, part := range parts {
				w.writeGroup(part, tries)
			}
			return
		}
		time.Sleep(pause)
		group = w.giveUpOld(group, err)
	}
}

// insist retries a group until it is written, or its time is over.
func (w *writer) insist(group []end, tries int, err error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		time.Sleep(pause)
		if group = w.giveUpOld(group, err); len(group) == 0 {
			return
		}
		var done []written
		if done, err = w.write(group); err == nil {
			w.tell(done)
			return
		}
		if tries++; !outage(err) && tries&(tries-1) == 0 { // ever more rarely
			w.failed(group, tries, err)
		}
	}
}

// partsOf divides a group that cannot be written: by endpoint, and those of one
// endpoint in halves until one is alone. When a lock is in the way, it is that of an
// endpoint: then its ends stay together.
func partsOf(group []end, busy bool) (parts [][]end) {
	of := map[uuid.UUID]int{}
	for _, g := range group {
		i, known := of[g.EndpointID]
		if !known {
			i = len(parts)
			of[g.EndpointID] = i
			parts = append(parts, nil)
		}
		parts[i] = append(parts[i], g)
	}
	if half := len(group) / 2; len(parts) == 1 && half > 0 && !busy {
		return [][]end{group[:half:half], group[half:]}
	}
	return parts
}

// outage reports that Postgres is not well, whatever is written.
func outage(err error) bool {
	return db.Unreachable(err) && !db.Busy(err) && !db.StatementTimedOut(err)
}

// write writes ends of one account in one transaction, and takes back what was never
// begun.
func (w *writer) write(group []end) ([]written, error) {
	ctx, cancel := w.try()
	defer cancel()
	release, err := w.f.e.writers.Wait(ctx, group[0].AccountID.String(), limiter.Forever)
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
	if err := w.f.e.deliveries.Drop(ctx, dropped); err != nil {
		return nil, err
	}
	nexts, err := w.f.e.deliveries.EndAttempts(ctx, ends)
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

// try is the context of one try. It outlives the run around it: what was sent has an
// outcome.
func (w *writer) try() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(w.f.ctx), writeWithin)
}

// giveUpOld gives up the ends whose time is over, and returns the others.
func (w *writer) giveUpOld(group []end, err error) (left []end) {
	var old []end
	for _, g := range group {
		if time.Since(g.at) < w.f.e.patience {
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

// tell reports what has been written to the flight's owner.
func (w *writer) tell(done []written) {
	if len(done) == 0 {
		return
	}
	for _, d := range done {
		if !d.dropped {
			w.f.e.count.OutcomeDelay(time.Since(d.at))
			w.f.e.observe(w.f.ctx, d.AttemptEnd, d.next)
		}
	}
	w.f.written <- done
}

// giveUp leaves ends unwritten: their attempts will be UNKNOWN.
func (w *writer) giveUp(group []end, err error) {
	w.f.e.log.ErrorContext(w.f.ctx, "the outcomes of webhook attempts could not be written: they will be UNKNOWN",
		"error", err, "count", len(group), "endpoint_ids", endpointIDs(group))
	if !outage(err) {
		w.f.e.count.OutcomesFailed()
	}
	done := make([]written, len(group))
	for i, g := range group {
		w.f.e.count.OutcomeDelay(time.Since(g.at))
		if !g.dropped {
			w.f.e.logAttempt(w.f.ctx, g.AttemptEnd, deliveries.Next{Outcome: delivery.Unknown, Error: notRecorded})
		}
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
