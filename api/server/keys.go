package server

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	"requisite/api/spec"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/requests/refusal"
	"requisite/internal/requests/wire"
	"requisite/internal/store"
	"requisite/workflows"
)

type KeyRequest struct {
	KeyID     string       `json:"key_id" pattern:"^whk_[0-9]{8}_[0-9]{2}$" patternDescription:"a webhook key id: whk_, eight digits, _ and two digits"`
	AccountID id.AccountID `json:"account_id,omitzero" doc:"Needed only when more than one of your accounts has a key with this key_id."`
}

type keyCreateData struct {
	KeyID        string           `json:"key_id" doc:"Opaque; order keys by created_at."`
	SharedSecret string           `json:"shared_secret,omitempty" doc:"32 bytes in standard Base64, shown this once."`
	Status       domain.KeyStatus `json:"status"`
	CreatedAt    wire.DateTime    `json:"created_at"`
}

// keyCreate starts a run that creates the key, and then takes the secret. Only one
// response contains the secret, however often the request is repeated.
func keyCreate(ctx context.Context, s *Server, c *caller, in *AccountRequest) (wire.Reply, error) {
	if c.operator != nil && c.operator.KeepSecret == nil {
		return wire.Reply{}, refusal.New(refusal.Forbidden, "An operator gets the secret of a key in a file alone: name a new one with --secret-file.")
	}
	reply, err := s.runAndWait(ctx, c, job{
		kind: workflows.KeyCreation, shownBy: "webhook.key.list",
		find: func(ctx context.Context, r *store.Records) (workflows.Start, error) {
			_, err := r.Tenants.Get(ctx, in.AccountID)
			return workflows.StartKeyCreation(workflows.KeyRequest{Call: c.call, AccountID: in.AccountID}), err
		},
		reply: replyWithResult,
	})
	if err != nil {
		return wire.Reply{}, err
	}
	var made domain.CreatedKey
	if err := json.Unmarshal(reply.Data.(json.RawMessage), &made); err != nil {
		return wire.Reply{}, fmt.Errorf("read the result of a run: %w", err)
	}
	var secret string
	var first bool
	if c.asked != spec.AnswerSecretLost { // this answer of the sandbox never takes the secret
		if secret, first, err = s.store.WebhookKeys.TakeSecret(ctx, c.call.Scope, in.AccountID, made.KeyID); err != nil {
			return wire.Reply{}, err
		}
	}
	if first && c.operator != nil {
		if err := c.operator.KeepSecret(secret); err != nil {
			return wire.Reply{}, fmt.Errorf("keep the secret of key %s: %w", made.KeyID, err)
		}
		secret = ""
	}
	reply.Data = keyCreateData{made.KeyID, secret, made.Status, wire.DateTime(made.CreatedAt)}
	if !first {
		why := "An earlier response to this request was given the shared_secret, which is shown only once. If it did not reach you,"
		if c.asked == spec.AnswerSecretLost {
			why = "The request asked with " + spec.HeaderSandboxAnswer + " for a response without the shared_secret, as if an earlier one had been lost:"
		}
		reply.Warnings = []refusal.Warning{{Code: refusal.SecretAlreadyShown, Message: why + " create another key and leave this one INACTIVE."}}
	}
	return reply, nil
}

func keyActivate(ctx context.Context, s *Server, c *caller, in *KeyRequest) (wire.Reply, error) {
	return s.runAndWait(ctx, c, job{
		kind: workflows.KeyActivation, shownBy: "webhook.key.get",
		find: func(ctx context.Context, r *store.Records) (workflows.Start, error) {
			key, err := r.Webhooks.Key(ctx, in.KeyID, in.AccountID)
			accountID := r.Environment().Account(key.AccountID)
			return workflows.StartKeyActivation(workflows.KeyRequest{Call: c.call, AccountID: accountID, KeyID: in.KeyID}), err
		},
		reply: func(result json.RawMessage) (wire.Reply, error) {
			var active domain.ActivatedKey
			err := json.Unmarshal(result, &active)
			reply := wire.Reply{Data: keyActivateData{active.KeyID, active.Status, wire.DateTime(active.ActivatedAt)}}
			if active.SecretNotTaken {
				reply.Warnings = []refusal.Warning{{
					Code: refusal.SecretNotTaken,
					Message: "No answer of webhook.key.create has carried the shared_secret of this key, so nobody can decrypt the account's webhooks. " +
						"Create another key, store its shared_secret, and activate that one.",
				}}
			}
			return reply, err
		},
	})
}

type keyActivateData struct {
	KeyID       string           `json:"key_id"`
	Status      domain.KeyStatus `json:"status"`
	ActivatedAt wire.DateTime    `json:"activated_at"`
}

type keyData struct {
	KeyID       string           `json:"key_id"`
	AccountID   id.AccountID     `json:"account_id"`
	Status      domain.KeyStatus `json:"status"`
	CreatedAt   wire.DateTime    `json:"created_at"`
	ActivatedAt *wire.DateTime   `json:"activated_at,omitempty"`
	DeletedAt   *wire.DateTime   `json:"deleted_at,omitempty"`
}

func keyView(r *store.Records, k domain.WebhookKey) keyData {
	return keyData{
		KeyID: k.KeyID, AccountID: r.Environment().Account(k.AccountID), Status: k.Status,
		CreatedAt: wire.DateTime(k.CreatedAt), ActivatedAt: (*wire.DateTime)(k.ActivatedAt), DeletedAt: (*wire.DateTime)(k.DeletedAt),
	}
}

func keyGet(ctx context.Context, r *store.Records, in *KeyRequest) (keyData, error) {
	key, err := r.Webhooks.Key(ctx, in.KeyID, in.AccountID)
	return keyView(r, key), err
}

type keyListRequest struct {
	AccountRequest
	Page page `json:"page,omitempty"`
}

func (in *keyListRequest) check() []refusal.Field { return checkAfter[keyCursor](in.Page) }

// keyCursor is the id of the last key of a page.
type keyCursor struct{}

var keyIDPattern = regexp.MustCompile(`^whk_[0-9]{8}_[0-9]{2}$`)

// Parse reports text that is no id of a key.
func (*keyCursor) Parse(text string) error {
	if !keyIDPattern.MatchString(text) {
		return id.ErrMalformed
	}
	return nil
}

type keyListData struct {
	Keys []keyData `json:"keys" nullable:"false"`
	Next *string   `json:"next" doc:"Pass it as page.after for the next page; null on the last one."`
}

func keyList(ctx context.Context, r *store.Records, in *keyListRequest) (keyListData, error) {
	found, next, err := r.Webhooks.Keys(ctx, in.AccountID, in.Page.page())
	data := keyListData{Keys: []keyData{}, Next: orNull(next)}
	for _, k := range found {
		data.Keys = append(data.Keys, keyView(r, k))
	}
	return data, err
}

func keyDelete(ctx context.Context, r *store.Records, in *KeyRequest) (wire.Empty, error) {
	return wire.Empty{}, r.Webhooks.DeleteKey(ctx, in.KeyID, in.AccountID)
}
