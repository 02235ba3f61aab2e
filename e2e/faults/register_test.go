package faults

import "time"

// register is the history of writes of one value.
type register []Op

// possible returns the values that a read from from to to may see: each value whose write
// had begun, unless another write followed it and ended before the read began.
func (r register) possible(from, to time.Duration) []string {
	latest := time.Duration(-1) // the begin of the last write that the read must see
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
