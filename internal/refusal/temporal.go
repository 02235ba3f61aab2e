package refusal

import (
	"errors"

	"go.temporal.io/sdk/temporal"
)

// Failure turns a refusal into the failure an activity or a workflow ends
// with: never retried, counted as benign by Temporal, and carrying the whole
// refusal, which FromError reads back on the other side.
func (r *Refusal) Failure() error {
	return temporal.NewApplicationErrorWithOptions(r.Message, string(r.Code), temporal.ApplicationErrorOptions{
		NonRetryable: true,
		Category:     temporal.ApplicationErrorCategoryBenign,
		Details:      []any{*r},
	})
}

// AsFailure passes err on as an activity must return it: a refusal as its
// Failure, anything else unchanged, for Temporal to retry.
func AsFailure(err error) error {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Failure()
	}
	return err
}

// FromError finds the refusal in err, made here or carried by Temporal.
func FromError(err error) (*Refusal, bool) {
	var r *Refusal
	if errors.As(err, &r) {
		return r, true
	}
	var app *temporal.ApplicationError
	if !errors.As(err, &app) || !app.HasDetails() {
		return nil, false
	}
	if _, ours := statuses[Code(app.Type())]; !ours {
		return nil, false
	}
	var carried Refusal
	if app.Details(&carried) != nil || string(carried.Code) != app.Type() {
		return nil, false
	}
	return &carried, true
}
