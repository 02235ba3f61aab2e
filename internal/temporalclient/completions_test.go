package temporalclient

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	commandpb "go.temporal.io/api/command/v1"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"google.golang.org/grpc"
)

// call lets the interceptor see a call that is answered with reply or err.
func (c *Completions) call(request, reply any, err error) error {
	return c.observe(context.Background(), "", request, reply, nil, func(context.Context, string, any, any, *grpc.ClientConn, ...grpc.CallOption) error { return err })
}

func task(token string) *workflowservice.PollWorkflowTaskQueueResponse {
	return &workflowservice.PollWorkflowTaskQueueResponse{TaskToken: []byte(token), WorkflowExecution: &commonpb.WorkflowExecution{RunId: "run"}}
}

func started(t *testing.T, eager *workflowservice.PollWorkflowTaskQueueResponse) *Completions {
	c := NewCompletions()
	require.NoError(t, c.call(&workflowservice.StartWorkflowExecutionRequest{}, &workflowservice.StartWorkflowExecutionResponse{RunId: "run", EagerWorkflowTask: eager}, nil))
	return c
}

func ended(token string, commands ...*commandpb.Command) *workflowservice.RespondWorkflowTaskCompletedRequest {
	return &workflowservice.RespondWorkflowTaskCompletedRequest{TaskToken: []byte(token), Commands: commands}
}

var (
	result   = &commonpb.Payloads{Payloads: []*commonpb.Payload{{Data: []byte("done")}}}
	complete = &commandpb.Command{Attributes: &commandpb.Command_CompleteWorkflowExecutionCommandAttributes{
		CompleteWorkflowExecutionCommandAttributes: &commandpb.CompleteWorkflowExecutionCommandAttributes{Result: result}}}
	fails = &commandpb.Command{Attributes: &commandpb.Command_FailWorkflowExecutionCommandAttributes{FailWorkflowExecutionCommandAttributes: &commandpb.FailWorkflowExecutionCommandAttributes{}}}
	none  = &workflowservice.RespondWorkflowTaskCompletedResponse{}
)

func TestCompletions_ReportAnEndOnceTemporalHasAcceptedIt(t *testing.T) {
	c := started(t, task("one"))
	near := c.Of("run")
	require.NotNil(t, near)
	require.Nil(t, c.Of("run"), "one caller waits for it; another asks Temporal")
	away := errors.New("Temporal is away")
	require.ErrorIs(t, c.call(ended("one", complete), none, away), away)
	require.ErrorIs(t, c.call(ended("other", complete), none, nil), error(nil))
	require.Empty(t, near.Ended)
	require.NoError(t, c.call(ended("one", complete), none, nil))
	require.Equal(t, result, <-near.Ended)
	require.NoError(t, c.call(ended("one", complete), none, nil), "a call that is repeated")

	c.Forget("run")
	require.Nil(t, c.Of("run"))
	require.Empty(t, c.runs)
	require.Empty(t, c.tasks)
}

func TestCompletions_ReportACommitBeforeTheRunEnds(t *testing.T) {
	c := NewCompletions("save")
	env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
	env.SetWorkerOptions(worker.Options{Interceptors: []interceptor.WorkerInterceptor{&steps{completions: c}}})
	env.RegisterActivityWithOptions(func(_ context.Context, fail bool) (string, error) {
		if fail {
			return "", errors.New("away")
		}
		return "done", nil
	}, activity.RegisterOptions{Name: "save"})
	env.RegisterActivityWithOptions(func(context.Context) (string, error) { return "facts", nil }, activity.RegisterOptions{Name: "read"})
	do := func(fail bool) {
		_, err := env.ExecuteActivity("save", fail)
		require.Equal(t, fail, err != nil)
	}
	do(false) // of a run that nobody follows

	c.follow(&workflowservice.PollWorkflowTaskQueueResponse{TaskToken: []byte("one"), WorkflowExecution: &commonpb.WorkflowExecution{RunId: "default-test-run-id"}})
	near := c.Of("default-test-run-id")
	do(true)
	_, err := env.ExecuteActivity("read")
	require.NoError(t, err)
	require.Empty(t, near.Committed, "neither a failure nor another step is a commit")
	do(false)
	do(false) // a second one waits for nobody
	require.Equal(t, "done", <-near.Committed)
	require.Empty(t, near.Ended)
	require.NoError(t, c.call(ended("one", complete), none, nil))
	require.Equal(t, result, <-near.Ended)
}

// The channel closes without a result if this process may not see the end. There is no
// channel for a run whose first task did not come with its start.
func TestCompletions_CloseWithoutAResultIfTheRunEndsElsewhere(t *testing.T) {
	require.Nil(t, started(t, nil).Of("run"))
	require.Nil(t, (*Completions)(nil).Of("run"))
	(*Completions)(nil).Forget("run")

	for name, commands := range map[string][]*commandpb.Command{"it waits for an activity": nil, "it failed": {fails}} {
		c := started(t, task("one"))
		require.NoError(t, c.call(ended("one", commands...), none, nil))
		_, ok := <-c.Of("run").Ended
		require.False(t, ok, name)
	}

	c := started(t, task("one"))
	require.NoError(t, c.call(ended("one"), &workflowservice.RespondWorkflowTaskCompletedResponse{WorkflowTask: task("two")}, nil))
	require.NoError(t, c.call(ended("two", complete), none, nil))
	require.Equal(t, result, <-c.Of("run").Ended, "the next task came with the end of the first")

	c = started(t, task("one"))
	c.Forget("run")
	require.NoError(t, c.call(ended("one", complete), none, nil))
	require.Empty(t, c.runs)
	require.Empty(t, c.tasks)

	c = NewCompletions()
	for i := range mostFollowed + 1 {
		c.follow(&workflowservice.PollWorkflowTaskQueueResponse{TaskToken: []byte{byte(i), byte(i >> 8)}, WorkflowExecution: &commonpb.WorkflowExecution{RunId: string(rune(i + 0x10000))}})
	}
	require.Len(t, c.runs, mostFollowed)
}
