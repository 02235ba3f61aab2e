package domain

import "time"

// Running is the state of a recalculation, or a replay, that has not ended.
const Running = "RUNNING"

// RunLease is how long nothing may come of the run of a recalculation or a replay before a worker starts it
// again. It is longer than the run waits.
const RunLease = 5 * time.Minute
