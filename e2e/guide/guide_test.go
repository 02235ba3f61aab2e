//go:build deep

package guide_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	"requisite/e2e/harness"
	"requisite/internal/temporalclient"
)

// operating returns the files of the guide for operators.
func operating(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/operating/*.md")
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	return pages
}

// TestGuide_StatementsRunAsTheReader runs the SQL of the guide as the role that only reads.
func TestGuide_StatementsRunAsTheReader(t *testing.T) {
	s := newStack(t)
	s.exec(`CREATE ROLE requisite_read LOGIN PASSWORD 'p'`)
	s.starter("migrate", "--api-role", "requisite_api", "--worker-role", "requisite_worker", "--read-role", "requisite_read")
	reader, err := url.Parse(s.DatabaseURL)
	require.NoError(t, err)
	reader.User = url.UserPassword("requisite_read", "p")
	conn, err := pgx.Connect(t.Context(), reader.String())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	tried := 0
	for _, page := range operating(t) {
		for _, b := range blocks(t, page) {
			if b.language != "sql" || !strings.Contains(b.text, "\nSELECT ") {
				continue
			}
			for statement := range strings.SplitSeq(b.text, ";") {
				if strings.TrimSpace(statement) == "" || strings.Contains(statement, "pg_stat_statements") { // an extension of the administrator's
					continue
				}
				_, err := conn.Exec(t.Context(), statement)
				require.NoError(t, err, "%s:%d:%s", page, b.line, statement)
				tried++
			}
		}
	}
	require.GreaterOrEqual(t, tried, 4)
}

var filter = regexp.MustCompile(`^[A-Z][A-Za-z]+ (=|<|>|IN) `)

func TestGuide_FiltersRunInTemporal(t *testing.T) {
	s := harness.Shared(t)
	c := s.Temporal(t)
	tried := 0
	var named []string
	for _, page := range operating(t) {
		for _, span := range spans(t, page) {
			if filter.MatchString(span) {
				_, err := c.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{Query: span})
				require.NoError(t, err, span)
				tried++
			}
			named = append(named, span)
		}
	}
	require.GreaterOrEqual(t, tried, 10)
	for _, a := range temporalclient.SearchAttributes() {
		require.Contains(t, named, a.Name, "the guide does not mention this search attribute")
	}
}

func TestGuide_RunIsFoundByTheTraceOfItsRequest(t *testing.T) {
	s := newStack(t)
	w := s.Application(t)
	answer := s.Must(t, "workflow.requiredDocument.calculate", w, nil)
	c := s.Temporal(t)
	s.Poll(t, "the run is not found by the trace of its request", func(ctx context.Context) (bool, error) {
		found, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("TraceId = %q", answer.Meta.TraceID)})
		return len(found.GetExecutions()) == 1 && strings.Contains(found.Executions[0].Execution.WorkflowId, w.WorkflowID), err
	})
	log, err := os.ReadFile(filepath.Join(s.Dir, "api.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), `"trace_id":"`+answer.Meta.TraceID+`"`)

	// The outcome of a run has the reason of its refusal.
	s.Publish(t, "average_monthly_credit_sales > 1")
	refused := s.Send(t, "workflow.requiredDocument.calculate", w)
	s.Poll(t, "the refusal is not found", func(ctx context.Context) (bool, error) {
		found, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Query: fmt.Sprintf("TraceId = %q AND ApplicationWorkflowId = %q AND Outcome = %q", refused.Meta.TraceID, w.WorkflowID, refused.Errors[0].Code)})
		return len(found.GetExecutions()) == 1, err
	})
	require.Contains(t, s.starter("decision", "show", w.WorkflowID), "average_monthly_credit_sales")
}

func TestGuide_RevokedCredentialIsRefused(t *testing.T) {
	s := newStack(t)
	organization := regexp.MustCompile(`(org_\w+) .*` + t.Name()).FindStringSubmatch(s.starter("organization", "list"))
	require.Len(t, organization, 2)
	var credential harness.Credential
	require.NoError(t, json.Unmarshal([]byte(s.starter("credential", "create", organization[1], "leaving")), &credential))
	client, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	leaving := &harness.Stack{Processes: s.Processes, Client: client}
	account := harness.Object{"account_id": s.AccountID}
	before := leaving.Send(t, "account.get", account)
	require.Equal(t, http.StatusOK, before.HTTPStatus, "%s", before.Body)
	s.starter("credential", "revoke", credential.APIKey)
	after := leaving.Send(t, "account.get", account)
	require.Equal(t, http.StatusUnauthorized, after.HTTPStatus, "%s", after.Body)
}
