package telemetry

import (
	"log/slog"
	"time"
)

// DurationMS is the attribute of a line of the log that says how long something took, in
// milliseconds.
func DurationMS(d time.Duration) slog.Attr {
	return slog.Float64("duration_ms", float64(d.Microseconds())/1000)
}
