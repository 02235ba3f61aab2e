package sending

import "time"

// SetPatience changes for how long writing an outcome is retried.
func (e *Engine) SetPatience(d time.Duration) { e.patience = d }
