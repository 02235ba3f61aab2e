package faults

import "time"

// register is a value that many write, each write with a value of its own, or
// with one that others write too.
type register []Op

// possible is what a look that began at from and ended at to may see: any value
// whose write had begun, unless another write began after its end and ended
// before the look began.
func (r register) possible(from, to time.Duration) []string {
	latest := time.Duration(-1) // when the last write began that the look must know of
	for _, w := range r {
		if w.Answered() && w.End < from {
			latest = max(latest, w.Start)
		}
	}
	var values []string
	for _, w := range r {
		if superseded := w.Answered() && w.End < latest; w.Start <= to && !superseded {
			values = append(values, w.Value)
		}
	}
	return values
}
