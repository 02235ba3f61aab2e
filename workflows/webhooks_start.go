package workflows

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"requisite/internal/id"
	"requisite/internal/temporalclient"
	"requisite/internal/text/visible"
)

// startPatience is the timeout of a start. The client uses half of it for one try.
const startPatience = 10 * time.Second

// StartSession starts a run that sends due deliveries.
func StartSession(ctx context.Context, c client.Client) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	fresh := id.New()
	_, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: "send/" + id.Base62(fresh[:]), TaskQueue: temporalclient.Webhooks, EnableEagerStart: true, StaticSummary: "Send due webhooks",
	}, SendWebhooksName)
	if err != nil {
		return fmt.Errorf("start a session: %w", err)
	}
	return nil
}

// StartReplay starts the run of a replay, unless it is open.
func StartReplay(ctx context.Context, c client.Client, in Replay, host string) error {
	return startBackground(ctx, c, in.AccountID, client.StartWorkflowOptions{
		ID:            "replay/" + in.RunID.String(),
		StaticSummary: fmt.Sprintf("Replay events to %s", visible.Markdown(host)),
		StaticDetails: fmt.Sprintf("To endpoint %s of account %s at %s. `webhook.event.replayed` with `%s` shows the progress. "+
			"Cancel the run to end the replay; events that were sent stay sent.",
			in.ConfigID, in.AccountID, visible.Markdown(host), in.RunID),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			temporalclient.AccountIDs.ValueSet([]string{in.AccountID.String()}), temporalclient.EndpointIDs.ValueSet([]string{in.ConfigID.String()})),
	}, ReplayEventsName, in)
}

// WakeEndpoint starts an endpoint's run, or signals the open one. The id of the run is the
// endpoint's. Its search attributes have the types of the events that wait at the start.
func WakeEndpoint(ctx context.Context, c client.Client, in EndpointRun, eventTypes []string) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	_, err := c.SignalWithStartWorkflow(ctx, in.EndpointID, Wake, nil, client.StartWorkflowOptions{
		TaskQueue:     temporalclient.Endpoints,
		Priority:      temporal.Priority{FairnessKey: in.AccountID},
		StaticSummary: fmt.Sprintf("Retry webhooks to %s", visible.Markdown(in.Host)),
		StaticDetails: fmt.Sprintf("Endpoint %s of account %s at %s. `webhook.delivery.list` lists the deliveries. "+
			"Send the signal `%s` to attempt them all now. Cancel the run to give up those that are RETRYING.",
			in.EndpointID, in.AccountID, visible.Markdown(in.Host), RetryNow),
		TypedSearchAttributes: temporal.NewSearchAttributes(
			temporalclient.AccountIDs.ValueSet([]string{in.AccountID}), temporalclient.EndpointIDs.ValueSet([]string{in.EndpointID}),
			temporalclient.EventTypes.ValueSet(eventTypes)),
	}, RetryEndpointName, in)
	if err != nil {
		return fmt.Errorf("wake the run of an endpoint: %w", err)
	}
	return nil
}
