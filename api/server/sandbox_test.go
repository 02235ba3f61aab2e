package server

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/api/spec"
	requisite "requisite/clients/go"
	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/metrics"
	"requisite/internal/requests/refusal"
	"requisite/internal/store"
)

// asking sends a request that asks for an answer.
func (c refusing) asking(asked, operation, key, body string) (w *httptest.ResponseRecorder, refused refusal.Refusal, fields []refusal.Field) {
	c.Helper()
	header := c.signed(operation, body, key)
	header.Set(spec.HeaderSandboxAnswer, asked)
	w = c.send(c.Context(), operation, header, body)
	var answer struct{ Errors []refusal.Refusal }
	require.NoError(c, json.Unmarshal(w.Body.Bytes(), &answer))
	if len(answer.Errors) > 0 {
		refused = answer.Errors[0]
	}
	if refused.Code == refusal.BadRequest {
		require.NoError(c, json.Unmarshal(refused.Details, &fields))
	}
	return w, refused, fields
}

// live makes the tenant's caller one with a live credential and account.
func (c refusing) live() {
	scope := domain.Scope{OrganizationID: c.organization, Environment: domain.Live}
	account, err := c.operator.Organizations.CreateAccount(c.Context(), scope, "live", "USD", "UTC")
	require.NoError(c, err)
	made, secrets, err := c.operator.Credentials.Create(c.Context(), scope, domain.NewCredential{Name: "live"})
	require.NoError(c, err)
	c.account = account.WireID().String()
	c.signer, err = requisite.NewSigner(made.APIKey, secrets.SecretKey, secrets.AuthToken)
	require.NoError(c, err)
}

func parsed[ID any, P interface {
	*ID
	Parse(text string) error
}](t *testing.T, text string) (found ID) {
	t.Helper()
	require.NoError(t, P(&found).Parse(text))
	return found
}

func TestSandboxAnswer_RefusesWithoutDoingAnything(t *testing.T) {
	t.Parallel()
	c := whole(t)
	workflow := c.started()
	decisions := c.count("decision")
	for asked, want := range map[string]refusal.Code{"RATE_LIMITED": refusal.TooManyRequests, "UNAVAILABLE": refusal.Unavailable, "STILL_RUNNING": refusal.StillRunning} {
		w, refused, _ := c.asking(asked, "workflow.requiredDocument.calculate", "once", workflow)
		require.Equal(t, want, refused.Code)
		require.Equal(t, want != refusal.StillRunning, w.Header().Get("Retry-After") == "1", asked)
		require.Equal(t, want == refusal.StillRunning, refused.TemporalWorkflowID != "" && refused.TemporalRunID != "", asked)
	}
	require.Equal(t, decisions, c.count("decision"))
	require.Empty(t, c.ask("workflow.requiredDocument.calculate", "once", workflow).Errors, "the key was not used")
	require.Equal(t, decisions+1, c.count("decision"))
	_, refused, _ := c.asking("UNAVAILABLE", "workflow.requiredDocument.calculate", "once", workflow)
	require.Equal(t, refusal.Unavailable, refused.Code, "also where an outcome is kept")
	_, refused, _ = c.asking("RATE_LIMITED", "meta.whoami", "", `{}`)
	require.Equal(t, refusal.TooManyRequests, refused.Code)
}

func TestSandboxAnswer_ComesAfterAuthenticationAndBadRequest(t *testing.T) {
	t.Parallel()
	c := whole(t)
	_, refused, fields := c.asking("RATE_LIMITED", "workflow.get", "", `{"workflow_id":1}`)
	require.Equal(t, refusal.BadRequest, refused.Code)
	require.Equal(t, "workflow_id", fields[0].Field)
	_, refused, _ = c.asking("RATE_LIMITED", "workflow.get", "", c.naming("workflow_id", "w_"+strings.Repeat("7", 21)))
	require.Equal(t, refusal.TooManyRequests, refused.Code, "what is stored does not matter")
	c.signer.Secret = []byte("another")
	_, refused, _ = c.asking("RATE_LIMITED", "workflow.get", "", `{}`)
	require.Equal(t, refusal.AuthSignatureMismatch, refused.Code)
}

func TestSandboxAnswer_IsNotForLiveCredentials(t *testing.T) {
	t.Parallel()
	c := whole(t)
	c.live()
	business := c.business("")
	for _, asked := range append(spec.Texts(spec.SandboxAnswers()...), "", "ANYTHING") {
		for operation, body := range map[string]string{
			"webhook.key.create": c.named(),
			"workflow.create":    fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, business),
			"meta.whoami":        `{}`,
		} {
			_, refused, fields := c.asking(asked, operation, "", body)
			require.Equal(t, refusal.BadRequest, refused.Code, asked)
			require.Equal(t, []refusal.Field{refusal.At("X-Sandbox-Answer", refusal.NotAllowed, "This header is for credentials of the sandbox. The credential of this request is live.")}, fields)
		}
	}
	require.Zero(t, c.count("webhook_key"))
	require.Zero(t, c.count("workflow"))
	// Nor by another way.
	scope := domain.Scope{OrganizationID: c.organization, Environment: domain.Live}
	_, err := c.store.Write(t.Context(), domain.Call{Scope: scope, Actor: domain.APIKey("live"), Operation: "workflow.create", FailingAttempts: 2}, func(r *store.Records) (any, error) {
		account, err := r.Tenants.Get(t.Context(), parsed[id.AccountID](t, c.account))
		require.NoError(t, err)
		return r.Workflows.Create(t.Context(), account.WireID(), parsed[id.BusinessID](t, business), domain.NewWorkflow{State: domain.Started})
	})
	require.ErrorContains(t, err, "deliveries fail on request in the sandbox alone")
	require.Zero(t, c.count("workflow"))
}

func TestSandboxAnswer_MustFitTheOperation(t *testing.T) {
	t.Parallel()
	c := whole(t)
	for _, x := range []struct{ asked, operation, want string }{
		{"STILL_RUNNING", "business.create", "Only operations that wait for their result can answer STILL_RUNNING."},
		{"SECRET_LOST", "webhook.key.activate", "Only webhook.key.create can answer SECRET_LOST."},
		{"WEBHOOK_FAILS_TWICE", "workflow.get", "Only operations that take an Idempotency-Key can answer WEBHOOK_FAILS_TWICE."},
		{"RATE_LIMIT", "workflow.get", "This header must be one of RATE_LIMITED, UNAVAILABLE, STILL_RUNNING, SECRET_LOST, WEBHOOK_FAILS_TWICE, once: did you mean RATE_LIMITED?"},
		{"", "workflow.get", "This header must be one of RATE_LIMITED, UNAVAILABLE, STILL_RUNNING, SECRET_LOST, WEBHOOK_FAILS_TWICE, once."},
	} {
		_, _, fields := c.asking(x.asked, x.operation, "", `{}`)
		require.Len(t, fields, 1)
		require.Equal(t, []string{"X-Sandbox-Answer", x.want}, []string{fields[0].Field, fields[0].Message})
	}
}

func TestSandboxAnswer_SecretLost(t *testing.T) {
	t.Parallel()
	c := whole(t)
	var answer struct {
		Meta struct{ Warnings []refusal.Warning }
		Data map[string]any
	}
	w, _, _ := c.asking("SECRET_LOST", "webhook.key.create", "", c.named())
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	require.Equal(t, 200, w.Code, "%s", w.Body)
	require.NotEmpty(t, answer.Data["key_id"])
	require.NotContains(t, answer.Data, "shared_secret")
	require.Len(t, answer.Meta.Warnings, 1)
	require.Equal(t, refusal.SecretAlreadyShown, answer.Meta.Warnings[0].Code)
	require.Contains(t, answer.Meta.Warnings[0].Message, "X-Sandbox-Answer")
	require.NotContains(t, answer.Meta.Warnings[0].Message, "was given")
	require.Equal(t, 1, c.count("webhook_key"))
	require.Equal(t, 1, c.count("webhook_key WHERE revealed_at IS NULL"), "no answer has carried it")
}

func TestSandboxAnswer_WebhookFailsTwice(t *testing.T) {
	t.Parallel()
	c := whole(t)
	business := c.business("")
	w, _, _ := c.asking("WEBHOOK_FAILS_TWICE", "workflow.create", "", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, business))
	require.Equal(t, 200, w.Code, "%s", w.Body)
	require.Equal(t, 2, c.count("webhook_event WHERE failing_attempts = 2"))
	var created struct{ Data WorkflowRequest }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &created))
	w, _, _ = c.asking("WEBHOOK_FAILS_TWICE", "workflow.complete", "", c.naming("workflow_id", created.Data.WorkflowID))
	require.Equal(t, 200, w.Code, "%s", w.Body)
	require.Equal(t, 3, c.count("webhook_event WHERE failing_attempts = 2"))
	c.started()
	require.Equal(t, 3, c.count("webhook_event WHERE failing_attempts = 2"))
}

// TestSandboxAnswer_IsNoFaultOfTheService: it alerts no operator.
func TestSandboxAnswer_IsNoFaultOfTheService(t *testing.T) {
	t.Parallel()
	c := whole(t)
	var logged strings.Builder
	c.log = slog.New(slog.NewTextHandler(&logged, nil))
	c.metrics = metrics.New()
	c.asking("UNAVAILABLE", "meta.whoami", "", `{}`)
	c.asking("RATE_LIMITED", "meta.whoami", "", `{}`)
	require.NotContains(t, logged.String(), "level=ERROR")
	require.Contains(t, logged.String(), "sandbox_answer=UNAVAILABLE")
	scraped := httptest.NewRecorder()
	c.metrics.Handler(func(context.Context) error { return nil }, nil, c.log).ServeHTTP(scraped, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text := scraped.Body.String()
	require.Contains(t, text, `requisite_http_requests_total{operation="meta.whoami",status="sandbox"} 2`)
	require.NotContains(t, text, `status="503"`)
	require.Contains(t, text, `requisite_refusals_total{code="TOO_MANY_REQUESTS",sub_code=""} 0`)
}
