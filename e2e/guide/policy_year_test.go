//go:build deep

package guide_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

// TestPolicyYear_RunsAsWritten runs every command of the guide. The reviewer completes a document meanwhile.
func TestPolicyYear_RunsAsWritten(t *testing.T) {
	s := harness.Shared(t)
	credential, accountID := s.Credential(t, "Ada King")
	client, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	call := func(operation string, in harness.Object) (out harness.Object) {
		t.Helper()
		_, err := harness.Call(t.Context(), client, operation, in, &out)
		require.NoError(t, err, operation)
		return out
	}
	business := call("business.create", harness.Object{
		"account_id": accountID, "business": harness.Object{"legal_name": "Quiet Ltd", "established_date": "2001-01-01"},
		"persons": []harness.Object{{"first_name": "Amélie", "last_name": "Laurent", "ownership_percentage": 60}},
	})
	workflow := call("workflow.create", harness.Object{"account_id": accountID, "workflow": harness.Object{"business_id": business["business_id"]}})["workflow_id"].(string)

	dir := t.TempDir()
	var parts [2]strings.Builder // before the periodic review, and the review
	text, err := os.ReadFile("../../docs/policy-year.md")
	require.NoError(t, err)
	before, _, found := strings.Cut(string(text), "\n## The periodic review\n")
	require.True(t, found)
	for _, b := range blocks(t, "../../docs/policy-year.md") {
		kind, file, isFile := strings.Cut(b.language, " ")
		switch {
		case isFile:
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(b.text), 0o600))
		case kind == "sh" && b.line <= strings.Count(before, "\n"):
			parts[0].WriteString(b.text)
		case kind == "sh":
			parts[1].WriteString(b.text)
		default:
			require.Fail(t, "no test runs this block", "line %d", b.line)
		}
	}
	run := func(script string) string {
		t.Helper()
		command := exec.Command("bash", "-euxo", "pipefail", "-c", strings.ReplaceAll(script, "go run ./starter", s.Starter().Path))
		command.Dir = dir
		command.Env = append(s.Environment(), "PATH="+os.Getenv("PATH"), "ACCOUNT="+accountID, "WORKFLOW="+workflow,
			"REQUISITE_BASE_URL="+client.BaseURL, "REQUISITE_API_KEY="+credential.APIKey, "REQUISITE_SECRET_KEY="+credential.SecretKey, "REQUISITE_AUTH_TOKEN="+credential.AuthToken)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	out := run(parts[0].String())
	for _, shown := range []string{"2 example(s) hold", "1 application done; 1 changed", "COMING", "IN_FORCE", "Bob Lee", "Amélie Laurent",
		"expires on 2999-01-01", `"status_reason": "FACTS_CHANGED"`} {
		require.Contains(t, out, shown)
	}
	require.Contains(t, run(parts[1].String()), `"status": "COMPLETED"`, "the approval is carried")
}
