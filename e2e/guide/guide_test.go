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
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"

	requisite "requisite/clients/go"
	"requisite/e2e/parts"
	"requisite/internal/temporalclient"
)

// block is one fenced block of a guide.
type block struct {
	language string
	line     int
	text     string
}

func blocks(t *testing.T, file string) (found []block) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var open *block
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && open == nil:
			open = &block{language: fence, line: n}
		case isFence:
			found, open = append(found, *open), nil
		case open != nil:
			open.text += line
		}
	}
	return found
}

var (
	fenced = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	inline = regexp.MustCompile("`([^`]+)`")
)

// spans are the inline code of a guide, each on one line.
func spans(t *testing.T, file string) (found []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, m := range inline.FindAllStringSubmatch(fenced.ReplaceAllString(string(data), ""), -1) {
		found = append(found, strings.Join(strings.Fields(m[1]), " "))
	}
	return found
}

const operating = "../../docs/operating.md"

// TestTheGuide tries its recipes one after the other on one stack: what it asks
// Postgres, as the reader's role, and Temporal; how a request's run is found; the
// commands that it names; and at last what it says for when Temporal is lost.
func TestTheGuide(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	s.exec(`CREATE ROLE requisite_read LOGIN PASSWORD 'p'`)
	s.starter("migrate", "--api-role", "requisite_api", "--worker-role", "requisite_worker", "--read-role", "requisite_read")
	for _, recipe := range []struct {
		name string
		try  func(*stack, *testing.T)
	}{
		{"statements", (*stack).tryStatements}, {"filters", (*stack).tryFilters}, {"find by trace", (*stack).tryTrace}, {"revoke", (*stack).tryRevocation},
		{"commands", (*stack).tryCommands}, {"recover", (*stack).tryRecovery}, {"prune", (*stack).tryPruning}, {"retention", (*stack).tryRetention},
		{"rotate the payload keyset", (*stack).tryPayloadRotation},
		{"Temporal is lost", (*stack).tryTheLossOfTemporal}, // the last: its parts end with it
	} {
		t.Run(recipe.name, func(t *testing.T) {
			recipe.try(&stack{Stack: s.Stack, t: t, whole: s.t, key: s.key, secret: s.secret}, t)
		})
	}
}

func (s *stack) tryStatements(t *testing.T) {
	reader, err := url.Parse(s.DatabaseURL)
	require.NoError(t, err)
	reader.User = url.UserPassword("requisite_read", "p")
	conn, err := pgx.Connect(t.Context(), reader.String())
	require.NoError(t, err)
	defer conn.Close(t.Context())
	tried := 0
	for _, b := range blocks(t, operating) {
		if b.language != "sql" {
			continue
		}
		for statement := range strings.SplitSeq(b.text, ";") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			_, err := conn.Exec(t.Context(), statement)
			require.NoError(t, err, "docs/operating.md:%d:%s", b.line, statement)
			tried++
		}
	}
	require.GreaterOrEqual(t, tried, 2)
}

var (
	filter = regexp.MustCompile(`^[A-Z][A-Za-z]+ (=|<|>|IN) `)
)

func (s *stack) tryFilters(t *testing.T) {
	c := s.Temporal(t)
	tried := 0
	var named []string
	for _, span := range spans(t, operating) {
		if filter.MatchString(span) {
			_, err := c.CountWorkflow(t.Context(), &workflowservice.CountWorkflowExecutionsRequest{Query: span})
			require.NoError(t, err, span)
			tried++
		}
		named = append(named, span)
	}
	require.GreaterOrEqual(t, tried, 3)
	for _, a := range temporalclient.SearchAttributes() {
		require.Contains(t, named, a.Name, "a search attribute that the guide does not tell of")
	}
}

func (s *stack) tryTrace(t *testing.T) {
	w := s.Application(t)
	answer := s.Must(s.t, "workflow.requiredDocument.calculate", w, nil)
	c := s.Temporal(t)
	s.Poll(t, "the run is not found by the trace of its request", func(ctx context.Context) (bool, error) {
		found, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("TraceId = %q", answer.Meta.TraceID)})
		return len(found.GetExecutions()) == 1 && strings.Contains(found.Executions[0].Execution.WorkflowId, w.WorkflowID), err
	})
	log, err := os.ReadFile(filepath.Join(s.Dir, "api.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), `"trace_id":"`+answer.Meta.TraceID+`"`)

	// Why it was refused stands in its outcome.
	s.Publish(t, "average_monthly_credit_sales > 1")
	refused := s.Within(t, parts.Bound, "workflow.requiredDocument.calculate", w)
	s.Poll(t, "the refusal is not found", func(ctx context.Context) (bool, error) {
		found, err := c.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
			Query: fmt.Sprintf("TraceId = %q AND ApplicationWorkflowId = %q AND Outcome = %q", refused.Meta.TraceID, w.WorkflowID, refused.Errors[0].Code)})
		return len(found.GetExecutions()) == 1, err
	})
	require.Contains(t, s.starter("explain", w.WorkflowID), "average_monthly_credit_sales")
}

func (s *stack) tryRevocation(t *testing.T) {
	organization := regexp.MustCompile(`org_\w+`).FindString(s.starter("organization", "list"))
	var credential struct {
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
		AuthToken string `json:"auth_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(s.starter("credential", "create", organization, "leaving")), &credential))
	signer, err := requisite.NewSigner(credential.APIKey, credential.SecretKey, credential.AuthToken)
	require.NoError(t, err)
	leaving := &requisite.Client{BaseURL: s.Client.BaseURL, Signer: signer, HTTP: http.DefaultClient}
	body := []byte(`{"account_id":"` + s.AccountID + `"}`)
	before, err := leaving.Send(t.Context(), "account.get", body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, before.HTTPStatus, "%s", before.Body)
	s.starter("credential", "revoke", credential.APIKey)
	after, err := leaving.Send(t.Context(), "account.get", body)
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, after.HTTPStatus, "%s", after.Body)
}

// program is what a command's help tells: its flags, the environment's variables
// and its commands.
type program struct {
	help     string
	flags    map[string]bool
	commands map[string]*program
}

var (
	helpFlag    = regexp.MustCompile(`(?m)^ +(?:-[a-z], )?--([a-z][a-z0-9-]*)`)
	helpCommand = regexp.MustCompile(`(?m)^  ([a-z]+) +\S`)
	anyFlag     = regexp.MustCompile(`--([a-z][a-z0-9-]*)`)
	variable    = regexp.MustCompile(`\b(?:REQUISITE_[A-Z_]+|DATABASE_[A-Z]+)\b`)
	command     = regexp.MustCompile(`(?:^|[ /])starter ((?:[^ ].*)?)$`)
)

// explore reads the help of a program and of all its commands.
func (s *stack) explore(t *testing.T, name string, path ...string) *program {
	out, err := s.Command(nil, name, append(path, "--help")...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, path, out)
	p := &program{help: string(out), flags: map[string]bool{"help": true}, commands: map[string]*program{}}
	_, flags, _ := strings.Cut(p.help, "\nFlags:\n")
	for _, m := range helpFlag.FindAllStringSubmatch(flags, -1) {
		p.flags[m[1]] = true
	}
	_, commands, _ := strings.Cut(p.help, "\nAvailable Commands:\n")
	commands, _, _ = strings.Cut(commands, "\n\n")
	for _, m := range helpCommand.FindAllStringSubmatch(commands, -1) {
		if m[1] != "help" && m[1] != "completion" {
			p.commands[m[1]] = s.explore(t, name, append(path[:len(path):len(path)], m[1])...)
		}
	}
	return p
}

func (p *program) all(collect func(*program)) {
	collect(p)
	for _, c := range p.commands {
		c.all(collect)
	}
}

// tryCommands looks up every command, flag and variable that a guide names.
func (s *stack) tryCommands(t *testing.T) {
	starter, api, worker := s.explore(t, "starter"), s.explore(t, "api"), s.explore(t, "worker")
	flags, help := map[string]bool{}, ""
	for _, p := range []*program{starter, api, worker} {
		p.all(func(p *program) {
			help += p.help
			for f := range p.flags {
				flags[f] = true
			}
		})
	}
	guides, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	decisions, err := filepath.Glob("../../docs/decisions/*.md")
	require.NoError(t, err)
	examined := 0
	for _, guide := range slices.Concat(guides, decisions, []string{"../../README.md"}) {
		var lines []string
		for _, b := range blocks(t, guide) {
			lines = append(lines, strings.Split(b.text, "\n")...)
		}
		for _, span := range spans(t, guide) {
			lines = append(lines, span)
			if strings.HasPrefix(span, "--") {
				require.True(t, flags[anyFlag.FindStringSubmatch(span)[1]], "%s names %s, which is no flag", guide, span)
			}
		}
		for _, line := range lines {
			for _, name := range variable.FindAllString(line, -1) {
				require.True(t, strings.Contains(help, strings.TrimSuffix(name, "_FILE")), "%s names %s, which no help does", guide, name)
			}
			if m := command.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
				starter.requireCommand(t, m[1], guide+": "+line)
				examined++
			}
		}
	}
	require.Greater(t, examined, 50)
}

// requireCommand follows a command line through the commands that there are, and
// looks its flags up.
func (p *program) requireCommand(t *testing.T, line, where string) {
	t.Helper()
	words := strings.Fields(strings.SplitN(strings.NewReplacer(",", " ", "…", " ", "'", " ", `"`, " ").Replace(line), " #", 2)[0])
	for len(words) > 0 && p.commands[words[0]] != nil {
		p, words = p.commands[words[0]], words[1:]
	}
	require.True(t, len(p.commands) == 0 || len(words) == 0 || strings.HasPrefix(words[0], "--"), "%s: there is no command %s", where, line)
	for _, m := range anyFlag.FindAllStringSubmatch(strings.Join(words, " "), -1) {
		require.True(t, p.flags[m[1]], "%s: there is no flag --%s", where, m[1])
	}
}
