package replay

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Each applies work to every item that read sends, a batch at a time, on all processors. It passes
// the results to see in the order of the items. At most three batches are in memory. An error of
// read, work or see ends all of them.
func Each[T, R any](
	ctx context.Context,
	read func(ctx context.Context, send func([]T) error) error,
	work func(context.Context, T) (R, error),
	see func(R) error,
) error {
	all, ctx := errgroup.WithContext(ctx)
	batches := make(chan []T, 1)
	all.Go(func() error {
		defer close(batches)
		return read(ctx, func(batch []T) error {
			select {
			case batches <- batch:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	})
	all.Go(func() error {
		for batch := range batches {
			results, err := onAllProcessors(ctx, batch, work)
			if err != nil {
				return err
			}
			for _, result := range results {
				if err := see(result); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return all.Wait()
}

func onAllProcessors[T, R any](ctx context.Context, batch []T, work func(context.Context, T) (R, error)) ([]R, error) {
	results := make([]R, len(batch))
	workers, working := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i := range batch {
		if working.Err() != nil {
			break
		}
		workers.Go(func() (err error) {
			results[i], err = work(working, batch[i])
			return err
		})
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	return results, context.Cause(ctx) // after the end of ctx, some items were skipped
}
