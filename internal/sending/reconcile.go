package sending

import (
	"context"
	"errors"

	"requisite/internal/id"
	"requisite/internal/store"
	"requisite/internal/store/deliveries"
)

// Reconciled counts what a reconciliation repaired.
type Reconciled struct {
	deliveries.Reconciled
	Missing int `json:"missing,omitempty"` // endpoints' runs that should have been open
}

// OpenRuns lists the endpoints that have an open run, by their wire ids. Reconcile calls
// it before it lists the endpoints in trouble: if a run ends in between, its endpoint is
// no longer in trouble, and the run does not count as missing.
type OpenRuns func(context.Context) (map[string]bool, error)

// Reconcile repairs stuck deliveries. An error of one part does not stop the others. It
// checks an endpoint without a run a second time, because the run may be about to start.
func (d *Deliverer) Reconcile(ctx context.Context, open OpenRuns) (Reconciled, error) {
	var found Reconciled
	var stored, missed error
	found.Reconciled, stored = d.deliveries.Repairs.Reconcile(ctx)
	found.Missing, missed = d.wakeMissing(ctx, open)
	if err := errors.Join(stored, missed); err != nil {
		return found, err
	}
	return found, d.store.Upkeep.Succeeded(ctx, store.ScheduleReconcile)
}

// wakeMissing wakes the runs that should be open and are not, and counts them.
func (d *Deliverer) wakeMissing(ctx context.Context, open OpenRuns) (int, error) {
	missing, err := d.withoutRun(ctx, open)
	if err != nil || len(missing) == 0 {
		return 0, err
	}
	pause(ctx, slowPoll)
	still, err := d.withoutRun(ctx, open)
	if err != nil {
		return 0, err
	}
	var wake []id.UUID
	for endpoint := range still {
		if missing[endpoint] {
			wake = append(wake, endpoint)
		}
	}
	if len(wake) == 0 {
		return 0, nil
	}
	return len(wake), d.deliveries.Runs.Wake(ctx, wake)
}

func (d *Deliverer) withoutRun(ctx context.Context, open OpenRuns) (map[id.UUID]bool, error) {
	runs, err := open(ctx)
	if err != nil {
		return nil, err
	}
	inTrouble, err := d.deliveries.Runs.InTrouble(ctx)
	if err != nil {
		return nil, err
	}
	missing := map[id.UUID]bool{}
	for _, t := range inTrouble {
		if !runs[t.EndpointID] {
			missing[t.Endpoint] = true
		}
	}
	return missing, nil
}
