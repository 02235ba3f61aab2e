package temporalclient

import (
	"context"
	"sync"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"google.golang.org/grpc"
)

// Completions reports the results of runs that this process starts and executes itself,
// without a call to Temporal: when the run has committed, and when Temporal has accepted
// its completion. It is only an optimization: callers ask Temporal about other runs.
type Completions struct {
	commits map[string]bool // the activities that commit, by name

	mu   sync.Mutex
	runs map[string]*followed // by run id
	// tasks are the runs of current tasks, by the tasks' tokens.
	tasks map[string]*followed
}

// Followed is a run that a caller waits for. Both channels receive one value at most.
type Followed struct {
	// Committed receives what the run's committing activity has returned. The run goes on.
	Committed <-chan any
	// Ended receives the run's result. It is closed without one if the run ends in another
	// way, or continues in another process.
	Ended <-chan *commonpb.Payloads
}

// followed is a run that a caller may wait for.
type followed struct {
	committed chan any
	ended     chan *commonpb.Payloads
	task      string // the token of the current task
	taken     bool   // a caller waits for it
}

// mostFollowed limits the runs that Completions follows.
const mostFollowed = 10_000

// NewCompletions makes one for a client; see Options. commits names the activities
// that commit what their run does.
func NewCompletions(commits ...string) *Completions {
	c := &Completions{commits: map[string]bool{}, runs: map[string]*followed{}, tasks: map[string]*followed{}}
	for _, name := range commits {
		c.commits[name] = true
	}
	return c
}

// Of follows a run. It returns nil if this process does not execute the run, or another
// caller follows it. The caller must call Forget when done.
func (c *Completions) Of(runID string) *Followed {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if run, ok := c.runs[runID]; ok && !run.taken {
		run.taken = true
		return &Followed{Committed: run.committed, Ended: run.ended}
	}
	return nil
}

// Forget stops following a run.
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
func (c *Completions) observe(
	ctx context.Context, method string, request, reply any,
	conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
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
	run := &followed{committed: make(chan any, 1), ended: make(chan *commonpb.Payloads, 1), task: string(task.GetTaskToken())}
	c.runs[task.GetWorkflowExecution().GetRunId()] = run
	c.tasks[run.task] = run
}

// succeeded handles an activity that has succeeded, here.
func (c *Completions) succeeded(runID, name string, result any) {
	if !c.commits[name] {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if run, ok := c.runs[runID]; ok {
		select {
		case run.committed <- result:
		default: // the caller has got a result already
		}
	}
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

// steps is the interceptor of the activities of the client's workers.
type steps struct {
	interceptor.InterceptorBase
	completions *Completions
}

func (s *steps) InterceptActivity(ctx context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &step{interceptor.ActivityInboundInterceptorBase{Next: next}, s.completions}
}

type step struct {
	interceptor.ActivityInboundInterceptorBase
	completions *Completions
}

func (s *step) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	result, err := s.Next.ExecuteActivity(ctx, in)
	if err == nil {
		info := activity.GetInfo(ctx)
		s.completions.succeeded(info.WorkflowExecution.RunID, info.ActivityType.Name, result)
	}
	return result, err
}
