package server

import (
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/rules/engine"
)

// No answer to an operator can have a secret, so a key needs a place for it.
func TestOperator_GetsNoSecretInAnAnswer(t *testing.T) {
	c := newTenant(t, Settings{})
	scope := domain.Scope{OrganizationID: c.organization, Environment: domain.Sandbox}
	h := ForOperator(Operator{Scope: scope, Actor: domain.Operator("Ada")}, c.store, engine.New(c.store.Versions, 1<<20), nil, nil, slog.New(slog.DiscardHandler), Settings{})
	r := httptest.NewRequest("POST", "/webhook.key.create", strings.NewReader(`{"account_id":"`+c.account+`"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Equal(t, 403, w.Code, w.Body)
	require.Contains(t, w.Body.String(), "--secret-file")

	// The server of callers answers nobody without a signature.
	w = httptest.NewRecorder()
	c.ServeHTTP(w, r)
	var envelope struct{ Errors []struct{ Code string } }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &envelope))
	require.Equal(t, "AUTH_MISSING_HEADER", envelope.Errors[0].Code)
}
