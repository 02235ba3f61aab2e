package domain

import "time"

// Running is the state of a recalculation, or a replay, that has not ended.
const Running = "RUNNING"

// RunLease is how long the run of a recalculation or a replay may make no progress. After that, a worker starts
// it again. It is longer than any wait of the run.
const RunLease = 5 * time.Minute
