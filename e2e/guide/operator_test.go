//go:build deep

package guide_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
)

// operate runs an operation as an operator on the account, with the settings of operators. It
// returns the data and the warnings of the answer, and everything that was printed.
func (s *stack) operate(operation string, in harness.Object, out any, flags ...string) (warnings []requisite.Warning, printed string) {
	s.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	command := s.Starter(append([]string{"call", operation, string(body), "--as-operator", s.AccountID, "--as", "Ada King"}, flags...)...)
	var log bytes.Buffer
	command.Stderr = &log
	answer, err := command.Output()
	require.NoError(s.t, err, "%s%s", answer, log.String())
	var envelope struct {
		Meta struct {
			Warnings []requisite.Warning `json:"warnings"`
		} `json:"meta"`
		Data json.RawMessage `json:"data"`
	}
	require.NoError(s.t, json.Unmarshal(answer, &envelope))
	if out != nil {
		require.NoError(s.t, json.Unmarshal(envelope.Data, out))
	}
	return envelope.Meta.Warnings, string(answer) + log.String()
}

// TestGuide_OperatorMakesAKeyAndCalculates without a credential and without the api.
func TestGuide_OperatorMakesAKeyAndCalculates(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	type key struct {
		KeyID  string  `json:"key_id"`
		Secret *string `json:"shared_secret"`
	}
	of := harness.Object{"account_id": s.AccountID}
	var ofCaller, made, again key
	s.Must(t, "webhook.key.create", of, &ofCaller, requisite.IdempotencyKey("once"))

	path := filepath.Join(t.TempDir(), "secret")
	warnings, printed := s.operate("webhook.key.create", of, &made, "--secret-file", path, "--idempotency-key", "once")
	require.Empty(t, warnings)
	require.NotEqual(t, ofCaller.KeyID, made.KeyID, "a caller's Idempotency-Key is another one")
	require.Nil(t, made.Secret)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	secret, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(text)))
	require.NoError(t, err)
	require.Len(t, secret, 32)
	require.NotContains(t, printed, string(bytes.TrimSpace(text)))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	warnings, _ = s.operate("webhook.key.create", of, &again, "--secret-file", path+"2", "--idempotency-key", "once")
	require.Equal(t, made, again)
	require.Equal(t, "SECRET_ALREADY_SHOWN", warnings[0].Code)
	require.NoFileExists(t, path+"2")

	s.operate("webhook.key.activate", harness.Object{"account_id": s.AccountID, "key_id": made.KeyID}, nil)
	s.key, s.secret = made.KeyID, secret
	k := s.sink("REQUIRED_DOCUMENTS_CALCULATED")
	s.operate("workflow.requiredDocument.calculate", harness.Object{"workflow_id": w.WorkflowID}, nil)
	s.awaitDelivered()
	require.Len(t, k.forget(), 1, "the webhook is encrypted with the key of the operator")
	require.Contains(t, s.starter("decision", "list", w.WorkflowID), " Ada King ")
	var by string
	require.NoError(t, s.Query(t.Context(), `SELECT user_id || ' ' || user_type FROM decision ORDER BY decided_at DESC LIMIT 1`, &by))
	require.Equal(t, "Ada King SYSTEM", by)
	s.Must(t, "webhook.config.delete", harness.Object{"config_id": k.configID}, nil)
}
