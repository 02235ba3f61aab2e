package workflows

import (
	"fmt"

	"go.temporal.io/sdk/workflow"

	"requisite/activities"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/text/visible"
)

// KeyRequest is the input of a run that creates or activates a webhook key.
type KeyRequest struct {
	Call      domain.Call  `json:"call"`
	AccountID id.AccountID `json:"account_id"`
	// KeyID is empty when the key is to be created.
	KeyID string `json:"key_id,omitempty"`
}

// KeyCreation is the kind of CreateWebhookKey. KeyActivation is the kind of ActivateWebhookKey.
var (
	KeyCreation   = Kind{Workflow: CreateWebhookKeyName, Prefix: "create-key", CommittingActivities: []string{"CreateWebhookKey"}}
	KeyActivation = Kind{Workflow: ActivateWebhookKeyName, Prefix: "activate-key", CommittingActivities: []string{"ActivateWebhookKey"}}
)

// StartKeyCreation describes a run that creates a key for an account.
func StartKeyCreation(in KeyRequest) Start {
	account := in.AccountID.String()
	return Start{
		Kind:      KeyCreation,
		Subject:   account,
		AccountID: account,
		Summary:   "Create a webhook key for " + visible.Markdown(account),
		Input:     in,
	}
}

// StartKeyActivation describes a run that makes a key the active one.
func StartKeyActivation(in KeyRequest) Start {
	return Start{
		Kind:      KeyActivation,
		Subject:   in.KeyID,
		AccountID: in.AccountID.String(),
		Summary:   "Activate webhook key " + visible.Markdown(in.KeyID),
		Input:     in,
	}
}

// CreateWebhookKey creates an INACTIVE key. The secret never passes through the
// run: the api takes it from the database, once.
func CreateWebhookKey(ctx workflow.Context, in KeyRequest) (Answer[domain.CreatedKey], error) {
	request := in.step(ctx)
	made, err := step(ctx, "Create a key within the daily limit", steps.CreateWebhookKey, request)
	return endRun(ctx, request.Run, made, err, "KEY_CREATED", func(made domain.CreatedKey) string {
		return fmt.Sprintf("Key **%s** of account %s is created. It is INACTIVE: no webhook uses it yet.", made.KeyID, in.AccountID)
	})
}

// ActivateWebhookKey makes a key the account's only active one.
func ActivateWebhookKey(ctx workflow.Context, in KeyRequest) (Answer[domain.ActivatedKey], error) {
	request := in.step(ctx)
	active, err := step(ctx, "Activate key "+visible.Markdown(in.KeyID)+" and delete the previous one", steps.ActivateWebhookKey, request)
	return endRun(ctx, request.Run, active, err, "KEY_ACTIVATED", func(domain.ActivatedKey) string {
		return fmt.Sprintf("Key **%s** of account %s is ACTIVE. The previous active key, if any, is DELETED.", visible.Markdown(in.KeyID), in.AccountID)
	})
}

func (in KeyRequest) step(ctx workflow.Context) activities.KeyStep {
	return activities.KeyStep{Run: newRun(ctx, in.Call), AccountID: in.AccountID, KeyID: in.KeyID}
}
