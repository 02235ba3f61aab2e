package server

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

	"requisite/api/limits"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
	"requisite/workflows"
)

// startPatience is how long the start of a run may take before the api treats Temporal
// as unreachable.
const startPatience = 5 * time.Second

// bodyHashMemo is the memo with the hash of the request's body. A repeat compares it to
// find out whether its Idempotency-Key was used with another body.
const bodyHashMemo = "body_sha256"

// job is a Temporal run that a request starts.
type job struct {
	kind workflows.Kind
	// find returns the run to start, or a refusal if the subject does not exist.
	find func(context.Context, *store.Records) (workflows.Start, error)
	// reply makes the response from the result of the run.
	reply func(result json.RawMessage) (wire.Reply, error)
	// shownBy is the operation that shows the result of the run.
	shownBy string
}

// replyWithResult replies with the unchanged result of a run.
func replyWithResult(result json.RawMessage) (wire.Reply, error) {
	return wire.Reply{Data: result}, nil
}

// runAndWait starts a Temporal run and waits for its outcome. A repeat with the same
// Idempotency-Key gets the stored outcome, or waits for the open run. Such a repeat takes
// no slot for a run, because it starts none.
func (s *Server) runAndWait(ctx context.Context, c *caller, j job) (wire.Reply, error) {
	patience, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for {
		if reply, stored, err := s.storedReply(ctx, c, j); stored || err != nil {
			return reply, err
		}
		open, refused := s.findOpenRun(ctx, c, j)
		if refused != nil {
			// The run of this request may have ended just now, and another request's begun.
			if reply, stored, err := s.storedReply(ctx, c, j); stored || err != nil {
				return reply, err
			}
			return wire.Reply{}, refused
		}
		start, err := j.find(ctx, s.store.Records(c.call.Scope))
		if err != nil {
			return wire.Reply{}, err
		}
		c.accountID = start.AccountID
		if open != nil {
			return s.replyOf(patience, &openRun{WorkflowRun: open, earlier: true}, j, inProgress())
		}
		reply, err := s.startAndWait(ctx, patience, c, j, start)
		var already *serviceerror.WorkflowExecutionAlreadyStarted
		switch {
		case !errors.As(err, &already):
			return reply, err
		case patience.Err() != nil:
			return wire.Reply{}, inProgress()
		}
		// A concurrent repeat of this request was first: look again for its run or outcome.
	}
}

// storedReply returns the stored outcome for a repeat; false if there is none.
func (s *Server) storedReply(ctx context.Context, c *caller, j job) (wire.Reply, bool, error) {
	outcome, err := s.store.Outcome(ctx, domain.Run{Call: c.call})
	switch {
	case err != nil || !outcome.Committed():
		return wire.Reply{}, false, err
	case outcome.Refusal != nil:
		return wire.Reply{}, true, outcome.Refusal.AsReplayed()
	}
	reply, err := j.reply(outcome.Result)
	reply.Replayed = true
	return reply, true, err
}

// startAndWait waits for a slot of the organization, starts a run and waits for it. If a
// run with the same Idempotency-Key has ended meanwhile, it returns that run's outcome.
func (s *Server) startAndWait(ctx, patience context.Context, c *caller, j job, start workflows.Start) (wire.Reply, error) {
	release, full := slot(ctx, s.Limiters.Runs, c, min(limits.RunPatience, s.patience))
	if full != nil {
		release = func() {}
	}
	if reply, stored, err := s.storedReply(ctx, c, j); stored || err != nil {
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
		return wire.Reply{}, temporalUnavailable("start a run", err)
	}
	defer s.releaseWhenEnded(started, release)
	return s.replyOf(patience, started, j, j.stillRunning(started, c))
}

// temporalUnavailable returns UNAVAILABLE for an error of Temporal. The log gets the cause.
func temporalUnavailable(doing string, err error) error {
	return fmt.Errorf("%w: %s: %w", unavailable(), doing, err)
}

func inProgress() *refusal.Refusal {
	return refusal.New(refusal.RequestInProgress, "A request with this Idempotency-Key is still running: try again in a second.")
}

// freshID returns a new run id that begins with the kind of run.
func freshID(start workflows.Start) string {
	fresh := id.New()
	return fmt.Sprintf("%s/%s/%s", start.Prefix, start.Subject, id.Base62(fresh[:]))
}

// keyID returns the id of a run with an Idempotency-Key. It does not depend on the body,
// so that a repeat with another body finds the run too. Only the key, which comes last, is the
// caller's text, and none of the four has a line feed: no other four have the same hash.
func (c *caller) keyID(kind workflows.Kind) string {
	scope := c.call.Scope
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s", scope.OrganizationID, scope.Environment, c.call.Operation, c.call.IdempotencyKey))
	return fmt.Sprintf("%s/key/%s", kind.Prefix, id.Base62(sum[:]))
}

// findOpenRun finds the open run of an earlier request with the same Idempotency-Key; nil
// if there is none. It refuses a request with another body.
func (s *Server) findOpenRun(ctx context.Context, c *caller, j job) (client.WorkflowRun, error) {
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
		return nil, temporalUnavailable("describe a run", err)
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

func (s *Server) start(ctx context.Context, c *caller, start workflows.Start) (*openRun, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*startPatience) // the client spends half of it on the first try
	defer cancel()
	runID := freshID(start)
	if c.call.IdempotencyKey != "" {
		runID = c.keyID(start.Kind)
	}
	options := start.Options(runID, fmt.Sprintf("Requested by **%s** (%s) for account %s: %s. Trace %s.",
		visible.Markdown(c.call.Actor.UserID), c.call.Scope.Environment, start.AccountID, visible.Markdown(start.Subject), c.traceID),
		temporalclient.TraceID.ValueSet(c.traceID))
	// The open run with this id may belong to another request: the caller must check.
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

// replyOf waits for the answer of a run, and makes the response from it. If the caller's
// patience ends first, it returns late, and the run continues.
func (s *Server) replyOf(patience context.Context, run *openRun, j job, late *refusal.Refusal) (wire.Reply, error) {
	answer, err := s.waitForAnswer(patience, run)
	if err == nil {
		result, err := answer.Get()
		var refused *refusal.Refusal
		switch {
		case run.earlier && errors.As(err, &refused):
			return wire.Reply{}, refused.AsReplayed()
		case err != nil:
			return wire.Reply{}, err
		}
		reply, err := j.reply(result)
		reply.Replayed = run.earlier
		return reply, err
	}
	// The connection may report the deadline just before the context does.
	var deadline *serviceerror.DeadlineExceeded
	if errors.Is(patience.Err(), context.DeadlineExceeded) || patience.Err() == nil && errors.As(err, &deadline) {
		return wire.Reply{}, late
	}
	// An erasure deletes the runs of its business, and an operator may terminate any. Neither is
	// a fault; a repeat gets the answer that holds since.
	var deleted *serviceerror.NotFound
	var terminated *temporal.TerminatedError
	if errors.As(err, &deleted) || errors.As(err, &terminated) {
		return wire.Reply{}, temporalUnavailable("wait for a run", err)
	}
	return wire.Reply{}, fmt.Errorf("run %s: %w", run.GetID(), err)
}

// openRun is a run that a caller waits for.
type openRun struct {
	client.WorkflowRun
	followed *temporalclient.Followed // nil if another process may execute the run
	ended    bool                     // whether the run is known to have ended
	earlier  bool                     // whether an earlier request with the same Idempotency-Key has started it
}

// askTemporalAfter is how long the api waits for a run that it executes itself before it
// also asks Temporal.
const askTemporalAfter = time.Second

// waitForAnswer waits for the answer of a run. If this process executes the run, it needs no
// call for that. The answer is final as soon as a step has committed it, or else when
// Temporal accepts the run's completion. A refusal is final only when the run has ended,
// because an interrupted run decides again.
func (s *Server) waitForAnswer(ctx context.Context, run *openRun) (answer workflows.Answer[json.RawMessage], err error) {
	if run.followed == nil {
		err = run.Get(ctx, &answer)
		run.ended = err == nil
		return answer, err
	}
	ctx, cancel := context.WithCancel(ctx) // ends the call to Temporal
	defer cancel()
	askAfter := time.NewTimer(askTemporalAfter)
	defer askAfter.Stop()
	fromTemporal := make(chan error, 1)
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
			ended = nil // another process may continue the run
			if !asking {
				askAfter.Reset(0)
			}
		case <-askAfter.C:
			asking = true
			go func() { fromTemporal <- run.Get(ctx, &asked) }()
		case err := <-fromTemporal:
			run.ended = err == nil
			return asked, err
		case <-ctx.Done():
			return answer, context.Cause(ctx)
		}
	}
}

// askForEndAfter is how long the api waits for the end of a run whose caller was answered
// before it asks Temporal. Temporal gives an uncompleted task to another process after
// this time.
const askForEndAfter = 10 * time.Second

// waitForEnd returns when the run has ended, when Temporal does not know the run, or when
// ctx ends.
func (r *openRun) waitForEnd(ctx context.Context) {
	if r.followed != nil {
		timer := time.NewTimer(askForEndAfter)
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

// runHeld is how long a run may keep its slot after its caller was answered.
const runHeld = 5 * time.Minute

// releaseWhenEnded releases the slot of a run when the run ends. The caller may have been
// answered or have hung up before that.
func (s *Server) releaseWhenEnded(run *openRun, release func()) {
	end := func() {
		s.completions.Forget(run.GetRunID())
		release()
	}
	if run.ended {
		end()
		return
	}
	go func() {
		defer end()
		ctx, cancel := context.WithTimeout(context.Background(), runHeld)
		defer cancel()
		run.waitForEnd(ctx)
	}()
}

// stillRunning refuses a caller whose patience has ended. Its message depends on the
// Idempotency-Key, because a repeat without one would start another run.
func (j job) stillRunning(run *openRun, c *caller) *refusal.Refusal {
	next := "Repeat the request with the same Idempotency-Key to get its outcome."
	if c.call.IdempotencyKey == "" {
		next = "The request has no Idempotency-Key, so a repeat would start another run: read " + j.shownBy + " to see what this one did."
	}
	refused := refusal.New(refusal.StillRunning, "There is no result yet; the run continues. %s", next)
	refused.TemporalWorkflowID, refused.TemporalRunID = run.GetID(), run.GetRunID()
	return refused
}
