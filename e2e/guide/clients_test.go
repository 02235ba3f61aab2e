//go:build deep

package guide_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// step is a step of the scenario. A text $name in a request stands for the value that was
// saved under the name.
type step struct {
	// A step does one of these: call an operation, read all pages of a list and count the
	// elements, or wait until events of all given types have arrived.
	Call  string `json:"call,omitempty"`
	All   string `json:"all,omitempty"`
	Await any    `json:"await,omitempty"`

	Request map[string]any    `json:"request"`
	Save    map[string]string `json:"save,omitempty"`   // name: path in data, with dots
	Secret  bool              `json:"secret,omitempty"` // give data's shared_secret to the receiver
	Count   int               `json:"count,omitempty"`  // elements of all pages
	Refused *refused          `json:"refused,omitempty"`

	SandboxAnswer string `json:"sandbox_answer,omitempty"` // the answer that the client asks for
	SandboxToday  string `json:"sandbox_today,omitempty"`  // the day that the client names
	Lost          string `json:"lost,omitempty"`           // the client returns SecretLost, whose key is saved under this name
	Warns         string `json:"warns,omitempty"`          // the code of the only warning

	// EachEventType stands for one step per event type. The test expands it.
	EachEventType bool `json:"each_event_type,omitempty"`
}

// refused is the refusal that a client must return.
type refused struct {
	Code    string `json:"code"`
	SubCode string `json:"sub_code,omitempty"`
	Field   string `json:"field,omitempty"` // of a problem of BAD_REQUEST
	Gaps    int    `json:"gaps,omitempty"`  // of MISSING_REQUIREMENTS
}

// description is the part of /openapi.json that the scenario depends on.
type description struct {
	Paths      map[string]any `json:"paths"`
	Components struct {
		Schemas map[string]struct {
			Enum       []string `json:"enum"`
			Properties map[string]struct {
				Items struct {
					Ref  string   `json:"$ref"`
					Enum []string `json:"enum"`
				} `json:"items"`
			} `json:"properties"`
		} `json:"schemas"`
	} `json:"components"`
}

type suite struct {
	*harness.Stack
	root       string
	operations []string
	eventTypes []string
}

func (d description) eventTypes() []string {
	types := d.Components.Schemas["ConfigCreateRequestConfig"].Properties["event_types"].Items
	if named, ok := strings.CutPrefix(types.Ref, "#/components/schemas/"); ok {
		return d.Components.Schemas[named].Enum
	}
	return types.Enum
}

// happened returns the types of events that occur during the scenario.
func (s *suite) happened() []string {
	return slices.DeleteFunc(slices.Clone(s.eventTypes), func(t string) bool { return t == "WEBHOOK_TEST" })
}

// tests returns the clients' names of the test events of all types.
func (s *suite) tests() (list []string) {
	for _, t := range s.eventTypes {
		list = append(list, t+" as a test")
	}
	return list
}

// scenario returns the file with the steps for the clients, with all event types.
func (s *suite) scenario(t *testing.T, accountID string) string {
	text, err := os.ReadFile("scenario.json")
	require.NoError(t, err)
	var written, steps []step
	require.NoError(t, json.Unmarshal(text, &written))
	for _, one := range written {
		if !one.EachEventType {
			steps = append(steps, one)
			continue
		}
		for _, eventType := range s.eventTypes {
			each := one
			each.EachEventType = false
			each.Request = maps.Clone(one.Request)
			each.Request["event_type"] = eventType
			steps = append(steps, each)
		}
	}
	file := struct {
		Variables map[string]any `json:"variables"`
		Steps     []step         `json:"steps"`
	}{map[string]any{
		"account_id": accountID, "event_types": s.eventTypes, "happened": s.happened(), "tests": s.tests(), "rules": scenarioRules,
		"reminder_on": later(360), "renewal_on": later(400), "overdue_on": later(420),
	}, steps}
	text, err = json.Marshal(file)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "scenario.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

// later is the day that comes so many days after today.
func later(days int) string { return time.Now().AddDate(0, 0, days).Format(time.DateOnly) }

var scenarioRules = map[string]any{"documents": []any{
	map[string]any{"document_type_code": "LICENSE", "name": "License", "category": "LEGAL", "requirement_text": "The license.", "entity_type": "Business",
		"renew_after": "1 year", "remind_before": "10 days", "due_within": "10 days",
		"when": `average_monthly_credit_sales > 50000 && industry_category_code.exists(c, c == "7995") && evaluation_score >= 500`},
	map[string]any{"document_type_code": "PASSPORT", "name": "Passport", "category": "IDENTITY", "requirement_text": "A passport.", "entity_type": "Person",
		"renew_after": "1 year", "remind_before": "10 days", "due_within": "10 days",
		"when": `person.citizenship != "US"`},
}, "findings": []any{
	map[string]any{"finding_code": "HIGH_VOLUME", "kind": "REVIEW", "name": "High volume", "message": "Look at the volume.", "entity_type": "Business", "when": `average_monthly_credit_sales > 50000`},
}}

// TestClients_PlayTheScenario: each client calls every operation of the API and receives
// every type of event.
func TestClients_PlayTheScenario(t *testing.T) {
	root, err := filepath.Abs("../../clients")
	require.NoError(t, err)
	s := &suite{Stack: harness.Shared(t), root: root}
	response, err := http.Get(s.Client.BaseURL + "/openapi.json")
	require.NoError(t, err)
	defer response.Body.Close()
	var d description
	require.NoError(t, json.NewDecoder(response.Body).Decode(&d))
	for path := range d.Paths {
		if path != "/account.documentRules.proposal.approve" { // a client cannot approve what it has proposed
			s.operations = append(s.operations, strings.TrimPrefix(path, "/"))
		}
	}
	slices.Sort(s.operations)
	s.eventTypes = d.eventTypes()
	require.NotEmpty(t, s.eventTypes)
	for _, c := range []struct {
		language string
		command  func(*testing.T) *exec.Cmd
	}{
		{"go", s.golang}, {"typescript", s.typescript}, {"python", s.python}, {"python-asyncio", s.pythonAsyncio},
	} {
		t.Run(c.language, func(t *testing.T) { s.play(t, c.language, c.command(t)) })
	}
}

// play runs the scenario with one client, and requires every operation and every type of
// event.
func (s *suite) play(t *testing.T, language string, command *exec.Cmd) {
	credential, accountID := s.Credential(t, language)
	pricing := filepath.Join(t.TempDir(), "pricing.yaml")
	require.NoError(t, os.WriteFile(pricing, []byte("base: 500\nrules:\n  - name: old\n    when: business_age_years >= 5\n    points: 100\n"), 0o644))
	out, err := s.Starter("pricing", "publish", pricing, "--account", accountID).CombinedOutput()
	require.NoError(t, err, "%s", out)

	summary := filepath.Join(t.TempDir(), "summary.json")
	command.Env = append(append(os.Environ(), command.Env...),
		"REQUISITE_BASE_URL="+s.Client.BaseURL, "REQUISITE_API_KEY="+credential.APIKey,
		"REQUISITE_SECRET_KEY="+credential.SecretKey, "REQUISITE_AUTH_TOKEN="+credential.AuthToken,
		"REQUISITE_SCENARIO="+s.scenario(t, accountID), "REQUISITE_SUMMARY="+summary)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	require.NoError(t, command.Start())
	defer context.AfterFunc(await.Context(t), func() { _ = command.Process.Kill() })()
	require.NoError(t, command.Wait(), "%s", &said)

	text, err := os.ReadFile(summary)
	require.NoError(t, err, "%s", &said)
	var did struct {
		Operations []string `json:"operations"` // those that succeeded
		Events     []string `json:"events"`
	}
	require.NoError(t, json.Unmarshal(text, &did))
	slices.Sort(did.Operations)
	require.Equal(t, s.operations, slices.Compact(did.Operations), "every operation of the API is a step of scenario.json")
	require.Subset(t, did.Events, append(s.happened(), s.tests()...))
}

func (s *suite) golang(t *testing.T) *exec.Cmd {
	// `go run` would start the program as a child, and signals would not reach it.
	program := filepath.Join(t.TempDir(), "scenario")
	out, err := exec.Command("go", "build", "-o", program, "./scenario").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return exec.Command(program)
}

func (s *suite) typescript(t *testing.T) *exec.Cmd {
	dir := filepath.Join(s.root, "typescript")
	node := needs.Program(t, "node", "install Node.js 22 or newer")
	needs.File(t, filepath.Join(dir, "node_modules", "typescript"), "npm ci --ignore-scripts --prefix clients/typescript")
	build := exec.Command(node, "node_modules/typescript/bin/tsc", "-p", "tsconfig.test.json")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	command := exec.Command(node, "build/test/scenario.js")
	command.Dir = dir
	return command
}

func (s *suite) python(t *testing.T) *exec.Cmd {
	command := exec.Command(pythonOfTheClient(t), "tests/scenario.py")
	command.Dir = filepath.Join(s.root, "python")
	return command
}

func (s *suite) pythonAsyncio(t *testing.T) *exec.Cmd {
	command := s.python(t)
	command.Env = []string{"REQUISITE_ASYNCIO=1"}
	return command
}

// pythonOfTheClient is an interpreter that can run the client.
func pythonOfTheClient(t *testing.T) string {
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import cryptography, httpx, sys; assert sys.version_info >= (3, 11)").Run() == nil {
			return program
		}
	}
	needs.Lacking(t, "no python3 of 3.11 or newer has cryptography and httpx: apt-get install python3-cryptography python3-httpx, or pip install cryptography httpx")
	return ""
}
