package workflows

import (
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"requisite/activities"
	"requisite/internal/temporalclient"
	"requisite/internal/webhook"
)

// How long a worker waits for its workflow tasks when it stops, and after them
// for its activities: as long again.
const (
	StopTimeout         = 10 * time.Second
	DeliveryStopTimeout = webhook.AttemptTimeout + 10*time.Second
)

// NewWorker makes a worker for a task queue. It stops only when the work in
// hand is done, or after StopTimeout; what is left then is retried elsewhere.
// failed is called when it has stopped by itself, because Temporal told it to.
func NewWorker(c client.Client, queue string, a *activities.Activities, failed func(error)) worker.Worker {
	w := worker.New(c, queue, worker.Options{
		OnFatalError:                     failed,
		MaxConcurrentWorkflowTaskPollers: 4,
		MaxConcurrentActivityTaskPollers: 4,
		WorkerStopTimeout:                StopTimeout,
	})
	Register(w, a)
	return w
}

// attemptsAtOnce is how many attempts one worker makes. An endpoint has ten of
// them at most; a first attempt, a local activity, keeps its run's task as long.
const attemptsAtOnce = 4000

// NewDeliveryWorker makes a worker that sends webhooks. Very many attempts may
// wait for slow endpoints at once; each endpoint has few. It stops only when the
// attempts on the wire have ended. failed is as with NewWorker.
func NewDeliveryWorker(c client.Client, d *activities.Deliveries, failed func(error)) worker.Worker {
	w := worker.New(c, temporalclient.Webhooks, worker.Options{
		OnFatalError:                            failed,
		MaxConcurrentWorkflowTaskPollers:        8,
		MaxConcurrentActivityTaskPollers:        8,
		MaxConcurrentActivityExecutionSize:      attemptsAtOnce,
		MaxConcurrentLocalActivityExecutionSize: attemptsAtOnce,
		MaxConcurrentWorkflowTaskExecutionSize:  attemptsAtOnce,
		WorkerStopTimeout:                       DeliveryStopTimeout,
	})
	RegisterDeliveries(w, d)
	return w
}

// UpkeepStopTimeout is short: what is broken off goes on with its next try.
const UpkeepStopTimeout = time.Second

// NewUpkeepWorker makes a worker for what is deleted by the clock. failed is as
// with NewWorker.
func NewUpkeepWorker(c client.Client, u *activities.Upkeep, failed func(error)) worker.Worker {
	w := worker.New(c, temporalclient.Upkeep, worker.Options{OnFatalError: failed, WorkerStopTimeout: UpkeepStopTimeout})
	RegisterUpkeep(w, u)
	return w
}
