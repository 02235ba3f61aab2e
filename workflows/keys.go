package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/postgres"
	"requisite/internal/visible"
)

// KeyRequest is what a run is asked to do about a webhook key.
type KeyRequest struct {
	Call      postgres.Call `json:"call"`
	AccountID string        `json:"account_id"`
	// KeyID is empty for a key that is to be created.
	KeyID string `json:"key_id,omitempty"`
}

// CreateWebhookKey makes an INACTIVE key. The secret is neither asked for nor
// answered here: whoever started the run takes it from the database, once.
func CreateWebhookKey(ctx workflow.Context, in KeyRequest) (postgres.CreatedKey, error) {
	made, err := step[postgres.CreatedKey](ctx, "CreateWebhookKey", "Make a key within the day's limit",
		activities.KeyStep{Run: newKeyRun(ctx, in), AccountID: in.AccountID})
	return made, conclude(ctx, err, "KEY_CREATED", fmt.Sprintf("Key **%s** of account %s is INACTIVE.", made.KeyID, in.AccountID))
}

// ActivateWebhookKey makes a key the account's only active one.
func ActivateWebhookKey(ctx workflow.Context, in KeyRequest) (postgres.ActivatedKey, error) {
	active, err := step[postgres.ActivatedKey](ctx, "ActivateWebhookKey", "Swap the active key for "+visible.Markdown(in.KeyID),
		activities.KeyStep{Run: newKeyRun(ctx, in), AccountID: in.AccountID, KeyID: in.KeyID})
	return active, conclude(ctx, err, "KEY_ACTIVATED", fmt.Sprintf("Key **%s** of account %s is ACTIVE; the one before it is DELETED.", visible.Markdown(in.KeyID), in.AccountID))
}

// newKeyRun reads the clock once: it gives a new key's time, day and id.
func newKeyRun(ctx workflow.Context, in KeyRequest) postgres.Run {
	return postgres.Run{ID: workflow.GetInfo(ctx).WorkflowExecution.RunID, Call: in.Call, StartedAt: workflow.Now(ctx)}
}
