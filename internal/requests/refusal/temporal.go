package refusal

import (
	"errors"

	"go.temporal.io/sdk/temporal"
)

// Failure is the error that an activity or a workflow returns for a refusal. Temporal does
// not retry it, and treats it as benign. FromError reads the refusal from it.
func (r *Refusal) Failure() error {
	return temporal.NewApplicationErrorWithOptions(r.Message, string(r.Code), temporal.ApplicationErrorOptions{
		NonRetryable: true,
		Category:     temporal.ApplicationErrorCategoryBenign,
		Details:      []any{*r},
	})
}

// AsFailure converts a refusal to its Failure. It returns other errors unchanged, and
// Temporal retries them.
func AsFailure(err error) error {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Failure()
	}
	return err
}

// FromError finds the refusal in err, direct or carried by Temporal.
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
