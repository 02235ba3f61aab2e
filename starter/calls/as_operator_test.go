package calls_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/store"
	"requisite/internal/store/pgtest"
	"requisite/starter/cli"
	"requisite/starter/command"
	"requisite/starter/startertest"
)

// operate runs an operation as an operator, and returns its answer, its log, and its error.
func operate(b *startertest.Bundle, account, operation, body string, args ...string) (answer, log string, err error) {
	root := command.New()
	var out, progress bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&progress)
	root.SetArgs(append([]string{"call", operation, body, "--as-operator", account}, args...))
	err = root.ExecuteContext(b.Context())
	return out.String(), progress.String(), err
}

func mustOperate(b *startertest.Bundle, operation, body string, args ...string) (answer string) {
	b.Helper()
	answer, log, err := operate(b, b.Account, operation, body, args...)
	require.NoError(b, err, answer+log)
	return answer
}

// refusedWith requires a refusal with a code, and the exit code of refusals.
func refusedWith(t *testing.T, code, answer string, err error) {
	t.Helper()
	var envelope struct{ Errors []struct{ Code string } }
	require.NoError(t, json.Unmarshal([]byte(answer), &envelope), answer)
	require.Len(t, envelope.Errors, 1, answer)
	require.Equal(t, code, envelope.Errors[0].Code)
	require.Equal(t, cli.ExitRefused, cli.ExitCode(io.Discard, err))
}

func TestAsOperator_SeesOneTenantWithTheRightsOfTheAPI(t *testing.T) {
	b := startertest.Setup(t)
	stranger, _ := pgtest.NewAccount(t, b.Store, "other", "UTC")

	require.Contains(t, mustOperate(b, "business.get", `{"business_id":"`+b.Business+`"}`), "Secret Name Ltd")
	answer, _, err := operate(b, stranger.WireID().String(), "business.get", `{"business_id":"`+b.Business+`"}`)
	refusedWith(t, "ENTITY_NOT_FOUND", answer, err)
	answer, _, err = operate(b, b.Account, "account.get", `{"account_id":"`+stranger.WireID().String()+`"}`)
	refusedWith(t, "ENTITY_NOT_FOUND", answer, err)

	// It has the rights of the role, and no others.
	b.Exec(`REVOKE SELECT ON business FROM ` + pgtest.API)
	_, _, err = operate(b, b.Account, "business.get", `{"business_id":"`+b.Business+`"}`)
	require.ErrorContains(t, err, "business")
	b.Exec(`GRANT SELECT ON business TO ` + pgtest.API)

	for role, why := range map[string]string{
		pgtest.Owner: "row-level security does not bind requisite_owner: it owns the tables",
		"":           "--api-role (or REQUISITE_API_ROLE) is not set",
		"nobody":     `role "nobody" does not exist`,
	} {
		t.Setenv("REQUISITE_API_ROLE", role)
		_, _, err = operate(b, b.Account, "account.get", `{"account_id":"`+b.Account+`"}`)
		require.ErrorContains(t, err, why)
		require.Equal(t, cli.ExitFailed, cli.ExitCode(io.Discard, err))
	}
	t.Setenv("REQUISITE_API_ROLE", pgtest.Worker)
	_, _, err = operate(b, b.Account, "account.get", `{"account_id":"`+b.Account+`"}`)
	require.ErrorContains(t, err, "must be a member of it")
}

func TestAsOperator_KeepsTheNameOfTheOperator(t *testing.T) {
	b := startertest.Setup(t)
	mustOperate(b, "workflow.complete", `{"workflow_id":"`+b.Workflow+`"}`, "--as", "Ada King")
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM webhook_event WHERE event_type = 'WORKFLOW_COMPLETED' AND user_id = 'Ada King' AND user_type = 'SYSTEM'`))
	_, _, err := operate(b, b.Account, "workflow.get", `{"workflow_id":"`+b.Workflow+`"}`, "--as", "SYSTEM")
	require.ErrorContains(t, err, "--as must be a name of 1 to 100 characters on one line, and not SYSTEM")
}

// An operator and a caller with the same Idempotency-Key do not meet.
func TestAsOperator_HasIdempotencyKeysOfItsOwn(t *testing.T) {
	b := startertest.Setup(t)
	const operation = "business.create"
	call := b.Call
	call.Operation, call.IdempotencyKey, call.BodySHA256 = operation, "once", bytes.Repeat([]byte{1}, 32)
	_, err := b.Store.Write(t.Context(), call, func(*store.Records) (any, error) { return map[string]string{"business_id": "of the caller"}, nil })
	require.NoError(t, err)

	body := `{"account_id":"` + b.Account + `","business":{"legal_name":"Second Ltd"}}`
	data := func(answer string) (data map[string]any) {
		var envelope struct{ Data map[string]any }
		require.NoError(t, json.Unmarshal([]byte(answer), &envelope))
		return envelope.Data
	}
	first := mustOperate(b, operation, body, "--idempotency-key", "once")
	require.NotContains(t, first, "of the caller")
	require.Equal(t, data(first), data(mustOperate(b, operation, body, "--idempotency-key", "once")), "a repeat changes nothing")
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM business`))
	answer, _, err := operate(b, b.Account, operation, strings.Replace(body, "Second", "Third", 1), "--idempotency-key", "once")
	refusedWith(t, "IDEMPOTENCY_KEY_REUSED", answer, err)

	kept, err := b.Store.Outcome(t.Context(), domain.Run{Call: call})
	require.NoError(t, err)
	require.Contains(t, string(kept.Result), "of the caller")
}

func TestAsOperator_RefusesWhatNeedsACredentialOrAFile(t *testing.T) {
	b := startertest.Setup(t)
	answer, _, err := operate(b, b.Account, "meta.whoami", `{}`)
	refusedWith(t, "FORBIDDEN", answer, err)
	require.Contains(t, answer, "an operator has none")
	secret := filepath.Join(t.TempDir(), "secret")
	t.Setenv("REQUISITE_PAYLOAD_KEY_FILE", os.Getenv("REQUISITE_KEK_FILE"))
	t.Setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
	require.NoError(t, os.WriteFile(secret, []byte("of another key"), 0o600))
	_, _, err = operate(b, b.Account, "webhook.key.create", `{"account_id":"`+b.Account+`"}`, "--secret-file", secret)
	require.Error(t, err)
	_, err = startertest.Run(t, "call", "account.get", "--as", "Ada")
	require.ErrorContains(t, err, "--as belongs to --as-operator")
	_, err = startertest.Run(t, "call", "account.get", "--secret-file", secret)
	require.ErrorContains(t, err, "--secret-file belongs to --as-operator")
}

func TestAsOperator_IsBoundByQuotas(t *testing.T) {
	b := startertest.Setup(t)
	body := `{"account_id":"` + b.Account + `","business":{"legal_name":"Second Ltd"}}`
	answer, _, err := operate(b, b.Account, "business.create", body, "--quota", "businesses=1")
	refusedWith(t, "SYSTEM_RULE_VIOLATION", answer, err)
	require.Contains(t, answer, "BUSINESS_LIMIT_EXCEEDED")
	mustOperate(b, "business.create", body)

	b.Publish(startertest.RulesFile(t, "rules.yaml", "documents: [{document_type_code: A, name: n, category: c, requirement_text: t, entity_type: Workflow}]\n"))
	b.DecideByRules(b.Workflow)
	document := regexp.MustCompile(`rd_\w+`).FindString(mustOperate(b, "workflow.requiredDocument.list", `{"workflow_id":"`+b.Workflow+`"}`))
	answer, _, err = operate(b, b.Account, "workflow.requiredDocument.update", `{"required_document_id":"`+document+`","required_document":{"status":"NEEDS_REVIEW"}}`, "--quota", "decision-bytes-a-day=1")
	refusedWith(t, "TOO_MANY_REQUESTS", answer, err)
}

// Only an operation that waits for a run connects to Temporal.
func TestAsOperator_NeedsTemporalOnlyForRuns(t *testing.T) {
	b := startertest.Setup(t)
	t.Setenv("REQUISITE_PAYLOAD_KEY_FILE", "")
	t.Setenv("REQUISITE_KEK_FILE", "")
	mustOperate(b, "workflow.get", `{"workflow_id":"`+b.Workflow+`"}`)
	_, _, err := operate(b, b.Account, "workflow.requiredDocument.calculate", `{"workflow_id":"`+b.Workflow+`"}`)
	require.ErrorContains(t, err, "--payload-key-file (or REQUISITE_PAYLOAD_KEY_FILE) is not set")
}

// The log has one line, with ids and codes, and nothing that a request or a record contains.
func TestAsOperator_LogsAsTheAPI(t *testing.T) {
	b := startertest.Setup(t)
	line := func(operation, body string, args ...string) map[string]any {
		t.Helper()
		answer, log, _ := operate(b, b.Account, operation, body, args...)
		for _, secret := range []string{"Planted", "Secret Name", "planted-key", "Ada King"} {
			require.NotContains(t, log, secret)
		}
		var found map[string]any
		require.NoError(t, json.Unmarshal([]byte(log), &found), "one line: %s", log)
		var envelope struct {
			Meta struct {
				TraceID string `json:"trace_id"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(answer), &envelope))
		require.Equal(t, envelope.Meta.TraceID, found["trace_id"])
		delete(found, "time")
		delete(found, "trace_id")
		delete(found, "duration_ms")
		return found
	}
	require.Equal(t, map[string]any{
		"level": "INFO", "msg": "request", "program": "starter", "operation": "operator/person.update", "status": 200.0, "outcome": "SUCCESS",
		"account_id": b.Account, "person_id": b.Person, "sent": true,
	}, line("person.update", `{"person_id":"`+b.Person+`","person":{"first_name":"Planted too"}}`, "--idempotency-key", "planted-key", "--as", "Ada King"))
	require.Equal(t, map[string]any{
		"level": "INFO", "msg": "request", "program": "starter", "operation": "operator/business.get", "status": 400.0, "outcome": "BAD_REQUEST", "code": "BAD_REQUEST", "sent": true,
	}, line("business.get", `{"business_id":"Planted"}`))
}
