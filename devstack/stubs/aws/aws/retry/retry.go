// Package retry has the retryer that retries nothing.
package retry

// Standard retries nothing.
type Standard struct{}

// NewStandard returns it.
func NewStandard() *Standard { return &Standard{} }

// IsErrorRetryable is false.
func (*Standard) IsErrorRetryable(error) bool { return false }
