package workflows

import (
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"requisite/activities"
	"requisite/internal/delivery"
	"requisite/internal/temporalclient"
)

// How long a worker waits for its workflow tasks when it stops, and after them
// for its activities: as long again.
const (
	StopTimeout         = 10 * time.Second
	DeliveryStopTimeout = delivery.AttemptTimeout + 10*time.Second
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

// NewWebhookWorker makes a worker that runs sessions, and NewEndpointWorker one
// that runs what endpoints in trouble are owed. Both stop only when the attempts in
// flight have ended. failed is as with NewWorker.
func NewWebhookWorker(c client.Client, w *activities.Webhooks, failed func(error)) worker.Worker {
	return newSendingWorker(c, temporalclient.Webhooks, sessionsAtOnce, w, failed)
}

// NewEndpointWorker is described at NewWebhookWorker.
func NewEndpointWorker(c client.Client, w *activities.Webhooks, failed func(error)) worker.Worker {
	return newSendingWorker(c, temporalclient.Endpoints, endpointsAtOnce, w, failed)
}

// A session waits for what hangs while the next ones send, and an endpoint's run
// occupies a place only while attempts of it are in flight.
const (
	sessionsAtOnce  = 500
	endpointsAtOnce = 1000
)

func newSendingWorker(c client.Client, queue string, atOnce int, w *activities.Webhooks, failed func(error)) worker.Worker {
	made := worker.New(c, queue, worker.Options{
		OnFatalError:                            failed,
		MaxConcurrentWorkflowTaskPollers:        4,
		MaxConcurrentActivityTaskPollers:        4,
		MaxConcurrentActivityExecutionSize:      atOnce,
		MaxConcurrentLocalActivityExecutionSize: atOnce,
		MaxConcurrentWorkflowTaskExecutionSize:  atOnce,
		WorkerStopTimeout:                       DeliveryStopTimeout,
	})
	RegisterWebhooks(made, w)
	return made
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
