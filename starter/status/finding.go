// Package status checks everything that an operator would check: the programs, Temporal, and Postgres
// with the records in it.
package status

import (
	"fmt"
	"strings"
	"time"
)

// State is the result of a check.
type State string

// The states. UNKNOWN means that a setting is missing for the check, or that the cause is another line, which is
// WRONG and which the finding names.
const (
	OK      State = "OK"
	Wrong   State = "WRONG"
	Unknown State = "UNKNOWN"
)

// Finding is one line of the output: what was checked, what was found, and what to do about a problem.
type Finding struct {
	State State
	Check string
	Found string
	Do    string

	// follows are groups of entries of dependencies. If each has a line that is WRONG, they explain this one.
	follows [][]string
	// causes are the lines that explain why this one is UNKNOWN.
	causes []string
}

func ok(check, format string, args ...any) Finding {
	return Finding{State: OK, Check: check, Found: fmt.Sprintf(format, args...)}
}

func wrong(check, do, format string, args ...any) Finding {
	return Finding{State: Wrong, Check: check, Found: oneLine(fmt.Sprintf(format, args...)), Do: do}
}

func unknown(check, do, format string, args ...any) Finding {
	return Finding{State: Unknown, Check: check, Found: oneLine(fmt.Sprintf(format, args...)), Do: do}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// ago is how long ago something happened, in words.
func ago(now, then time.Time) string { return long(now.Sub(then)) + " ago" }

// long is a duration in words, rounded for an operator.
func long(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// size is a number of bytes in words.
func size(n int64) string {
	units, value, unit := []string{"KiB", "MiB", "GiB", "TiB"}, float64(n), "B"
	for i := 0; value >= 1024 && i < len(units); i++ {
		value, unit = value/1024, units[i]
	}
	return fmt.Sprintf("%.4g %s", value, unit)
}
