package calls_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/needs"
	"requisite/starter/startertest"
)

func TestCall_HelpShowsTheFields(t *testing.T) {
	out, err := startertest.Run(t, "call", "workflow.create", "--help")
	require.NoError(t, err)
	require.Contains(t, out, `workflow.create: Open a workflow for a business. Takes an `+"`Idempotency-Key`.")
	require.Contains(t, out, `
  workflow (object, required)
      The fields of the workflow.
  workflow.business_id (string, required)
      A business id: `)
	require.Regexp(t, `
  workflow\.state \(string\)
      STARTED when left out\. One of CREATED, STARTED\.

Example:
  starter call workflow\.create '\{"account_id":"sb_\w+","workflow":\{.*\}\}'
$`, out)
	out, err = startertest.Run(t, "call", "workflow.deadlines.apply", "--help")
	require.NoError(t, err)
	require.Regexp(t, `\n  starter call workflow\.deadlines\.apply '\{"workflow_id":"w_\w+"\}' --sandbox-today \d{4}-\d\d-\d\d\n$`, out)
	out, err = startertest.Run(t, "call", "workflow.gte", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "did you mean workflow.get?")
	out, err = startertest.Run(t, "call", "workflow.requiredDocs.calculate", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "did you mean workflow.requiredDocument.calculate?", "as the api says it")
	out, err = startertest.Run(t, "call", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "starter call OPERATION [JSON | -]")
}

func TestCall_CompletesOperations(t *testing.T) {
	out, err := startertest.Run(t, "__complete", "call", "")
	require.NoError(t, err)
	require.Contains(t, out, "workflow.create\nworkflow.deadlines.apply\nworkflow.decision.get\n")
}

func TestCall_PrintsASignedRequestForCurl(t *testing.T) {
	needs.Program(t, "curl", "apt-get install curl")
	var called []string
	flags := startertest.FakeAPI(t, func(operation string, body map[string]any) string {
		called = append(called, operation)
		require.Equal(t, map[string]any{"workflow": map[string]any{"business_id": `b_"\ x`}}, body)
		return startertest.Success(`{}`)
	})
	body := `{"workflow":{"business_id":"b_\"\\ x"}}`
	out, err := startertest.Run(t, append([]string{"call", "workflow.create", body, "--curl", "--idempotency-key", "k"}, flags...)...)
	require.NoError(t, err)
	require.Empty(t, called)
	require.NotContains(t, out, "xBeain5pFnPyQkl98qzA")
	require.Contains(t, out, `header = "Idempotency-Key: k"`)
	command := exec.Command("curl", "--silent", "--show-error", "--config", "-")
	command.Stdin = strings.NewReader(out)
	answer, err := command.CombinedOutput()
	require.NoError(t, err, "%s", answer)
	require.JSONEq(t, startertest.Success(`{}`), string(answer))
	require.Equal(t, []string{"workflow.create"}, called)
}
