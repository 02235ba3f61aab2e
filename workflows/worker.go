package workflows

import (
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"requisite/activities"
	"requisite/internal/temporalclient"
	"requisite/internal/webhooks/delivery"
)

// How long a stopping worker waits for its workflow tasks, and then as long for its
// activities.
const (
	StopTimeout         = 10 * time.Second
	DeliveryStopTimeout = delivery.AttemptTimeout + 10*time.Second
)

// deadlockedAfter is how long the code of a workflow may go on without a wait. That takes it less than a millisecond, but a
// busy machine may keep it from the processor for longer than the second of the SDK, which would fail its run.
const deadlockedAfter = 30 * time.Second

// NewWorker makes a worker for a task queue. It stops only when its current
// work is done, or after StopTimeout; the rest is retried elsewhere. failed is
// called when it stops by itself because of a fatal error.
func NewWorker(c client.Client, queue string, a *activities.Activities, failed func(error)) worker.Worker {
	w := worker.New(c, queue, worker.Options{
		OnFatalError:                     failed,
		MaxConcurrentWorkflowTaskPollers: 4,
		MaxConcurrentActivityTaskPollers: 4,
		WorkerStopTimeout:                StopTimeout,
		DeadlockDetectionTimeout:         deadlockedAfter,
		PreferredVersionProvider:         preferredVersion,
	})
	Register(w, a)
	return w
}

// NewWebhookWorker makes a worker for sessions, and NewEndpointWorker one for the
// runs of endpoints in trouble. Both stop only when the attempts in flight have ended.
// failed is used as in NewWorker.
func NewWebhookWorker(c client.Client, w *activities.Webhooks, failed func(error)) worker.Worker {
	return newSendingWorker(c, temporalclient.Webhooks, sessionsAtOnce, worker.BlockWorkflow, w, failed)
}

// NewEndpointWorker: see NewWebhookWorker.
func NewEndpointWorker(c client.Client, w *activities.Webhooks, failed func(error)) worker.Worker {
	return newSendingWorker(c, temporalclient.Endpoints, endpointsAtOnce, failOnPanic, w, failed)
}

// failOnPanic fails a run that panics, or that this release cannot replay. The state of
// these runs is in the database. The reconciliation, the dispatcher, the schedule or the
// caller starts the next run, which continues.
const failOnPanic = worker.FailWorkflow

// A session may wait for hanging endpoints while the next sessions send. An
// endpoint's run occupies a slot only while it has attempts in flight.
const (
	sessionsAtOnce  = 500
	endpointsAtOnce = 1000
)

func newSendingWorker(c client.Client, queue string, atOnce int, onPanic worker.WorkflowPanicPolicy, w *activities.Webhooks, failed func(error)) worker.Worker {
	made := worker.New(c, queue, worker.Options{
		OnFatalError:                            failed,
		MaxConcurrentWorkflowTaskPollers:        4,
		MaxConcurrentActivityTaskPollers:        4,
		MaxConcurrentActivityExecutionSize:      atOnce,
		MaxConcurrentLocalActivityExecutionSize: atOnce,
		MaxConcurrentWorkflowTaskExecutionSize:  atOnce,
		WorkerStopTimeout:                       DeliveryStopTimeout,
		DeadlockDetectionTimeout:                deadlockedAfter,
		WorkflowPanicPolicy:                     onPanic,
		PreferredVersionProvider:                preferredVersion,
	})
	RegisterWebhooks(made, w)
	return made
}

// UpkeepStopTimeout is short: interrupted work continues with its next try.
const UpkeepStopTimeout = time.Second

// NewUpkeepWorker makes a worker for recoveries, replays, reconciliation, deadlines and
// pruning. failed is used as in NewWorker.
func NewUpkeepWorker(c client.Client, a *activities.Activities, w *activities.Webhooks, u *activities.Upkeep, failed func(error)) worker.Worker {
	made := worker.New(c, temporalclient.Upkeep, worker.Options{
		OnFatalError: failed, WorkerStopTimeout: UpkeepStopTimeout, DeadlockDetectionTimeout: deadlockedAfter, WorkflowPanicPolicy: failOnPanic,
		MaxConcurrentWorkflowTaskPollers: 4, MaxConcurrentActivityTaskPollers: 4, PreferredVersionProvider: preferredVersion,
	})
	RegisterUpkeep(made, a, w, u)
	return made
}
