package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/internal/id"
	"requisite/internal/refusal"
	"requisite/internal/temporalclient"
	"requisite/internal/wire"
	"requisite/workflows"
)

// startPatience bounds the start of a run: beyond it Temporal counts as out of
// reach.
const startPatience = 5 * time.Second

// bodyHashMemo holds the hash of the request's body, by which a repeat with the
// same idempotency key tells its own run from another request's.
const bodyHashMemo = "body_sha256"

func documentsCalculate(ctx context.Context, s *server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, in.WorkflowID, runKind{
		workflow: workflows.CalculateRequiredDocumentsName, prefix: "calculate", verb: "Calculate the required documents of",
	})
}

func pricingCalculate(ctx context.Context, s *server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, in.WorkflowID, runKind{
		workflow: workflows.CalculatePricingName, prefix: "price", verb: "Calculate the evaluation score of",
	})
}

// runKind is what tells one kind of run from another.
type runKind struct{ workflow, prefix, verb string }

// runAndWait holds one of the places for waiters while it runs.
func (s *server) runAndWait(ctx context.Context, c *caller, workflowID string, k runKind) (wire.Reply, error) {
	release, err := s.waiter()
	if err != nil {
		return wire.Reply{}, err
	}
	defer release()
	return s.run(ctx, c, workflowID, k)
}

// run starts a Temporal run for a workflow and waits for its outcome. A repeat
// with the same idempotency key waits on the run that is under way.
func (s *server) run(ctx context.Context, c *caller, workflowID string, k runKind) (wire.Reply, error) {
	patience, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for {
		if outcome, kept, err := s.store.KeptOutcome(ctx, c.call); err != nil {
			return wire.Reply{}, err
		} else if kept {
			return outcome.Reply()
		}
		open, err := s.underWay(ctx, c, k)
		if err != nil {
			return wire.Reply{}, err
		}
		w, err := s.store.Records(c.call.Scope).Workflow(ctx, workflowID)
		if err != nil {
			return wire.Reply{}, err
		}
		if open != nil {
			return s.await(patience, open, inProgress())
		}
		accountID := id.Format(c.call.Scope.Environment.Prefix(), w.AccountID)
		started, err := s.start(ctx, c, workflows.Request{Call: c.call, AccountID: accountID, WorkflowID: workflowID}, k)
		var already *serviceerror.WorkflowExecutionAlreadyStarted
		switch {
		case err == nil:
			return s.await(patience, started, stillRunning(started))
		case !errors.As(err, &already):
			s.log.Error("start a run", "error", err, "trace_id", c.traceID)
			return wire.Reply{}, unavailable()
		case patience.Err() != nil:
			return wire.Reply{}, inProgress()
		}
		// A repeat of this request was quicker by a moment: look for its run, or
		// for its outcome, again.
	}
}

// waiter takes one of the places for those who wait on runs.
func (s *server) waiter() (release func(), err error) {
	select {
	case s.waiting <- struct{}{}:
		return func() { <-s.waiting }, nil
	default:
		refused := refusal.New(refusal.TooManyRequests, "Too many requests are waiting for their results; try again shortly.")
		refused.RetryAfter = time.Second
		return nil, refused
	}
}

func inProgress() *refusal.Refusal {
	return refusal.New(refusal.RequestInProgress, "A request with this Idempotency-Key is still being worked on; try again in a moment.")
}

// runID says what a run is. With an idempotency key it derives from the key's
// scope alone, so that a repeat finds it whatever its body says.
func (c *caller) runID(k runKind, workflowID string) string {
	if c.call.IdempotencyKey == "" {
		fresh := id.New()
		return fmt.Sprintf("%s/%s/%s", k.prefix, workflowID, id.Base62(fresh[:]))
	}
	scope := c.call.Scope
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s", scope.OrganizationID, scope.Environment, c.call.Operation, c.call.IdempotencyKey))
	return fmt.Sprintf("%s/key/%s", k.prefix, id.Base62(sum[:]))
}

// underWay finds the open run of an earlier request with the same idempotency
// key; nil when there is none. Another body is refused at once.
func (s *server) underWay(ctx context.Context, c *caller, k runKind) (client.WorkflowRun, error) {
	if c.call.IdempotencyKey == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	runID := c.runID(k, "")
	description, err := s.temporal.DescribeWorkflow(ctx, runID, "")
	var none *serviceerror.NotFound
	switch {
	case errors.As(err, &none):
		return nil, nil
	case err != nil:
		s.log.Error("describe a run", "error", err, "trace_id", c.traceID)
		return nil, unavailable()
	case description.WorkflowCloseTime != nil:
		return nil, nil
	}
	var hash []byte
	if payload := description.WorkflowExecutionMetadata.Memo.GetFields()[bodyHashMemo]; payload != nil {
		if err := s.converter.FromPayload(payload, &hash); err != nil {
			return nil, fmt.Errorf("memo of run %s: %w", runID, err)
		}
	}
	if !bytes.Equal(hash, c.call.BodySHA256) {
		return nil, refusal.New(refusal.IdempotencyKeyReused, "This Idempotency-Key belongs to a request with another body that is still running.")
	}
	return s.temporal.GetWorkflow(ctx, runID, description.WorkflowExecution.RunID), nil
}

func (s *server) start(ctx context.Context, c *caller, in workflows.Request, k runKind) (client.WorkflowRun, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*startPatience) // the client uses half of a deadline for one try
	defer cancel()
	return s.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:               c.runID(k, in.WorkflowID),
		TaskQueue:        temporalclient.Sync,
		EnableEagerStart: true,
		// What already runs under this id may be another request's: look first.
		WorkflowExecutionErrorWhenAlreadyStarted: true,

		StaticSummary: fmt.Sprintf("%s %s", k.verb, in.WorkflowID),
		StaticDetails: fmt.Sprintf("Asked by **%s** (%s) for account %s, workflow %s. Trace %s.",
			c.call.Actor.UserID, c.call.Scope.Environment, in.AccountID, in.WorkflowID, c.traceID),
		Memo: map[string]any{bodyHashMemo: c.call.BodySHA256},
		TypedSearchAttributes: temporal.NewSearchAttributes(
			temporalclient.AccountID.ValueSet(in.AccountID),
			temporalclient.ApplicationWorkflowID.ValueSet(in.WorkflowID),
			temporalclient.TraceID.ValueSet(c.traceID),
		),
	}, k.workflow, in)
}

// await waits for a run until the caller's patience ends, which is answered
// with late; the run goes on.
func (s *server) await(patience context.Context, run client.WorkflowRun, late *refusal.Refusal) (wire.Reply, error) {
	var result struct {
		Warnings []wire.Warning `json:"warnings"`
	}
	err := run.Get(patience, &result)
	if err == nil {
		return wire.Reply{Data: wire.Empty{}, Warnings: result.Warnings}, nil
	}
	if refused, ok := refusal.FromError(err); ok {
		return wire.Reply{}, refused
	}
	// The deadline may reach the connection a moment before the context.
	var deadline *serviceerror.DeadlineExceeded
	if errors.Is(patience.Err(), context.DeadlineExceeded) || patience.Err() == nil && errors.As(err, &deadline) {
		return wire.Reply{}, late
	}
	return wire.Reply{}, fmt.Errorf("run %s: %w", run.GetID(), err)
}

func stillRunning(run client.WorkflowRun) *refusal.Refusal {
	refused := refusal.New(refusal.StillRunning, "The result is not there yet; the run goes on. Repeat the request to learn its outcome.")
	refused.TemporalWorkflowID, refused.TemporalRunID = run.GetID(), run.GetRunID()
	return refused
}
