package temporalclient

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/api/serviceerror"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/proto"
)

// StartOfTheOldest returns a time before which only a few of the runs of a query have started, but at
// least one if the query finds any. It searches for the time, because Temporal cannot sort runs by age.
func StartOfTheOldest(ctx context.Context, c client.Client, query string, few int64) (time.Time, error) {
	none, some := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Now().UTC()
	// Most queries find few runs, and the first answer is enough.
	for at := some; some.Sub(none) > time.Second; at = none.Add(some.Sub(none) / 2) {
		answer, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Query: StartedBefore(query, at)})
		if err != nil {
			return time.Time{}, err
		}
		if answer.GetCount() == 0 {
			none = at
			continue
		}
		if some = at; answer.GetCount() <= few {
			break
		}
	}
	return some, nil
}

// StartedBefore limits a query to runs that started before a time.
func StartedBefore(query string, t time.Time) string {
	return fmt.Sprintf("%s AND StartTime < %q", query, t.Format(time.RFC3339Nano))
}

// errStop stops reading the payloads of a run.
var errStop = errors.New("no more payloads are wanted")

// Payloads yields the payloads of a run, as Temporal stores them: those of its entry in a list, and
// those of its first events, or of all events if first is 0. It ends early if the run is deleted
// meanwhile.
func Payloads(ctx context.Context, c client.Client, run *workflowpb.WorkflowExecutionInfo, first int) iter.Seq2[*commonpb.Payload, error] {
	return func(yield func(*commonpb.Payload, error) bool) {
		visit := func(message proto.Message) error {
			yieldAll := func(_ *proxy.VisitPayloadsContext, found []*commonpb.Payload) ([]*commonpb.Payload, error) {
				for _, p := range found {
					if !yield(p, nil) {
						return nil, errStop
					}
				}
				return found, nil
			}
			return proxy.VisitPayloads(ctx, message, proxy.VisitPayloadsOptions{SkipSearchAttributes: true, Visitor: yieldAll})
		}
		err := visit(run)
		events := c.GetWorkflowHistory(ctx, run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId(), false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for n := 0; err == nil && events.HasNext() && (first == 0 || n < first); n++ {
			event, unread := events.Next()
			if err = unread; err == nil {
				err = visit(event)
			}
		}
		var gone *serviceerror.NotFound
		if err != nil && !errors.Is(err, errStop) && !errors.As(err, &gone) {
			yield(nil, err)
		}
	}
}
