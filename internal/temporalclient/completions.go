package temporalclient

import (
	"context"
	"sync"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
)

// Completions reports the results of runs that this process started and executed
// itself. When Temporal accepts a run's completion, the result is final; fetching it
// would cost a call and reading the history. It is only an optimization: the result
// of a run that is not followed, or ends elsewhere, is fetched as usual.
type Completions struct {
	mu   sync.Mutex
	runs map[string]*followed // by run id
	// tasks are the runs of current tasks, by the tasks' tokens.
	tasks map[string]*followed
}

// followed is a run that a caller may wait for.
type followed struct {
	ended chan *commonpb.Payloads
	task  string // the token of the current task
	taken bool   // a caller waits for it
}

// mostFollowed limits the runs that are remembered without being asked for.
const mostFollowed = 10_000

// NewCompletions makes one for a client; see Options.
func NewCompletions() *Completions {
	return &Completions{runs: map[string]*followed{}, tasks: map[string]*followed{}}
}

// Of returns a channel that receives the result of a run when Temporal has accepted
// its completion, and is closed without one when the run ended in another way. It
// is nil for a run that is not followed, or that another caller waits for. Who gets
// it calls Forget when done.
func (c *Completions) Of(runID string) <-chan *commonpb.Payloads {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if run, ok := c.runs[runID]; ok && !run.taken {
		run.taken = true
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

// follow remembers a run by its first task, which came with the response to the start.
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

// completed handles a task completion that Temporal has accepted.
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
	close(run.ended) // it may continue in another process
}
