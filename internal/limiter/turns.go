package limiter

import (
	"context"
	"time"
)

const (
	// slice is how long a computation keeps its slot. Ordinary rules take a fiftieth of it.
	slice = 2 * time.Millisecond
	// rest is how long a long computation then leaves the processor to others.
	rest = 2 * time.Millisecond
)

// Turns grants slots for computations. Ordinary ones end within their first slice. Long
// ones pause after each slice, so that they leave half of the time to requests and to
// other programs.
type Turns struct {
	slots *Limiter // held for a slice
	long  *Limiter // held by long computations, for a slice and the rest after it
}

// NewTurns makes turns for so many computations at once.
func NewTurns(name string, total int) *Turns {
	return &Turns{New(name, total, 0), New("long_"+name, total, 0)}
}

// Limiters returns what Turns consists of, for metrics.
func (t *Turns) Limiters() []*Limiter { return []*Limiter{t.slots, t.long} }

// Wait takes a slot for a computation that is not suspended. Patience is that of
// Limiter.Wait.
func (t *Turns) Wait(ctx context.Context, tenant string, patience time.Duration) (release func(), err error) {
	return t.slots.Wait(ctx, tenant, patience)
}

// Do runs a computation, which must call pause often. pause returns at once, or after the
// turns of other tenants. Do waits for the first slot for at most patience, and for later
// ones until ctx ends. Then pause returns the cause of the end of ctx, and the computation
// must end.
func (t *Turns) Do(ctx context.Context, tenant string, patience time.Duration, compute func(pause func() error) error) error {
	release, err := t.slots.Wait(ctx, tenant, patience)
	if err != nil {
		return err
	}
	releaseLong := func() {}
	defer func() { release(); releaseLong() }()
	began := time.Now()
	return compute(func() (err error) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if time.Since(began) < slice {
			return nil
		}
		release()
		time.Sleep(rest)
		releaseLong()
		if releaseLong, err = t.long.wait(ctx, tenant); err != nil {
			return err
		}
		if release, err = t.slots.wait(ctx, tenant); err != nil {
			return err
		}
		began = time.Now()
		return nil
	})
}

// wait is Wait, but release is never nil.
func (l *Limiter) wait(ctx context.Context, tenant string) (release func(), err error) {
	if release, err = l.Wait(ctx, tenant, Forever); err != nil {
		release = func() {}
	}
	return release, err
}
