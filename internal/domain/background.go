package domain

import "time"

// Running is the state of a recalculation, or a replay, that has not ended.
const Running = "RUNNING"

// RunLease is how long a run of a recalculation or a replay may be silent before a worker starts it again. It is
// longer than the longest pause of such a run.
const RunLease = 5 * time.Minute
