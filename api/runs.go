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

	"requisite/api/limits"
	"requisite/internal/id"
	"requisite/internal/operations/temporalclient"
	"requisite/internal/postgres"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/text/visible"
	"requisite/workflows"
)

// startPatience limits the start of a run: beyond it Temporal counts as
// unreachable.
const startPatience = 5 * time.Second

// bodyHashMemo holds the hash of the request's body. With it a repeat of an
// idempotency key distinguishes its own run from that of another request.
const bodyHashMemo = "body_sha256"

func documentsCalculate(ctx context.Context, s *server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, calculation(c, in.WorkflowID, workflows.Calculation, workflows.StartCalculation, "workflow.requiredDocument.list"))
}

func pricingCalculate(ctx context.Context, s *server, c *caller, in *WorkflowRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, calculation(c, in.WorkflowID, workflows.Pricing, workflows.StartPricing, "workflow.get"))
}

// calculation is a job about one workflow.
func calculation(c *caller, workflowID id.WorkflowID, kind workflows.Kind, start func(workflows.Request) workflows.Start, shownBy string) job {
	return job{
		kind: kind, shownBy: shownBy,
		find: func(ctx context.Context, r *postgres.Records) (workflows.Start, error) {
			w, err := r.Workflow(ctx, workflowID)
			return start(workflows.Request{Call: c.call, AccountID: r.Environment().Account(w.AccountID), WorkflowID: workflowID}), err
		},
		// The result of a run has more for operators than the answer to its caller.
		reply: func(result json.RawMessage) (wire.Reply, error) {
			var found struct {
				Warnings []refusal.Warning `json:"warnings"`
			}
			err := json.Unmarshal(result, &found)
			return wire.Reply{Data: wire.Empty{}, Warnings: found.Warnings}, err
		},
	}
}

// job is a Temporal run that a request starts.
type job struct {
	kind workflows.Kind
	// find returns what to start, or refuses when the subject does not exist.
	find func(context.Context, *postgres.Records) (workflows.Start, error)
	// reply makes the answer of what the run did.
	reply func(result json.RawMessage) (wire.Reply, error)
	// shownBy is the operation that shows what the run did.
	shownBy string
}

// asItIs answers with the result of a run, unchanged.
func asItIs(result json.RawMessage) (wire.Reply, error) { return wire.Reply{Data: result}, nil }

// runAndWait starts a Temporal run and waits for its outcome. A repeat with the same
// idempotency key gets the outcome that is kept, or waits for the run that is open; it
// takes no slot for a run, because it starts none.
func (s *server) runAndWait(ctx context.Context, c *caller, j job) (wire.Reply, error) {
	patience, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for {
		if reply, kept, err := s.keptReply(ctx, c, j); kept || err != nil {
			return reply, err
		}
		open, other := s.underWay(ctx, c, j)
		if other != nil {
			// Our own run may have ended a moment ago, and let another request's begin.
			if reply, kept, err := s.keptReply(ctx, c, j); kept || err != nil {
				return reply, err
			}
			return wire.Reply{}, other
		}
		start, err := j.find(ctx, s.store.Records(c.call.Scope))
		if err != nil {
			return wire.Reply{}, err
		}
		c.accountID = start.AccountID
		if open != nil {
			return s.await(patience, &openRun{WorkflowRun: open}, j, inProgress())
		}
		reply, err := s.startAndWait(ctx, patience, c, j, start)
		var already *serviceerror.WorkflowExecutionAlreadyStarted
		switch {
		case !errors.As(err, &already):
			return reply, err
		case patience.Err() != nil:
			return wire.Reply{}, inProgress()
		}
		// A concurrent repeat of this request was first: look for its run, or
		// for its outcome, again.
	}
}

// keptReply answers a repeat with the outcome that is kept; false when none is.
func (s *server) keptReply(ctx context.Context, c *caller, j job) (wire.Reply, bool, error) {
	outcome, kept, err := s.store.KeptOutcome(ctx, c.call)
	switch {
	case err != nil || !kept:
		return wire.Reply{}, false, err
	case outcome.Refusal != nil:
		return wire.Reply{}, true, outcome.Refusal
	}
	reply, err := j.reply(outcome.Data)
	return reply, true, err
}

// startAndWait starts a run, when its organization has a slot for one, and waits. The
// run of an earlier request with the same idempotency key may have ended meanwhile: its
// outcome comes first.
func (s *server) startAndWait(ctx, patience context.Context, c *caller, j job, start workflows.Start) (wire.Reply, error) {
	release, full := slot(ctx, s.Runs, c, min(limits.RunPatience, s.patience))
	if full != nil {
		release = func() {}
	}
	if reply, kept, err := s.keptReply(ctx, c, j); kept || err != nil {
		release()
		return reply, err
	}
	if full != nil {
		return wire.Reply{}, full
	}
	started, err := s.start(ctx, c, start)
	if err != nil {
		release()
		var already *serviceerror.WorkflowExecutionAlreadyStarted
		if errors.As(err, &already) {
			return wire.Reply{}, err
		}
		return wire.Reply{}, outOfReach("start a run", err)
	}
	defer s.whenEnded(started, release)
	return s.await(patience, started, j, j.stillRunning(started, c))
}

// outOfReach tells the caller that Temporal is unreachable, and logs why.
func outOfReach(doing string, err error) error {
	return fmt.Errorf("%w: %s: %w", unavailable(), doing, err)
}

func inProgress() *refusal.Refusal {
	return refusal.New(refusal.RequestInProgress, "A request with this Idempotency-Key is still running: try again in a second.")
}

// freshID is a new run id that shows the kind of run.
func freshID(start workflows.Start) string {
	fresh := id.New()
	return fmt.Sprintf("%s/%s/%s", start.Prefix, start.Subject, id.Base62(fresh[:]))
}

// keyID is the id of a run with an idempotency key. It derives only from the
// key's scope, so that a repeat finds it whatever its body.
func (c *caller) keyID(kind workflows.Kind) string {
	scope := c.call.Scope
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s", scope.OrganizationID, scope.Environment, c.call.Operation, c.call.IdempotencyKey))
	return fmt.Sprintf("%s/key/%s", kind.Prefix, id.Base62(sum[:]))
}

// underWay finds the open run of an earlier request with the same idempotency
// key; nil when there is none. A different body is refused.
func (s *server) underWay(ctx context.Context, c *caller, j job) (client.WorkflowRun, error) {
	if c.call.IdempotencyKey == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	runID := c.keyID(j.kind)
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

func (s *server) start(ctx context.Context, c *caller, start workflows.Start) (*openRun, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*startPatience) // the client uses half of a deadline for one try
	defer cancel()
	runID := freshID(start)
	if c.call.IdempotencyKey != "" {
		runID = c.keyID(start.Kind)
	}
	options := start.Options(runID, fmt.Sprintf("Requested by **%s** (%s) for account %s: %s. Trace %s.",
		visible.Markdown(c.call.Actor.UserID), c.call.Scope.Environment, start.AccountID, visible.Markdown(start.Subject), c.traceID),
		temporalclient.TraceID.ValueSet(c.traceID))
	// The open run with this id may belong to another request: check first.
	options.WorkflowExecutionErrorWhenAlreadyStarted = true
	if c.call.IdempotencyKey != "" {
		options.Memo = map[string]any{bodyHashMemo: c.call.BodySHA256}
	}
	run, err := s.temporal.ExecuteWorkflow(ctx, options, start.Workflow, start.Input)
	if err != nil {
		return nil, err
	}
	return &openRun{WorkflowRun: run, followed: s.completions.Of(run.GetRunID())}, nil
}

// await waits for the answer of a run until the caller's patience ends, which is
// answered with late; the run goes on.
func (s *server) await(patience context.Context, run *openRun, j job, late *refusal.Refusal) (wire.Reply, error) {
	answer, err := s.outcome(patience, run)
	if err == nil {
		result, err := answer.Get()
		if err != nil {
			return wire.Reply{}, err
		}
		return j.reply(result)
	}
	// The connection may report the deadline just before the context does.
	var deadline *serviceerror.DeadlineExceeded
	if errors.Is(patience.Err(), context.DeadlineExceeded) || patience.Err() == nil && errors.As(err, &deadline) {
		return wire.Reply{}, late
	}
	return wire.Reply{}, fmt.Errorf("run %s: %w", run.GetID(), err)
}

// openRun is a run that a caller waits for.
type openRun struct {
	client.WorkflowRun
	followed *temporalclient.Followed // nil where only Temporal tells about the run
	ended    bool                     // it is known to have ended
}

// nearPatience is how long this process waits for what it executes itself before it
// also asks Temporal.
const nearPatience = time.Second

// outcome waits for the answer of a run. If this process executes the run, it knows
// the answer without a further call: as soon as one of its steps has committed what the
// run does, which is final whatever becomes of the run, or else when Temporal accepts
// the run's completion. A refusal is answered when the run has ended, because an
// interrupted run would decide again.
func (s *server) outcome(ctx context.Context, run *openRun) (answer workflows.Answer[json.RawMessage], err error) {
	if run.followed == nil {
		err = run.Get(ctx, &answer)
		run.ended = err == nil
		return answer, err
	}
	ctx, cancel := context.WithCancel(ctx) // ends the question to Temporal
	defer cancel()
	askAfter := time.NewTimer(nearPatience)
	defer askAfter.Stop()
	told := make(chan error, 1)
	var asking bool
	var asked workflows.Answer[json.RawMessage]
	ended := run.followed.Ended
	for {
		select {
		case done := <-run.followed.Committed:
			result, err := json.Marshal(done)
			answer.Result = (*json.RawMessage)(&result)
			return answer, err
		case result, here := <-ended:
			if here {
				run.ended = true
				err = s.converter(run.GetID()).FromPayloads(result, &answer)
				return answer, err
			}
			ended = nil // it may go on elsewhere
			if !asking {
				askAfter.Reset(0)
			}
		case <-askAfter.C:
			asking = true
			go func() { told <- run.Get(ctx, &asked) }()
		case err := <-told:
			run.ended = err == nil
			return asked, err
		case <-ctx.Done():
			return answer, context.Cause(ctx)
		}
	}
}

// farPatience is nearPatience for the end of a run whose caller has been answered: after
// so long, Temporal gives a task that was not completed to another process.
const farPatience = 10 * time.Second

// wait returns when the run has ended, or Temporal cannot tell, or with ctx.
func (r *openRun) wait(ctx context.Context) {
	if r.followed != nil {
		timer := time.NewTimer(farPatience)
		defer timer.Stop()
		select {
		case _, ok := <-r.followed.Ended:
			if ok {
				return
			}
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	_ = r.Get(ctx, nil)
}

// stillRunning answers a caller whose patience has ended. Without an idempotency key, a
// repeat would start another run.
func (j job) stillRunning(run *openRun, c *caller) *refusal.Refusal {
	next := "Repeat the request with the same Idempotency-Key to get its outcome."
	if c.call.IdempotencyKey == "" {
		next = "The request has no Idempotency-Key, so a repeat would start another run: read " + j.shownBy + " to see what this one did."
	}
	refused := refusal.New(refusal.StillRunning, "There is no result yet; the run continues. %s", next)
	refused.TemporalWorkflowID, refused.TemporalRunID = run.GetID(), run.GetRunID()
	return refused
}
