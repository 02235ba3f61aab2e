package sending

import "time"

// SetPatience changes for how long writing an outcome is retried.
func (d *Deliverer) SetPatience(patience time.Duration) { d.patience = patience }
