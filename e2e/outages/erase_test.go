//go:build deep

package outages_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/workflows"
)

// The planted values, one for each field, as regular expressions: a plain share could occur
// in a time.
var (
	staying = []string{
		// of the business
		"Plantedplumbing", "Plantedtrade", "planted-site.example", "555-0199", "info@planted.example",
		"1 Planted Road", "Planted Annex", "Plantedville", "Plantedshire", "PL4NT", "planted-external-business",
		// of a person
		"planted-external-person", "planted-external-workflow", "Idaplanted", "Quillfeather", "quill@planted.example", "1981-02-03", `"LI"`, `(percentage\\?": ?|is )33\.33`,
		// of declared facts, of each type and entity
		"Planted note", `424242\.4242`, `535353\.53`, "1983-04-05", "Planted channel", "PLANTEDROLE",
		// only in reasons and histories: of a deleted person, and overwritten values
		`"AD"`, `(percentage\\?": ?|is )44\.44`, `"MC"`, `(percentage\\?": ?|is )55\.55`,
	}
	gone = []string{"Movedaway", "Formername", "former@planted.example", "1982-03-04", "Earlierplumbing", "earlier@planted.example", "Earliername"}
)

type erasure struct {
	stack
	t        *testing.T
	temporal client.Client
	business string
	workflow harness.Request
}

// must repeats a request until it succeeds, because the patience of the api is short.
func (s *erasure) must(operation string, in, out any) {
	s.t.Helper()
	key := requisite.IdempotencyKey(operation + "/" + strings.Repeat("x", s.keys()))
	s.Await(s.t, operation, func(ctx context.Context) error {
		answer, err := s.Client.Call(ctx, operation, in, out, key)
		if answer.HTTPStatus != http.StatusGatewayTimeout {
			require.NoError(s.t, err, operation)
		}
		return err
	})
}

// keys counts the stored outcomes, for Idempotency-Keys that differ.
func (s *erasure) keys() (n int) {
	require.NoError(s.t, s.Query(s.t.Context(), `SELECT count(*) FROM outcome WHERE key IS NOT NULL`, &n))
	return n
}

// TestErase_RemovesEveryValueOfABusiness plants values in a business, its persons, their
// documents and the responses to webhooks. It erases the business during a calculation,
// and then searches for every planted value in every row and every history.
func TestErase_RemovesEveryValueOfABusiness(t *testing.T) {
	s := &erasure{stack: newStack(t), t: t}
	s.temporal = s.Temporal(t)
	s.plant()
	runs := s.decided()
	require.GreaterOrEqual(t, len(runs), 4)
	before := s.searched()
	for _, planted := range staying {
		require.NotEmpty(t, found(before, planted), "the search does not find %s before the erasure", planted)
	}

	ask := s.Starter("erase", s.business, "--account", s.AccountID)
	ask.Stdin = strings.NewReader("no\n")
	out, err := ask.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "1 person(s)")
	require.Contains(t, string(out), "Of business "+s.business+", Plantedplumbing", "the command shows the business")
	require.Contains(t, string(out), "nothing was erased")
	kept := s.searched()
	for _, sources := range []map[string][]byte{before, kept} {
		delete(sources, "table operator_action") // where the command is
	}
	require.Equal(t, before, kept)

	// A calculation has read the facts, and writes after the erasure.
	answerLate := s.inFlight()
	release := s.Hold(t, `LOCK TABLE outcome IN SHARE MODE`)
	answered := s.InBackground("workflow.requiredDocument.calculate", s.workflow)
	s.awaitBlocked(t)
	s.erase()
	answerLate()
	release()
	late := await.Next(t, "an answer", answered, s.Running()...)
	require.NoError(t, late.Err)
	require.NotEqual(t, http.StatusOK, late.HTTPStatus, "%s", late.Body)
	require.NotEqual(t, "INTERNAL_ERROR", late.Errors[0].Code, "%s", late.Body)
	s.erase() // a repeat is harmless

	after := s.searched()
	for _, planted := range slices.Concat(staying, gone) {
		require.Empty(t, found(after, planted), planted)
	}
	receipt, err := s.Starter("audit", "list", "--about", s.business).CombinedOutput()
	require.NoError(t, err, "%s", receipt)
	require.Regexp(t, `erase --yes=true +DONE .*\n.*erase --yes=true +DONE .*\n.*erase +FAILED .*`, string(receipt))
	for _, run := range runs {
		_, err := harness.Describe(t.Context(), s.temporal, run.WorkflowId, run.RunId)
		var none *serviceerror.NotFound
		require.ErrorAs(t, err, &none, run.WorkflowId)
	}
	documents := s.Documents(t, s.workflow)
	require.Len(t, documents, 5, "the required documents stay")
	for _, d := range documents {
		require.Contains(t, string(d), "The facts that decided were erased.")
	}

	// The service refuses further decisions, and the record says why.
	for _, operation := range []string{"workflow.requiredDocument.calculate", "workflow.pricing.calculate"} {
		answer := s.Send(t, operation, s.workflow)
		require.Equal(t, "BUSINESS_ERASED", answer.Errors[0].SubCode, "%s", answer.Body)
	}
	require.Contains(t, string(s.Send(t, "business.get", harness.Object{"business_id": s.business}).Body), `"erased_at":"`)
}

func declared(name, entity, typ string) harness.Object {
	return harness.Object{"name": name, "entity_type": entity, "type": typ, "label": "l", "ask": "a"}
}

// plant writes all planted values, through every operation that takes them.
func (s *erasure) plant() {
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("thanks for Quillfeather")) }))
	s.t.Cleanup(echo.Close)
	var key struct {
		ID string `json:"key_id"`
	}
	s.must("webhook.key.create", harness.Object{"account_id": s.AccountID}, &key)
	s.must("webhook.key.activate", harness.Object{"key_id": key.ID}, nil)
	s.must("account.documentRules.publish", harness.Object{"account_id": s.AccountID, "rules": harness.Object{"facts": []harness.Object{
		declared("note", "Business", "TEXT"), declared("number", "Business", "NUMBER"), declared("amount", "Business", "AMOUNT"),
		declared("day", "Workflow", "DATE"), declared("channel", "Workflow", "TEXT"), declared("roles", "Person", "TEXT_LIST"),
	}, "documents": []harness.Object{
		{"document_type_code": "PLAN", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Workflow",
			"when": `custom.note != "x" && custom.number > 1 && custom.amount > 1 && custom.day != date("2026-01-01") && custom.channel != "x"`},
		{"document_type_code": "ROLE", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Person", "when": `person.custom.roles.exists(r, r != "x")`},
		{"document_type_code": "PASSPORT", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Person",
			"when": `person.citizenship != "US" && person.ownership_percentage >= 25`},
		{"document_type_code": "OWNERS", "name": "n", "category": "c", "requirement_text": "t", "entity_type": "Business",
			"when": `persons.exists(p, p.citizenship != "US")`},
	}}}, nil)
	// The receiver names a person in every answer. It gets events of the application alone.
	s.must("webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": echo.URL}}, nil)

	var business struct {
		ID string `json:"business_id"`
	}
	s.must("business.create", harness.Object{"account_id": s.AccountID, "business": harness.Object{"legal_name": "Earlierplumbing", "email": "earlier@planted.example", "established_date": "2001-01-01",
		"custom": harness.Object{"note": "Planted note", "number": 424242.4242, "amount": 535353.53}}}, &business)
	s.business = business.ID
	var staying, leaving struct {
		ID string `json:"person_id"`
	}
	s.must("person.create", harness.Object{"business_id": business.ID, "person": harness.Object{"first_name": "Earliername", "last_name": "x", "citizenship": "MC", "ownership_percentage": 55.55, "custom": harness.Object{"roles": []string{"PLANTEDROLE"}}}}, &staying)
	s.must("person.create", harness.Object{"business_id": business.ID, "person": harness.Object{"first_name": "Movedaway", "last_name": "Formername", "citizenship": "AD",
		"ownership_percentage": 44.44, "date_of_birth": "1982-03-04", "email": "former@planted.example", "custom": harness.Object{"roles": []string{}}}}, &leaving)
	s.must("workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": business.ID, "external_id": "planted-external-workflow", "custom": harness.Object{"day": "1983-04-05", "channel": "Planted channel"}}}, &s.workflow)
	s.must("workflow.pricing.calculate", s.workflow, nil)
	s.must("workflow.requiredDocument.calculate", s.workflow, nil)

	s.must("person.delete", harness.Object{"person_id": leaving.ID}, nil)
	s.must("person.update", harness.Object{"person_id": staying.ID, "person": harness.Object{"external_id": "planted-external-person", "first_name": "Idaplanted", "last_name": "Quillfeather", "citizenship": "LI",
		"ownership_percentage": 33.33, "date_of_birth": "1981-02-03", "email": "quill@planted.example"}}, nil)
	s.must("business.update", harness.Object{"business_id": business.ID, "business": harness.Object{"external_id": "planted-external-business", "legal_name": "Plantedplumbing", "operating_name": "Plantedtrade", "email": "info@planted.example",
		"website": "https://planted-site.example", "phone_number": "555-0199", "address": harness.Object{"line1": "1 Planted Road", "line2": "Planted Annex", "city": "Plantedville",
			"region": "Plantedshire", "postal_code": "PL4NT", "country": "LI"}}}, nil)
	s.must("workflow.requiredDocument.calculate", s.workflow, nil)
	s.must("workflow.pricing.calculate", s.workflow, nil)
	s.Await(s.t, "the answers of the receiver to be logged", func(ctx context.Context) error {
		var n int
		err := s.Query(ctx, `SELECT count(*) FROM webhook_attempt WHERE response_body LIKE '%Quillfeather%'`, &n)
		if err == nil && n < 6 {
			err = fmt.Errorf("%d are", n)
		}
		return err
	})
	s.Await(s.t, "four runs of the business", func(context.Context) error {
		if n := len(s.decided()); n != 4 {
			return fmt.Errorf("%d runs", n)
		}
		return nil
	})
	var sessions []string
	require.NoError(s.t, s.Query(s.t.Context(), `SELECT array_agg(DISTINCT run_id) FROM webhook_attempt`, &sessions))
	s.Await(s.t, "the end of the sessions that sent the webhooks", func(ctx context.Context) error {
		ended, err := s.temporal.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
			Query: fmt.Sprintf("RunId IN ('%s') AND ExecutionStatus = 'Completed'", strings.Join(sessions, "', '"))})
		if err == nil && ended.Count != int64(len(sessions)) {
			err = fmt.Errorf("%d of %d have ended", ended.Count, len(sessions))
		}
		return err
	})
}

// inFlight sends an event of the business to a receiver. answer makes the receiver respond
// with the name of a person.
func (s *erasure) inFlight() (answer func()) {
	s.t.Helper()
	arrived, released := make(chan struct{}, 10), make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-released
		_, _ = w.Write([]byte("thanks for Quillfeather"))
	}))
	s.t.Cleanup(receiver.Close)
	s.t.Cleanup(release)
	s.must("webhook.config.create", harness.Object{"account_id": s.AccountID, "config": harness.Object{"url": receiver.URL, "event_types": []string{"WORKFLOW_CREATED"}}}, nil)
	s.must("workflow.create", harness.Object{"account_id": s.AccountID, "workflow": harness.Object{"business_id": s.business}}, nil)
	await.Next(s.t, "the event", arrived, s.Running()...)
	return func() {
		release()
		s.Await(s.t, "the end of all attempts", func(ctx context.Context) error {
			var n int
			err := s.Query(ctx, `SELECT count(*) FROM webhook_attempt WHERE outcome = 'SENDING'`, &n)
			if err == nil && n > 0 {
				err = fmt.Errorf("%d are in flight", n)
			}
			return err
		})
	}
}

// erase runs starter erase.
func (s *erasure) erase() {
	s.t.Helper()
	out, err := s.Starter("erase", s.business, "--account", s.AccountID, "--yes").CombinedOutput()
	require.NoError(s.t, err, "%s", out)
}

// decided returns the runs of the business.
func (s *erasure) decided() (runs []*commonpb.WorkflowExecution) {
	all, err := s.runs(s.t.Context(), s.temporal, "")
	require.NoError(s.t, err)
	for _, run := range all {
		if strings.HasPrefix(run.WorkflowId, "calculate/") || strings.HasPrefix(run.WorkflowId, "price/") {
			runs = append(runs, run)
		}
	}
	return runs
}

var payload = regexp.MustCompile(`"data": "([A-Za-z0-9+/=]+)"`)

// searched returns every row of every table, and every history with decoded payloads.
func (s *erasure) searched() map[string][]byte {
	sources := map[string][]byte{}
	s.dump(s.t, sources)
	for _, table := range []string{"webhook_delivery", "webhook_ready", "schedule_success"} { // the worker changes them at any time
		delete(sources, "table "+table)
	}
	for _, run := range s.Runs(s.t, s.temporal, "") {
		if slices.ContainsFunc(workflows.Schedules(), func(of workflows.Scheduled) bool { return strings.HasPrefix(run.WorkflowId, of.ID+"-") }) {
			continue
		}
		text := s.History(s.t, s.temporal, run, true)
		for _, data := range payload.FindAllSubmatch(text, -1) {
			decoded, err := base64.StdEncoding.DecodeString(string(data[1]))
			require.NoError(s.t, err)
			text = append(append(text, '\n'), decoded...)
		}
		sources["history of "+run.WorkflowId+" "+run.RunId] = text
	}
	return sources
}

// found returns the name of a source with a value; empty for none.
func found(sources map[string][]byte, value string) string {
	pattern := regexp.MustCompile(value)
	for source, text := range sources {
		if pattern.Match(text) {
			return source
		}
	}
	return ""
}
