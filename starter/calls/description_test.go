package calls_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/needs"
	"requisite/starter/startertest"
)

const described = `{"paths":{
	"/workflow.create":{"post":{"description":"Open a workflow.","requestBody":{"content":{"application/json":{
		"example":{"workflow":{"business_id":"b_1"}},"schema":{"$ref":"#/components/schemas/Create"}}}}}},
	"/workflow.get":{"post":{"description":"Read a workflow.","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/One","unevaluatedProperties":false}}}}}}},
"components":{"schemas":{
	"One":{"type":"object","properties":{"workflow_id":{"type":"string","pattern":"^w_"}}},
	"Create":{"type":"object","additionalProperties":false,"required":["workflow"],"properties":{
		"workflow":{"$ref":"#/components/schemas/Workflow"},
		"address":{"oneOf":[{"$ref":"#/components/schemas/Address"},{"type":"null"}]},
		"tags":{"type":["array","null"],"items":{"type":"string"}}}},
	"Workflow":{"type":"object","additionalProperties":false,"required":["business_id"],"properties":{
		"business_id":{"type":"string","pattern":"^b_","description":"A business\u001b[2J id."},
		"state":{"type":"string","enum":["CREATED","STARTED"]}}},
	"Address":{"type":"object","additionalProperties":false,"properties":{"country":{"type":"string","maxLength":2}}}}}}`

// describing returns the flags for a service with the description above, the number of
// operations that it was called with, and the last request.
func describing(t *testing.T) (flags []string, called *atomic.Int64, last *atomic.Value) {
	called, last = new(atomic.Int64), new(atomic.Value)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/openapi.json" {
			_, _ = io.WriteString(w, described)
			return
		}
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		called.Add(1)
		last.Store(string(body))
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, startertest.Success(`{}`))
	}))
	t.Cleanup(api.Close)
	return []string{"--base-url", api.URL, "--api-key", "sb_3eY9UJuj09636NVPlgmhfa", "--secret-key", "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5", "--auth-token", "t"}, called, last
}

func TestCall_ChecksTheRequestBeforeItSendsIt(t *testing.T) {
	flags, called, _ := describing(t)
	call := func(args ...string) error {
		_, err := startertest.Run(t, append(append([]string{"call"}, args...), flags...)...)
		return err
	}
	for body, want := range map[string]string{
		`{}`:                                 "the body: missing property 'workflow'",
		`{"workflow":{"business_id":"w_1"}}`: "workflow.business_id: ",
		`{"workflow":{"business_id":"b_1","stat":"CREATED"}}`:               "workflow.stat: this operation has no such field",
		`{"workflow":{"business_id":"b_1","state":"ENDED"}}`:                "workflow.state: value must be one of 'CREATED', 'STARTED'",
		`{"workflow":{"business_id":"b_1"},"address":{"country":"Norway"}}`: "address.country: maxLength",
		`{"workflow":{"business_id":"b_1"},"tags":["a",1]}`:                 "tags[1]: got number, want string",
		`{"workflow":`: "The body is not JSON",
	} {
		err := call("workflow.create", body)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "want null", body)
	}
	err := call("workflow.get", `{"workflow_id":"b_1","other":1}`)
	require.ErrorContains(t, err, "workflow_id: 'b_1' does not match pattern '^w_'")
	require.ErrorContains(t, err, "other: this operation has no such field")
	require.NotContains(t, err.Error(), "workflow_id: this operation")
	require.ErrorContains(t, call("workflow.creat"), "did you mean workflow.create?")
	require.Zero(t, called.Load(), "nothing was sent")
	require.NoError(t, call("workflow.create", `{"workflow":{"business_id":"b_1"},"address":null,"tags":null}`))
	require.NoError(t, call("workflow.create", `{}`, "--unchecked"))
	require.EqualValues(t, 2, called.Load())
}

func TestCall_HelpShowsTheFields(t *testing.T) {
	flags, called, _ := describing(t)
	out, err := startertest.Run(t, append([]string{"call", "workflow.create", "--help"}, flags...)...)
	require.NoError(t, err)
	require.Equal(t, `workflow.create: Open a workflow.

Fields:
  address (object or null)
    country (string)
  tags (list of string or null)
  workflow (object, required)
    business_id (string, required)
        A business\u001b[2J id.
    state (string, one of CREATED STARTED)

Example:
  starter call workflow.create '{"workflow":{"business_id":"b_1"}}'
`, out)
	out, err = startertest.Run(t, append([]string{"call", "workflow.gte", "--help"}, flags...)...)
	require.NoError(t, err)
	require.Contains(t, out, "did you mean workflow.get?")
	out, err = startertest.Run(t, "call", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "starter call OPERATION [JSON | -]")
	require.Zero(t, called.Load())
}

func TestCall_CompletesOperations(t *testing.T) {
	flags, _, _ := describing(t)
	out, err := startertest.Run(t, append(append([]string{"__complete", "call"}, flags...), "")...)
	require.NoError(t, err)
	require.Contains(t, out, "workflow.create\nworkflow.get\n:4\n")
}

func TestCall_PrintsASignedRequestForCurl(t *testing.T) {
	needs.Program(t, "curl", "apt-get install curl")
	flags, called, last := describing(t)
	body := `{"workflow":{"business_id":"b_\"\\ x"}}`
	out, err := startertest.Run(t, append([]string{"call", "workflow.create", body, "--curl", "--idempotency-key", "k"}, flags...)...)
	require.NoError(t, err)
	require.Zero(t, called.Load())
	require.NotContains(t, out, "xBeain5pFnPyQkl98qzA")
	require.Contains(t, out, `header = "Idempotency-Key: k"`)
	command := exec.Command("curl", "--silent", "--show-error", "--config", "-")
	command.Stdin = strings.NewReader(out)
	answer, err := command.CombinedOutput()
	require.NoError(t, err, "%s", answer)
	require.JSONEq(t, startertest.Success(`{}`), string(answer))
	require.Equal(t, body, last.Load())
}
