package activities

import (
	"context"

	"requisite/internal/domain"
	"requisite/internal/id"
)

// KeyStep is the input of the steps that create and activate webhook keys.
type KeyStep struct {
	Run       domain.Run   `json:"run"`
	AccountID id.AccountID `json:"account_id"`
	KeyID     string       `json:"key_id,omitempty"`
}

// CreateWebhookKey creates a key whose secret stays in the database, encrypted;
// a second execution for the same run returns the same key.
func (a *Activities) CreateWebhookKey(ctx context.Context, in KeyStep) (domain.CreatedKey, error) {
	made, err := a.store.WebhookKeys.Create(ctx, in.Run, in.AccountID)
	return made, asFailure(err)
}

// ActivateWebhookKey replaces the account's active key; a second execution for
// the same run changes nothing.
func (a *Activities) ActivateWebhookKey(ctx context.Context, in KeyStep) (domain.ActivatedKey, error) {
	active, err := a.store.WebhookKeys.Activate(ctx, in.Run, in.AccountID, in.KeyID)
	return active, asFailure(err)
}
