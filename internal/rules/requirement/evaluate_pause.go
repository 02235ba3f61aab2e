package requirement

import "context"

// Pauses. Input: a context. Output: whether a long calculation must stop, after it has
// paused where it should.

type pauseKey struct{}

// WithPauses makes what is computed with the context call pause, which is quick when
// there is nothing to wait for: between two conditions, and every few thousand steps of
// an evaluation. When pause fails, the context must have ended.
func WithPauses(ctx context.Context, pause func() error) context.Context {
	return context.WithValue(ctx, pauseKey{}, pause)
}

// Ended pauses, and reports whether the context has ended.
func Ended(ctx context.Context) bool {
	if pause, ok := ctx.Value(pauseKey{}).(func() error); ok {
		return pause() != nil
	}
	return ctx.Err() != nil
}
