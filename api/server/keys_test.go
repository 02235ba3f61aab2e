package server

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
)

// TestKeyActivation_WarnsIfNoAnswerHasCarriedTheSecret: the run has created the key, and the api
// ended before it took the secret.
func TestKeyActivation_WarnsIfNoAnswerHasCarriedTheSecret(t *testing.T) {
	t.Parallel()
	c := whole(t)
	lost, err := c.Server.store.WebhookKeys.Create(t.Context(), domain.Run{ID: "lost", StartedAt: time.Now(), Call: domain.Call{Scope: c.scope(), Actor: domain.System}}, id.Must[id.AccountID](c.account))
	require.NoError(t, err)
	for range 2 { // also of the active key
		told := c.ask("webhook.key.activate", "", c.naming("key_id", lost.KeyID)).Meta.Warnings
		require.Len(t, told, 1)
		require.Equal(t, "SECRET_NOT_TAKEN", told[0].Code)
	}
	require.Empty(t, c.ask("webhook.key.activate", "", c.key()).Meta.Warnings)

	// A caller can meet it in the sandbox, with a client.
	serving := httptest.NewServer(c)
	defer serving.Close()
	client := requisite.Client{BaseURL: serving.URL, Signer: c.signer}
	_, err = client.WebhookKeyCreate(t.Context(), requisite.AccountRequest{AccountID: c.account}, requisite.SandboxAnswer("SECRET_LOST"))
	var without *requisite.SecretLost
	require.ErrorAs(t, err, &without)
	activated, err := client.WebhookKeyActivate(t.Context(), requisite.KeyRequest{AccountID: &c.account, KeyID: without.KeyID})
	require.NoError(t, err)
	require.Len(t, activated.Warnings, 1)
	require.Equal(t, "SECRET_NOT_TAKEN", activated.Warnings[0].Code)
}
