package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/domain"
	"requisite/internal/requests/wire"
	"requisite/internal/rules/fact"
)

// onDay sends a request that names a day.
func (c refusing) onDay(day fmt.Stringer, operation, key, body string) (status int, a answer) {
	c.Helper()
	header := c.signed(operation, body, key)
	header.Set(wire.HeaderSandboxToday, day.String())
	w := c.send(c.Context(), operation, header, body)
	require.NoError(c, json.Unmarshal(w.Body.Bytes(), &a))
	return w.Code, a
}

// later is the day that comes so many days after today.
func later(days int) fact.Date { return fact.DateOf(time.Now().UTC().AddDate(0, 0, days)) }

type text string

func (t text) String() string { return string(t) }

func TestSandboxToday_IsNotForLiveCredentials(t *testing.T) {
	t.Parallel()
	c := whole(t)
	c.live()
	for _, day := range []fmt.Stringer{later(0), later(1), text(""), text("tomorrow")} {
		_, a := c.onDay(day, "account.get", "", c.named())
		require.Equal(t, "BAD_REQUEST", a.Errors[0].Code)
		require.Equal(t, "X-Sandbox-Today", a.Errors[0].Details[0].Field)
		require.Equal(t, "This header is for credentials of the sandbox. The credential of this request is live.", a.Errors[0].Details[0].Message)
	}
	workflow := c.started()
	a := c.ask("workflow.deadlines.apply", "", workflow)
	require.Equal(t, "BAD_REQUEST", a.Errors[0].Code)
	require.Equal(t, "This operation is for credentials of the sandbox. The credential of this request is live.", a.Errors[0].Details[0].Message)
}

func TestSandboxToday_MustBeADay(t *testing.T) {
	t.Parallel()
	c := whole(t)
	for _, day := range []string{"", "tomorrow", "2027-02-29", "2027-6-1", "2027-06-01T00:00:00Z"} {
		_, a := c.onDay(text(day), "account.get", "", c.named())
		require.Equal(t, "BAD_REQUEST", a.Errors[0].Code, day)
		require.Equal(t, "This header must be a day that exists, as YYYY-MM-DD, once.", a.Errors[0].Details[0].Message)
	}
	header := c.signed("account.get", c.named())
	header[http.CanonicalHeaderKey(wire.HeaderSandboxToday)] = []string{later(1).String(), later(2).String()}
	require.Equal(t, http.StatusBadRequest, c.send(t.Context(), "account.get", header, c.named()).Code)
	_, a := c.onDay(later(-3), "workflow.get", "", c.started())
	require.Equal(t, "BAD_REQUEST", a.Errors[0].Code)
	require.Contains(t, a.Errors[0].Details[0].Message, "This must be a day from today, which is "+later(0).String())
	for _, day := range []fact.Date{later(-10), later(6 * 366)} {
		_, a := c.onDay(day, "account.get", "", c.named())
		require.Equal(t, "BAD_REQUEST", a.Errors[0].Code, "also where the operation does not ask for the day")
		require.Contains(t, a.Errors[0].Details[0].Message, "This must be a day from today to 5 years later")
	}
}

func TestSandboxToday_IsNotForWhatFollowsTheClock(t *testing.T) {
	t.Parallel()
	var refused []string
	for _, o := range Operations() {
		if o.ByTheClock() {
			refused = append(refused, o.Name)
		}
	}
	require.Equal(t, []string{
		"account.recalculation.cancel", "account.recalculation.get", "account.recalculation.start",
		"webhook.config.create", "webhook.config.delete", "webhook.config.flush", "webhook.config.get", "webhook.config.list", "webhook.config.test", "webhook.config.update",
		"webhook.delivery.cancel", "webhook.delivery.get", "webhook.delivery.list", "webhook.delivery.recover", "webhook.delivery.retry",
		"webhook.event.replay", "webhook.event.replayed",
		"webhook.key.activate", "webhook.key.create", "webhook.key.delete", "webhook.key.get", "webhook.key.list",
	}, refused)
	c := whole(t)
	_, a := c.onDay(later(1), "webhook.key.create", "", c.named())
	require.Equal(t, "BAD_REQUEST", a.Errors[0].Code)
	require.Equal(t, "This operation takes no such header: what it does happens by the clock.", a.Errors[0].Details[0].Message)
	require.Zero(t, c.count("webhook_key"))
}

// TestSandboxToday_IsBoundByTheIdempotencyKey of operations with and without a run.
func TestSandboxToday_IsBoundByTheIdempotencyKey(t *testing.T) {
	t.Parallel()
	c := whole(t)
	c.publish("true")
	workflow := c.started()
	create := fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, c.business(""))
	for operation, body := range map[string]string{"workflow.create": create, "workflow.requiredDocument.calculate": workflow, "workflow.deadlines.apply": workflow} {
		status, first := c.onDay(later(400), operation, "once", body)
		require.Equal(t, http.StatusOK, status, operation)
		count := c.count("decision")
		_, again := c.onDay(later(400), operation, "once", body)
		require.Equal(t, first.Data, again.Data, operation)
		for _, a := range []answer{c.ask(operation, "once", body), second(c.onDay(later(401), operation, "once", body))} {
			require.Equal(t, "IDEMPOTENCY_KEY_REUSED", a.Errors[0].Code, operation)
		}
		status, _ = c.onDay(later(0), operation, "once", body)
		require.Equal(t, http.StatusUnprocessableEntity, status, "today's date is another than none")
		require.Equal(t, count, c.count("decision"))
	}
}

func second[A, B any](_ A, b B) B { return b }

// TestSandboxToday_AYearOfAnApplication takes a moment.
func TestSandboxToday_AYearOfAnApplication(t *testing.T) {
	t.Parallel()
	c := whole(t)
	day := later(30)
	do := func(operation, body string) map[string]any {
		t.Helper()
		_, a := c.onDay(day, operation, "", body)
		require.Empty(t, a.Errors, "%s on %s: %s", operation, day, body)
		return a.Data
	}
	deed := func(when, more string) string {
		return fmt.Sprintf(`{"account_id":%q,"rules":{"documents":[
			{"document_type_code":"DEED","name":"n","category":"c","requirement_text":"t","entity_type":"Business","renew_after":"1 year","remind_before":"30 days","due_within":"10 days"},
			{"document_type_code":"LICENSE","name":"n","category":"c","requirement_text":"t","entity_type":"Business","must_be_valid":true},
			{"document_type_code":"OLD","name":"n","category":"c","requirement_text":"t","entity_type":"Business","when":%q}]}%s}`, c.account, when, more)
	}
	do("account.documentRules.publish", deed("business_age_years >= 2", ""))
	business := do("business.create", fmt.Sprintf(`{"account_id":%q,"business":{"legal_name":"Ltd","established_date":%q}}`, c.account, day))["business_id"]
	workflow := fmt.Sprintf(`{"workflow_id":%q}`, do("workflow.create", fmt.Sprintf(`{"account_id":%q,"workflow":{"business_id":%q}}`, c.account, business))["workflow_id"])
	status := func() map[string]any {
		found := map[string]any{}
		for _, d := range do("workflow.requiredDocument.list", workflow)["required_documents"].([]any) {
			d := d.(map[string]any)
			found[d["document_type_code"].(string)] = []any{d["status"], d["status_reason"], d["valid_until"], d["due_on"], d["overdue"]}
			found["id "+d["document_type_code"].(string)] = d["required_document_id"]
		}
		return found
	}
	calculate := func() { do("workflow.requiredDocument.calculate", workflow) }
	apply := func() []any {
		a := do("workflow.deadlines.apply", workflow)
		return []any{a["expired"], a["renewal_due"], a["overdue"], a["expiring"]}
	}
	calculate()
	begin, expires := day, fact.DateOf(day.UTC().AddDate(0, 6, 0))
	for code, evidence := range map[string]string{"DEED": `{"issued_on":"` + begin.String() + `"}`, "LICENSE": `{"expires_on":"` + expires.String() + `"}`} {
		do("workflow.requiredDocument.update", fmt.Sprintf(`{"required_document_id":%q,"required_document":{"status":"COMPLETED","evidence":[%s]}}`, status()["id "+code], evidence))
	}
	until := fact.DateOf(begin.UTC().AddDate(1, 0, 0))
	require.Equal(t, []any{"COMPLETED", nil, until.String(), nil, false}, status()["DEED"])
	require.Equal(t, []any{0.0, 0.0, 0.0, 0.0}, apply())

	day = expires.Next() // the license expires
	require.Equal(t, 1.0, do("workflow.get", workflow)["documents"].(map[string]any)["pending"], "it counts at once")
	require.Equal(t, []any{1.0, 0.0, 0.0, 0.0}, apply())
	require.Equal(t, []any{"PENDING", "EXPIRED", nil, nil, false}, status()["LICENSE"])
	require.Equal(t, []any{0.0, 0.0, 0.0, 0.0}, apply())

	day = fact.DateOf(until.UTC().AddDate(0, 0, -29)) // the reminder
	require.Equal(t, []any{0.0, 0.0, 0.0, 1.0}, apply())
	day = until.Next() // the deed must be renewed
	require.Equal(t, []any{0.0, 1.0, 0.0, 0.0}, apply())
	due := fact.DateOf(day.UTC().AddDate(0, 0, 10))
	require.Equal(t, []any{"PENDING", "RENEWAL_DUE", nil, due.String(), false}, status()["DEED"])
	day = due.Next() // it is overdue
	require.Equal(t, []any{"PENDING", "RENEWAL_DUE", nil, due.String(), true}, status()["DEED"])
	require.Equal(t, []any{0.0, 0.0, 1.0, 0.0}, apply())

	require.NotContains(t, status(), "OLD")
	day = fact.DateOf(begin.UTC().AddDate(2, 0, 0)) // the business is two years old
	calculate()
	require.Contains(t, status(), "OLD")
	from := fact.DateOf(day.UTC().AddDate(0, 1, 0))
	do("account.documentRules.publish", deed("business_age_years >= 9", `,"effective_from":"`+from.String()+`"`))
	require.Equal(t, false, do("workflow.get", workflow)["documents_stale"])
	day = from // other rules
	require.Equal(t, true, do("workflow.get", workflow)["documents_stale"])
	calculate()
	require.Equal(t, []any{"INACTIVE", nil, nil, nil, false}, status()["OLD"])

	require.Equal(t, "DEED", c.data("workflow.requiredDocument.list", workflow)["required_documents"].([]any)[0].(map[string]any)["document_type_code"])
	require.Equal(t, false, c.data("workflow.requiredDocument.list", workflow)["required_documents"].([]any)[0].(map[string]any)["overdue"], "the day of another call is the clock's")
	for _, d := range do("workflow.decision.list", workflow)["decisions"].([]any) {
		d := d.(map[string]any)
		require.Equal(t, true, d["sandbox_today"])
		require.Equal(t, domain.UserAPIKey, d["decided_by"].(map[string]any)["user_type"])
		require.WithinDuration(t, time.Now(), parseTime(t, d["decided_at"]), time.Hour, "times stay the clock's")
	}
}

func parseTime(t *testing.T, text any) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text.(string))
	require.NoError(t, err)
	return at
}
