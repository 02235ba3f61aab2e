package temporalclient

import (
	"context"
	"sync"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

// Completions tells at once how runs ended that this process started and worked on
// itself. What Temporal has accepted as a run's completion is its end; asking for it
// again costs a call and the reading of a history. Nothing depends on it: a run that
// is not followed, or ends elsewhere, is asked for as ever.
type Completions struct {
	mu   sync.Mutex
	runs map[string]*followed // by run id
	// tasks are the runs of the tasks in hand, by the tasks' tokens.
	tasks map[string]*followed
}

// followed is a run that somebody may wait for.
type followed struct {
	ended chan *commonpb.Payloads
	task  string // the token of the task in hand
}

// mostFollowed bounds what is remembered of runs that nobody asks for.
const mostFollowed = 10_000

// NewCompletions makes one for a client; see Options.
func NewCompletions() *Completions {
	return &Completions{runs: map[string]*followed{}, tasks: map[string]*followed{}}
}

// Of gives a channel that gets the result of a run when Temporal has accepted its
// completion, and is closed without one when it ended in another way. It is nil for
// a run that is not followed. Whoever asks calls Forget at the end.
func (c *Completions) Of(runID string) <-chan *commonpb.Payloads {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if run, ok := c.runs[runID]; ok {
		return run.ended
	}
	return nil
}

// Forget ends the interest in a run.
func (c *Completions) Forget(runID string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if run, ok := c.runs[runID]; ok {
		delete(c.tasks, run.task)
		delete(c.runs, runID)
	}
}

// observe is the interceptor of the client's calls.
func (c *Completions) observe(ctx context.Context, method string, request, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	err := invoke(ctx, method, request, reply, conn, options...)
	switch request := request.(type) {
	case *workflowservice.StartWorkflowExecutionRequest:
		if started, ok := reply.(*workflowservice.StartWorkflowExecutionResponse); ok && err == nil {
			c.follow(started.GetEagerWorkflowTask())
		}
	case *workflowservice.RespondWorkflowTaskCompletedRequest:
		if completed, ok := reply.(*workflowservice.RespondWorkflowTaskCompletedResponse); ok && err == nil {
			c.completed(request, completed)
		}
	}
	return err
}

// follow remembers a run by the first task of it, which came with its start.
func (c *Completions) follow(task *workflowservice.PollWorkflowTaskQueueResponse) {
	if task == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.runs) >= mostFollowed {
		return
	}
	run := &followed{ended: make(chan *commonpb.Payloads, 1), task: string(task.GetTaskToken())}
	c.runs[task.GetWorkflowExecution().GetRunId()] = run
	c.tasks[run.task] = run
}

// completed looks at what Temporal has accepted as the end of a task.
func (c *Completions) completed(request *workflowservice.RespondWorkflowTaskCompletedRequest, reply *workflowservice.RespondWorkflowTaskCompletedResponse) {
	c.mu.Lock()
	defer c.mu.Unlock()
	run, ok := c.tasks[string(request.GetTaskToken())]
	if !ok {
		return
	}
	delete(c.tasks, run.task)
	for _, command := range request.GetCommands() {
		if done := command.GetCompleteWorkflowExecutionCommandAttributes(); done != nil {
			run.ended <- done.GetResult()
			return
		}
	}
	if next := reply.GetWorkflowTask(); next != nil {
		run.task = string(next.GetTaskToken())
		c.tasks[run.task] = run
		return
	}
	close(run.ended) // it goes on where this process need not see it
}
