package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/internal/id"
	"requisite/internal/postgres"
	"requisite/internal/refusal"
	"requisite/internal/temporalclient"
	"requisite/internal/visible"
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
	return s.runAndWait(ctx, c, calculation(c, in.WorkflowID, job{
		workflow: workflows.CalculateRequiredDocumentsName, prefix: "calculate", summary: "Calculate the required documents of " + in.WorkflowID,
	}))
}

func pricingCalculate(ctx context.Context, s *server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, calculation(c, in.WorkflowID, job{
		workflow: workflows.CalculatePricingName, prefix: "price", summary: "Calculate the evaluation score of " + in.WorkflowID,
	}))
}

// calculation completes a job that is about one workflow.
func calculation(c *caller, workflowID string, j job) job {
	j.subject = workflowID
	j.find = func(ctx context.Context, r *postgres.Records) (target, error) {
		w, err := r.Workflow(ctx, workflowID)
		accountID := id.Format(r.Environment().Prefix(), w.AccountID)
		return target{
			accountID:  accountID,
			input:      workflows.Request{Call: c.call, AccountID: accountID, WorkflowID: workflowID},
			attributes: []temporal.SearchAttributeUpdate{temporalclient.ApplicationWorkflowID.ValueSet(workflowID)},
		}, err
	}
	// A run's result tells operators more than its caller is answered.
	j.reply = func(result json.RawMessage) (wire.Reply, error) {
		var found struct {
			Warnings []wire.Warning `json:"warnings"`
		}
		err := json.Unmarshal(result, &found)
		return wire.Reply{Data: wire.Empty{}, Warnings: found.Warnings}, err
	}
	return j
}

// job is a Temporal run that a request asks for.
type job struct {
	workflow string // its registered name
	prefix   string // how the run's id begins
	subject  string // what it is about, as a wire id
	summary  string
	// find refuses what does not exist, and gives what the run needs to know.
	find func(context.Context, *postgres.Records) (target, error)
	// reply reads the answer out of the run's result.
	reply func(result json.RawMessage) (wire.Reply, error)
}

type target struct {
	accountID  string
	input      any
	attributes []temporal.SearchAttributeUpdate
}

// asItIs answers with the whole result of a run.
func asItIs(result json.RawMessage) (wire.Reply, error) { return wire.Reply{Data: result}, nil }

// runAndWait starts a Temporal run and waits for its outcome. A repeat with the same
// idempotency key waits on the run that is under way.
func (s *server) runAndWait(ctx context.Context, c *caller, j job) (wire.Reply, error) {
	patience, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for {
		if outcome, kept, err := s.store.KeptOutcome(ctx, c.call); err != nil {
			return wire.Reply{}, err
		} else if kept {
			return outcome.Reply()
		}
		open, err := s.underWay(ctx, c, j)
		if err != nil {
			return wire.Reply{}, err
		}
		about, err := j.find(ctx, s.store.Records(c.call.Scope))
		if err != nil {
			return wire.Reply{}, err
		}
		if open != nil {
			return s.await(patience, open, j, inProgress())
		}
		started, err := s.start(ctx, c, j, about)
		var already *serviceerror.WorkflowExecutionAlreadyStarted
		switch {
		case err == nil:
			c.run = started
			reply, err := s.await(patience, started, j, stillRunning(started))
			if refused, is := refusal.FromError(err); err == nil || is && refused.Code != refusal.StillRunning {
				c.run = nil
			}
			return reply, err
		case !errors.As(err, &already):
			return wire.Reply{}, outOfReach("start a run", err)
		case patience.Err() != nil:
			return wire.Reply{}, inProgress()
		}
		// A repeat of this request was quicker by a moment: look for its run, or
		// for its outcome, again.
	}
}

// outOfReach tells the caller that Temporal could not be asked, and the log why.
func outOfReach(doing string, err error) error {
	return fmt.Errorf("%w: %s: %w", unavailable(), doing, err)
}

// waiter takes one of the places for those who wait on runs.
func (s *server) waiter(ctx context.Context, c *caller) (leave func(), err error) {
	release, err := s.takePlace(ctx, s.waiting, c, 0)
	if err != nil {
		return nil, err
	}
	s.metrics.Waiting(1)
	return func() { s.metrics.Waiting(-1); release() }, nil
}

func inProgress() *refusal.Refusal {
	return refusal.New(refusal.RequestInProgress, "A request with this Idempotency-Key is still being worked on; try again in a moment.")
}

// runID says what a run is. With an idempotency key it derives from the key's
// scope alone, so that a repeat finds it whatever its body says.
func (c *caller) runID(j job) string {
	if c.call.IdempotencyKey == "" {
		fresh := id.New()
		return fmt.Sprintf("%s/%s/%s", j.prefix, j.subject, id.Base62(fresh[:]))
	}
	scope := c.call.Scope
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s", scope.OrganizationID, scope.Environment, c.call.Operation, c.call.IdempotencyKey))
	return fmt.Sprintf("%s/key/%s", j.prefix, id.Base62(sum[:]))
}

// underWay finds the open run of an earlier request with the same idempotency
// key; nil when there is none. Another body is refused at once.
func (s *server) underWay(ctx context.Context, c *caller, j job) (client.WorkflowRun, error) {
	if c.call.IdempotencyKey == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	runID := c.runID(j)
	description, err := s.temporal.DescribeWorkflow(ctx, runID, "")
	var none *serviceerror.NotFound
	switch {
	case errors.As(err, &none):
		return nil, nil
	case err != nil:
		return nil, outOfReach("describe a run", err)
	case description.WorkflowCloseTime != nil:
		return nil, nil
	}
	var hash []byte
	if payload := description.WorkflowExecutionMetadata.Memo.GetFields()[bodyHashMemo]; payload != nil {
		if err := s.converter(runID).FromPayload(payload, &hash); err != nil {
			return nil, fmt.Errorf("memo of run %s: %w", runID, err)
		}
	}
	if !bytes.Equal(hash, c.call.BodySHA256) {
		return nil, refusal.New(refusal.IdempotencyKeyReused, "This Idempotency-Key belongs to a request with another body that is still running.")
	}
	return s.temporal.GetWorkflow(ctx, runID, description.WorkflowExecution.RunID), nil
}

func (s *server) start(ctx context.Context, c *caller, j job, about target) (client.WorkflowRun, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*startPatience) // the client uses half of a deadline for one try
	defer cancel()
	attributes := append(about.attributes,
		temporalclient.AccountID.ValueSet(about.accountID),
		temporalclient.TraceID.ValueSet(c.traceID),
	)
	return s.temporal.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID:               c.runID(j),
		TaskQueue:        temporalclient.Sync,
		EnableEagerStart: true,
		// What already runs under this id may be another request's: look first.
		WorkflowExecutionErrorWhenAlreadyStarted: true,

		// The tasks of one account hold nobody else's up.
		Priority: temporal.Priority{FairnessKey: about.accountID},

		StaticSummary: j.summary,
		StaticDetails: fmt.Sprintf("Asked by **%s** (%s) for account %s: %s. Trace %s.",
			visible.Markdown(c.call.Actor.UserID), c.call.Scope.Environment, about.accountID, visible.Markdown(j.subject), c.traceID),
		Memo:                  map[string]any{bodyHashMemo: c.call.BodySHA256},
		TypedSearchAttributes: temporal.NewSearchAttributes(attributes...),
	}, j.workflow, about.input)
}

// await waits for a run until the caller's patience ends, which is answered
// with late; the run goes on.
func (s *server) await(patience context.Context, run client.WorkflowRun, j job, late *refusal.Refusal) (wire.Reply, error) {
	var result json.RawMessage
	err := run.Get(patience, &result)
	if err == nil {
		return j.reply(result)
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
