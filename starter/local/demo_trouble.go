package local

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/client"

	requisite "requisite/clients/go"
	"requisite/internal/store"
	"requisite/internal/temporalclient"
	"requisite/starter/cli"
	"requisite/workflows"
)

// unreachable is an address of this machine at which nothing listens.
const unreachable = "http://127.0.0.1:9/"

// createFailingEndpoint creates an unreachable endpoint, in an account of its own, and an
// event for it. It returns the account.
func createFailingEndpoint(ctx context.Context, store *store.Store, c *requisite.Client, organization string) (accountID string, err error) {
	organizationUUID, err := cli.OrganizationID(organization)
	if err != nil {
		return "", err
	}
	account, err := store.Organizations.CreateAccount(ctx, cli.Scope(organizationUUID, false), "Unreachable receiver", "USD", "UTC")
	if err != nil {
		return "", err
	}
	accountID = account.WireID().String()
	var key struct {
		KeyID string `json:"key_id"`
	}
	if _, err := c.Call(ctx, "webhook.key.create", map[string]any{"account_id": accountID}, &key); err != nil {
		return "", err
	}
	if _, err := c.Call(ctx, "webhook.config.create", map[string]any{"account_id": accountID, "config": map[string]any{"url": unreachable}}, nil); err != nil {
		return "", err
	}
	// Its activation is the event that cannot be delivered.
	_, err = c.Call(ctx, "webhook.key.activate", map[string]any{"key_id": key.KeyID, "account_id": accountID}, nil)
	return accountID, err
}

// failingRun is the id of the failed run. It says why the run fails, because starter status and its alert name only the id.
const failingRun = "demonstration/fails-on-purpose"

// startFailingRun starts a run past the API. It fails, because its input is not encrypted.
func startFailingRun(ctx context.Context, s *cli.Stack) error {
	c, err := client.DialContext(ctx, client.Options{HostPort: s.TemporalAddress, Namespace: s.Namespace})
	if err != nil {
		return fmt.Errorf("reach Temporal: %w", err)
	}
	defer c.Close()
	_, err = c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: failingRun, TaskQueue: temporalclient.Sync},
		workflows.CalculateRequiredDocumentsName, "an input that was not sealed")
	return err
}
