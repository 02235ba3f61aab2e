package workflows

import (
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"requisite/activities"
)

// NewWorker makes a worker for a task queue. It stops only when the work in
// hand is done, or after ten seconds; what is left then is retried elsewhere.
func NewWorker(c client.Client, queue string, a *activities.Activities) worker.Worker {
	w := worker.New(c, queue, worker.Options{
		MaxConcurrentWorkflowTaskPollers: 4,
		MaxConcurrentActivityTaskPollers: 4,
		WorkerStopTimeout:                10 * time.Second,
	})
	Register(w, a)
	return w
}
