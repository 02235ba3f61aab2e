package e2e_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/internal/testkit/needs"
)

// TestExampleApplications_RequireTheExpectedDocuments sends every example application, and
// compares the result with its file.
func TestExampleApplications_RequireTheExpectedDocuments(t *testing.T) {
	files, err := filepath.Glob("../examples/applications/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			var a struct {
				Business  json.RawMessage
				SalesInfo json.RawMessage `json:"sales_info"`
				Persons   []harness.Object
				Expect    struct {
					Documents []string
					Missing   []struct {
						EntityType string `json:"entity_type"`
						Fields     []string
					}
				}
			}
			require.NoError(t, json.Unmarshal(dated(text), &a))
			as := first()
			business := data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": a.Business})["business_id"]
			if a.SalesInfo != nil {
				data(t, as, "business.salesInfo.create", harness.Object{"business_id": business, "sales_info": a.SalesInfo})
			}
			names := map[string]string{}
			for _, p := range a.Persons {
				id := data(t, as, "person.create", harness.Object{"business_id": business, "person": p})["person_id"].(string)
				names[id] = ": " + p["first_name"].(string) + " " + p["last_name"].(string)
			}
			workflow := data(t, as, "workflow.create", harness.Object{"account_id": as.AccountID, "workflow": harness.Object{"business_id": business}})
			call(t, as, "workflow.pricing.calculate", workflow)
			got := call(t, as, "workflow.requiredDocument.calculate", workflow)
			if a.Expect.Missing != nil {
				require.Equal(t, "MISSING_REQUIREMENTS", got.code())
				details := got.error()["details"].([]any)
				require.Len(t, details, len(a.Expect.Missing))
				for i, want := range a.Expect.Missing {
					gap := details[i].(harness.Object)
					require.Equal(t, want.EntityType, gap["entity_type"])
					fields, _ := gap["fields"].([]any)
					require.Len(t, fields, len(want.Fields))
					for i, field := range want.Fields {
						require.Equal(t, field, fields[i])
					}
				}
				return
			}
			require.Equal(t, 200, got.status, "%v", got.body)
			var documents []string
			for _, d := range data(t, as, "workflow.requiredDocument.list", workflow)["required_documents"].([]any) {
				document := d.(harness.Object)
				documents = append(documents, document["document_type_code"].(string)+names[document["entity_id"].(string)])
			}
			require.ElementsMatch(t, a.Expect.Documents, documents)
		})
	}
}

// dated replaces {{months_ago N}} by the same day N months ago, or by the last day of a
// shorter month.
func dated(text []byte) []byte {
	now := time.Now().UTC()
	return regexp.MustCompile(`\{\{months_ago (\d+)\}\}`).ReplaceAllFunc(text, func(token []byte) []byte {
		n, _ := strconv.Atoi(string(token[len("{{months_ago ") : len(token)-2]))
		day := now.Day()
		for {
			date := time.Date(now.Year(), now.Month()-time.Month(n), day, 0, 0, 0, 0, time.UTC)
			if date.Day() == day {
				return []byte(date.Format(time.DateOnly))
			}
			day--
		}
	})
}

// TestLogsAndHistories_ContainNoPersonalData plants names, and searches for them in the logs
// and in the stored histories.
func TestLogsAndHistories_ContainNoPersonalData(t *testing.T) {
	fact := func(name, entity, typ string) harness.Object {
		return harness.Object{"name": name, "entity_type": entity, "type": typ, "label": "l", "ask": "a"}
	}
	publishRules(t, harness.Object{
		"facts": []harness.Object{fact("logged_note", "Business", "TEXT"), fact("logged_number", "Business", "NUMBER"), fact("logged_tags", "Person", "TEXT_LIST"), fact("logged_day", "Workflow", "DATE")},
		"documents": []harness.Object{
			document("PASSPORT", "Person", `person.citizenship != "US" && person.custom.logged_tags.exists(x, x != "none")`),
			document("NOTE", "Business", `custom.logged_note != "none" && custom.logged_number > 1 && custom.logged_day != date("2026-01-01")`),
		},
	})
	as := second()
	codecToken, err := os.ReadFile(filepath.Join(stackDir, "codec-token"))
	require.NoError(t, err)
	planted := []string{strings.TrimSpace(string(codecToken)), "Quillfeather", "Xanthippe", "xanthippe@quillfeather.example", "Plantedplumbing", "planted-external", "plantednote", "plantedtag", "424242.424242", "1983-04-05", "plantedchoice", first().SecretKey, as.SecretKey, as.AuthToken}
	business := data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": harness.Object{"external_id": "planted-external-b", "legal_name": "Plantedplumbing", "custom": harness.Object{"logged_note": "plantednote", "logged_number": 424242.424242}, "email": "xanthippe@quillfeather.example"}})["business_id"]
	data(t, as, "person.create", harness.Object{"business_id": business, "person": harness.Object{"external_id": "planted-external-p", "first_name": "Xanthippe", "last_name": "Quillfeather", "citizenship": "LI", "custom": harness.Object{"logged_tags": []string{"plantedtag"}}, "email": "xanthippe@quillfeather.example"}})
	opening := harness.Object{"account_id": as.AccountID, "workflow": harness.Object{"business_id": business, "custom": harness.Object{"logged_day": "1983-04-05"}, "external_id": "planted-external-w"}}
	workflow := data(t, as, "workflow.create", opening)
	require.Equal(t, 200, call(t, as, "workflow.requiredDocument.calculate", workflow).status)
	require.Equal(t, "SYSTEM_RULE_VIOLATION", call(t, as, "workflow.create", opening).code())
	require.Equal(t, "BAD_REQUEST", call(t, as, "business.update", harness.Object{"business_id": business, "business": harness.Object{"custom": harness.Object{"logged_number": "plantedchoice", "plantednote": 1}}}).code())
	require.Equal(t, "BAD_REQUEST", call(t, as, "person.create", harness.Object{"business_id": business, "person": harness.Object{"first_name": 1, "Xanthippe": "Quillfeather"}}).code())

	query := "ApplicationWorkflowId = '" + workflow["workflow_id"].(string) + "'"
	history := rawHistory(t, query)
	require.NotContains(t, history, `"LI"`, "the facts of a rule are encrypted")
	searched := map[string]string{"the history": history}
	logs, err := filepath.Glob(filepath.Join(stackDir, "logs", "*.log"))
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	for _, log := range logs {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		searched[log] = string(text)
	}
	for source, text := range searched {
		require.NotEmpty(t, text, source)
		for _, secret := range planted {
			require.NotContains(t, text, secret, source)
			require.NotContains(t, text, base64.StdEncoding.EncodeToString([]byte(secret)), source)
		}
	}
}

// TestGaps_ShowAmountsOnlyToTheCaller: a gap has what the sales record to replace holds.
func TestGaps_ShowAmountsOnlyToTheCaller(t *testing.T) {
	publish(t, document("STATEMENTS", "Business", "highest_ticket_sale > 1"))
	as := second()
	business := data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": harness.Object{"legal_name": "Ltd"},
		"sales_info": harness.Object{"sales_amount": []harness.Object{{"type": "AVERAGE_INDIVIDUAL_SALE", "value": 7318273.37, "currency": "USD"}}}})
	workflow := data(t, as, "workflow.create", harness.Object{"account_id": as.AccountID, "workflow": harness.Object{"business_id": business["business_id"]}})
	gap := call(t, as, "workflow.requiredDocument.calculate", workflow).error()["details"].([]any)[0].(harness.Object)
	require.Equal(t, []any{harness.Object{"field": "sales_amount", "value_type": "AMOUNT", "type": "AVERAGE_INDIVIDUAL_SALE", "currency": "USD", "value": 7318273.37,
		"label": "average individual sale", "ask": "The average of a single sale."}}, gap["present"])
	require.Equal(t, []any{business["sales_info_id"], business["business_id"]}, []any{gap["delete_first"], gap["business_id"]})

	history := rawHistory(t, "ApplicationWorkflowId = '"+workflow["workflow_id"].(string)+"'")
	payloads := regexp.MustCompile(`"data": *"([A-Za-z0-9+/=]+)"`).FindAllStringSubmatch(history, -1)
	require.NotEmpty(t, payloads)
	for _, payload := range payloads {
		decoded, err := base64.StdEncoding.DecodeString(payload[1])
		require.NoError(t, err)
		history += string(decoded)
	}
	require.NotContains(t, history, "7318273")
	logs, err := filepath.Glob(filepath.Join(stackDir, "logs", "*.log"))
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	for _, log := range logs {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		require.NotContains(t, string(text), "7318273", log)
	}
}

// rawHistory returns the history of the only run of a query, as Temporal stores it.
func rawHistory(t *testing.T, query string) string {
	t.Helper()
	api := running.TemporalUIURL + "/api/v1/namespaces/" + running.Namespace + "/workflows"
	var list struct {
		Executions []struct {
			Execution struct{ WorkflowID, RunID string }
			Status    string
		}
	}
	await.True(t, "one completed run of "+query, func(context.Context) error { // visibility is written a moment later
		require.NoError(t, json.Unmarshal([]byte(get(t, api+"?query="+url.QueryEscape(query))), &list))
		if len(list.Executions) != 1 || list.Executions[0].Status != "WORKFLOW_EXECUTION_STATUS_COMPLETED" {
			return fmt.Errorf("the runs are %v", list.Executions)
		}
		return nil
	}, up)
	run := list.Executions[0].Execution
	return get(t, api+"/"+url.PathEscape(run.WorkflowID)+"/history?execution.runId="+run.RunID)
}

func get(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, 200, response.StatusCode, "%s", text)
	return string(text)
}

// uiCodec returns the settings of the Temporal UI for the codec endpoint.
func uiCodec(t *testing.T) (settings struct {
	Codec struct {
		Endpoint, DefaultErrorMessage, DefaultErrorLink string
		IncludeCredentials                              bool
	}
}) {
	require.NoError(t, json.Unmarshal([]byte(get(t, running.TemporalUIURL+"/api/v1/settings")), &settings))
	return settings
}

// TestPayloads_OnlyOperatorsCanReadThem decodes the result of a calculation as the Temporal
// UI does, and as a program does.
func TestPayloads_OnlyOperatorsCanReadThem(t *testing.T) {
	publish(t, document("PASSPORT", "Business", ""))
	as := second()
	business := data(t, as, "business.create", harness.Object{"account_id": as.AccountID, "business": harness.Object{"legal_name": "Ltd"}})
	workflow := data(t, as, "workflow.create", harness.Object{"account_id": as.AccountID, "workflow": business})
	require.Equal(t, 200, call(t, as, "workflow.requiredDocument.calculate", workflow).status)
	sealed := result(t, rawHistory(t, "ApplicationWorkflowId = '"+workflow["workflow_id"].(string)+"'"))
	shows := func(text string) bool {
		var decoded struct{ Payloads []struct{ Data []byte } }
		return json.Unmarshal([]byte(text), &decoded) == nil && bytes.Contains(decoded.Payloads[0].Data, []byte(`"added"`))
	}
	require.False(t, shows(sealed))

	codec := uiCodec(t).Codec
	require.True(t, codec.IncludeCredentials, "the UI sends the operator's cookie")
	require.Contains(t, codec.DefaultErrorMessage, running.TemporalUIURL)
	token, err := os.ReadFile(filepath.Join(stackDir, "codec-token"))
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(stackDir, "codec-token"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: jar}
	ask := func(client *http.Client, address, contentType, origin, authorization, body string) (int, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Origin", origin)
		request.Header.Set("Content-Type", contentType)
		request.Header.Set("Authorization", authorization)
		response, err := client.Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(text)
	}
	decode := func(client *http.Client, origin, authorization string) int {
		status, text := ask(client, codec.Endpoint+"/decode?preserveStorageRefs=true", "application/json", origin, authorization, sealed)
		require.Equal(t, status == 200, shows(text), "%s", text)
		return status
	}
	bearer := "Bearer " + strings.TrimSpace(string(token))
	require.Equal(t, 401, decode(browser, running.TemporalUIURL, ""))
	require.Equal(t, 401, decode(browser, "", "Bearer wrong"))
	require.Equal(t, 200, decode(http.DefaultClient, "", bearer))
	require.Equal(t, 403, decode(http.DefaultClient, "https://elsewhere.example", bearer))

	link, err := url.Parse(codec.DefaultErrorLink)
	require.NoError(t, err)
	status, _ := ask(browser, codec.DefaultErrorLink, "application/x-www-form-urlencoded", "http://"+link.Host, "", url.Values{"token": {string(token)}}.Encode())
	require.Equal(t, 200, status)
	require.Equal(t, 200, decode(browser, running.TemporalUIURL, ""))
	require.Equal(t, 403, decode(browser, "https://elsewhere.example", ""))
}

// result returns the result of a run from its history.
func result(t *testing.T, history string) string {
	t.Helper()
	var content struct {
		History struct {
			Events []struct {
				WorkflowExecutionCompletedEventAttributes struct{ Result json.RawMessage }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(history), &content))
	last := content.History.Events[len(content.History.Events)-1].WorkflowExecutionCompletedEventAttributes.Result
	require.NotEmpty(t, last)
	return string(last)
}

// execution is a run in a list of the Temporal UI.
type execution struct {
	Execution struct{ WorkflowID, RunID string }
	Type      struct{ Name string }
	Status    string
}

// listed returns the runs of a query from the Temporal UI.
func listed(t *testing.T, query string) []execution {
	var list struct{ Executions []execution }
	address := running.TemporalUIURL + "/api/v1/namespaces/" + running.Namespace + "/workflows?query=" + url.QueryEscape(query)
	require.NoError(t, json.Unmarshal([]byte(get(t, address)), &list))
	return list.Executions
}

// awaitListed waits until a query finds atLeast runs.
func awaitListed(t *testing.T, query string, atLeast int) (runs []execution) {
	t.Helper()
	await.True(t, "runs of "+query, func(context.Context) error { // visibility is written a moment later
		if runs = listed(t, query); len(runs) < atLeast {
			return fmt.Errorf("%d of %d", len(runs), atLeast)
		}
		return nil
	}, up)
	return runs
}

// awaitUp waits until `starter up` has printed its last line.
func awaitUp(t *testing.T) {
	t.Helper()
	await.True(t, "the last line of starter up", func(context.Context) error {
		if text := said.text(); !strings.Contains(text, "Ctrl-C stops everything.") {
			return fmt.Errorf("it has printed %q", text)
		}
		return nil
	}, up)
}

// TestUp_PrintsCommandsThatWork runs the three commands as they are printed. listen would not
// end.
func TestUp_PrintsCommandsThatWork(t *testing.T) {
	needs.Program(t, "curl", "apt-get install curl")
	awaitUp(t)
	commands := regexp.MustCompile(`(?m)^      (go run \./starter (?:call|listen) .*)$`).FindAllStringSubmatch(said.text(), -1)
	require.Len(t, commands, 3)
	run := func(line string) string {
		command := exec.CommandContext(await.Context(t), "bash", "-euo", "pipefail", "-c", line)
		command.Dir = ".."
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, out)
		return string(out)
	}
	require.Contains(t, run(commands[0][1]), running.Accounts[0].AccountID)
	require.Contains(t, run(commands[1][1]), `"workflows":[`)
	require.Contains(t, run(commands[2][1]+" --for 1s"), "Listening for the webhooks of "+running.Accounts[0].AccountID)

	starter := `go run ./starter call --stack "` + filepath.Join(stackDir, "stack.json") + `"`
	require.Contains(t, run(starter+" workflow.create --help"), "business_id (string, required)")
	refused := run(starter + ` workflow.create '{"account_id":"` + running.Accounts[0].AccountID + `","workflow":{"businessid":"x"}}' 2>&1 || true`)
	require.Contains(t, refused, `"field": "workflow.business_id"`)
	require.Contains(t, refused, `"field": "workflow.businessid"`)

	var operator strings.Builder
	for _, export := range regexp.MustCompile(`(?m)^      (export .*)$`).FindAllStringSubmatch(said.text(), -1) {
		operator.WriteString(export[1] + "\n")
	}
	account := running.Accounts[0].AccountID
	require.Contains(t, run(operator.String()+`go run ./starter call account.get '{"account_id":"`+account+`"}' --as-operator `+account), `"outcome":"SUCCESS"`)

	status := regexp.MustCompile(`(?m)^      (go run \./starter status.*)$`).FindStringSubmatch(said.text())
	require.Len(t, status, 2)
	require.Contains(t, said.text(), "shows runs as WRONG: the demonstration left demonstration/fails-on-purpose.")
	await.True(t, "status to show the run that fails on purpose", func(context.Context) error { // visibility is written a moment later
		found := run(operator.String() + status[1] + " || true")
		for _, line := range []string{`(?m)^OK +program http`, `(?m)^WRONG +runs .* demonstration/fails-on-purpose `} {
			if !regexp.MustCompile(line).MatchString(found) {
				return fmt.Errorf("no line matches %s:\n%s", line, found)
			}
		}
		return nil
	}, up)
}

// TestRefusal_IsACompletedRunInTheTemporalUI: the runs with missing facts are COMPLETED and
// not among the failed ones. The guide's query finds all refused runs, and no other.
func TestRefusal_IsACompletedRunInTheTemporalUI(t *testing.T) {
	guide, err := os.ReadFile("../docs/operating/runs.md")
	require.NoError(t, err)
	query := regexp.MustCompile("(?m)^\\| refused runs \\| `(.+)` \\|$").FindSubmatch(guide)
	require.Len(t, query, 2)
	awaitUp(t)
	await.True(t, "the query to find the refused runs of the demonstration", func(context.Context) error {
		found := listed(t, string(query[1])) // and those of other tests
		refused, done := listed(t, `Outcome = "MISSING_REQUIREMENTS" AND ExecutionStatus = "Completed"`), listed(t, `Outcome IN ("CALCULATED", "PRICED", "KEY_CREATED", "KEY_ACTIVATED")`)
		in := func(e execution) bool { return slices.Contains(found, e) }
		if len(refused) == 0 || len(done) == 0 || slices.ContainsFunc(refused, func(e execution) bool { return !in(e) }) || slices.ContainsFunc(done, in) {
			return fmt.Errorf("it finds %v; %v are refused, and %v are not", found, refused, done)
		}
		return nil
	}, up)
	require.Empty(t, listed(t, `(ExecutionStatus IN ("Failed", "TimedOut") OR (ExecutionStatus = "Terminated" AND TaskQueue NOT IN ("endpoints", "upkeep"))) AND WorkflowId != "demonstration/fails-on-purpose"`))
}

// TestUp_PrintsLinksToLists opens each link, and finds the records of the demonstration.
func TestUp_PrintsLinksToLists(t *testing.T) {
	awaitUp(t)
	links := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^  (\S.*?) {2,}(http://\S+/workflows\?query=\S+)$`).FindAllStringSubmatch(said.text(), -1) {
		links[found[1]] = found[2]
	}
	require.Len(t, links, 4)
	query := func(name string) string {
		u, err := url.Parse(links[name])
		require.NoError(t, err)
		require.Equal(t, running.TemporalUIURL+"/namespaces/"+running.Namespace+"/workflows", strings.TrimSuffix(links[name], "?"+u.RawQuery))
		return u.Query().Get("query")
	}
	for _, gap := range awaitListed(t, query("Gaps today"), 1) {
		require.Equal(t, "WORKFLOW_EXECUTION_STATUS_COMPLETED", gap.Status)
	}
	faults := awaitListed(t, query("Faults"), 1)
	require.Len(t, faults, 1)
	require.Equal(t, "demonstration/fails-on-purpose", faults[0].Execution.WorkflowID)
	require.Equal(t, "WORKFLOW_EXECUTION_STATUS_FAILED", faults[0].Status)
	names := map[string]bool{}
	for _, run := range awaitListed(t, query("This application"), 2) {
		names[run.Type.Name] = true
	}
	require.Equal(t, map[string]bool{"CalculateRequiredDocuments": true, "CalculatePricing": true}, names)
	for _, run := range awaitListed(t, query("Endpoints in trouble"), 1) {
		require.Equal(t, "RetryEndpoint", run.Type.Name)
		require.True(t, strings.HasPrefix(run.Execution.WorkflowID, "whc_"))
	}
}

// TestUp_NumbersItsSteps from 1 to the printed total.
func TestUp_NumbersItsSteps(t *testing.T) {
	awaitUp(t)
	steps := regexp.MustCompile(`(?m)^\[\d+/\d+\]`).FindAllString(said.text(), -1)
	require.NotEmpty(t, steps)
	for i, step := range steps {
		require.Equal(t, fmt.Sprintf("[%d/%d]", i+1, len(steps)), step)
	}
}

// TestUp_ServesMetrics at the addresses that it prints.
func TestUp_ServesMetrics(t *testing.T) {
	awaitUp(t)
	for program, metric := range map[string]string{"api": "requisite_http_requests_total{", "worker": "requisite_webhook_attempts_total{"} {
		require.Contains(t, said.text(), "http://"+running.Metrics[program]+"/metrics of the "+program)
		var text string
		await.True(t, "a healthy "+program, func(context.Context) error { // a check that takes long counts as a failure
			if text = get(t, "http://"+running.Metrics[program]+"/metrics"); !strings.Contains(text, "\nrequisite_healthy 1\n") {
				return errors.New(text)
			}
			return nil
		}, up)
		require.Contains(t, text, "\n"+metric)
		require.Contains(t, text, "\nrequisite_build_info{")
		if program == "api" {
			require.Contains(t, text, "\nrequisite_http_requests_total{operation=\"webhook.event.replay\",status=\"500\"} 0\n", "a counter exists with 0 before the first error, so that its increase is visible")
		}
	}
}
