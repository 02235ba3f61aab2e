// Package retry has the retryer that retries nothing.
package retry

// Standard retries nothing.
type Standard struct{}

// StandardOptions has no settings.
type StandardOptions struct{}

// NewStandard returns it.
func NewStandard(...func(*StandardOptions)) *Standard { return &Standard{} }

// IsErrorRetryable is false.
func (*Standard) IsErrorRetryable(error) bool { return false }
