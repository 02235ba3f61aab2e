//go:build deep

package guide_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/e2e/harness"
	"requisite/internal/testkit/needs"
)

// What the programs of the guide are asked to fill in, by sales amount type or field. None of it
// is in the examples.
var filledIn = harness.Object{
	"AVERAGE_INDIVIDUAL_SALE": 17.25, "AVERAGE_MONTHLY_CREDIT_SALES": 1234.5, "AVERAGE_YEARLY_CREDIT_SALES": 12345.67, "HIGHEST_TICKET_SALE": 98.76,
	"established_date": "2003-02-01", "industry_category_code": []string{"5462"}, "first_name": "Ida", "last_name": "Filled",
	"citizenship": "CH", "ownership_percentage": 12.5, "address.country": "CH",
}

// declaredRules declare a fact of each type and entity, which the programs fill by type and choices.
const declaredRules = "testdata/declared-facts.yaml"

// fillTask is what a program gets: workflows, and how many persons each business has.
type fillTask struct {
	BaseURL    string             `json:"base_url"`
	Credential harness.Credential `json:"credential"`
	Values     harness.Object     `json:"values"`
	Workflows  []fillWorkflow     `json:"workflows"`

	client     *requisite.Client
	businesses []string            // in the order of Workflows
	before     []map[string]string // what is on file of each, by path
}

type fillWorkflow struct {
	WorkflowID string `json:"workflow_id"`
	Persons    int    `json:"persons"`
}

const fillInTypeScript = `
import { readFileSync } from "node:fs";
import { Client } from "requisite-client";
import { decide } from "./guide.js";
const task = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const { api_key, secret_key, auth_token } = task.credential;
const client = new Client({ baseUrl: task.base_url, apiKey: api_key, secretKey: secret_key, authToken: auth_token });
for (const { workflow_id, persons } of task.workflows) {
  const { decisionId, decisionDigest, documents } = await decide(client, workflow_id, { persons, answers: () => task.values });
  if (!decisionId?.startsWith("dec_") || decisionDigest?.length !== 64 || !Array.isArray(documents)) throw new Error("no decision");
}
`

const fillInPython = `
import json, sys, types
import guide, requisite
task = json.load(open(sys.argv[1]))
client = requisite.Client(task["base_url"], task["credential"]["api_key"], task["credential"]["secret_key"], task["credential"]["auth_token"])
for w in task["workflows"]:
    form = types.SimpleNamespace(persons=w["persons"], answers=lambda gap, person: task["values"])
    decision_id, digest, documents = guide.decide(client, w["workflow_id"], form)
    assert decision_id.startswith("dec_") and len(digest) == 64 and isinstance(documents, list)
`

const fillInGo = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	requisite "requisite/clients/go"
)

func main() {
	var task struct {
		BaseURL    string            ` + "`json:\"base_url\"`" + `
		Credential map[string]any ` + "`json:\"credential\"`" + `
		Values     map[string]any    ` + "`json:\"values\"`" + `
		Workflows  []struct {
			WorkflowID string ` + "`json:\"workflow_id\"`" + `
			Persons    int    ` + "`json:\"persons\"`" + `
		} ` + "`json:\"workflows\"`" + `
	}
	text, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(text, &task)
	}
	if err != nil {
		log.Fatal(err)
	}
	of := func(name string) string { return task.Credential[name].(string) }
	client, err := requisite.New(task.BaseURL, of("api_key"), of("secret_key"), of("auth_token"))
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range task.Workflows {
		decided, err := Decide(context.Background(), client, w.WorkflowID, w.Persons, func(requisite.Gap, int) map[string]any { return task.Values })
		if err != nil || len(decided.DecisionDigest) != 64 {
			log.Fatal(decided, err)
		}
	}
}

`

// TestGuide_ProgramsFillAllGapsAndLoseNothing runs the programs of the guide for callers, for the
// shipped rules and applications. The applications are complete, have holes, or lack nearly all.
func TestGuide_ProgramsFillAllGapsAndLoseNothing(t *testing.T) {
	s := harness.Shared(t)
	for _, c := range []struct {
		language string
		command  func(t *testing.T, main, program string) []string
		main     string
	}{{"ts", typeScriptOfTheGuide, fillInTypeScript}, {"python", pythonOfTheGuide, fillInPython}, {"go", goOfTheGuide, fillInGo}} {
		t.Run(c.language, func(t *testing.T) {
			command := c.command(t, c.main, guideProgram(t, c.language))
			for _, rules := range []string{"us-card-acquirer", "eu-payment-facilitator", "small-seller-marketplace", declaredRules} {
				task := newFillTask(t, s, c.language, rules)
				text, err := json.Marshal(task)
				require.NoError(t, err)
				file := filepath.Join(t.TempDir(), "task.json")
				require.NoError(t, os.WriteFile(file, text, 0o600))
				out, err := exec.CommandContext(t.Context(), command[0], append(command[1:len(command):len(command)], file)...).CombinedOutput()
				require.NoError(t, err, "%s: %s", rules, out)
				for i, w := range task.Workflows {
					after := task.onFile(t, task.businesses[i])
					require.Subset(t, after, task.before[i], "%s: something is lost", rules)
					_, err := harness.Call(t.Context(), task.client, "workflow.requiredDocument.calculate", harness.Object{"workflow_id": w.WorkflowID}, nil)
					require.NoError(t, err)
				}
			}
		})
	}
}

func newFillTask(t *testing.T, s *harness.Stack, language, rules string) *fillTask {
	credential, accountID := s.Credential(t, language+" "+rules)
	client, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	published := map[string]string{"rules": rules, "pricing": rules}
	if rules == declaredRules {
		published["pricing"] = "us-card-acquirer"
	}
	for _, kind := range []string{"rules", "pricing"} {
		file := filepath.Join("../../examples", kind, published[kind]+".yaml")
		if published[kind] == declaredRules {
			file = declaredRules
		}
		file, err := filepath.Abs(file)
		require.NoError(t, err)
		out, err := publishing(s, kind, file, accountID).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	task := &fillTask{BaseURL: s.Client.BaseURL, Credential: credential, Values: maps.Clone(filledIn), client: client}
	facts, err := client.AccountFactList(t.Context(), requisite.FactListRequest{AccountID: accountID})
	require.NoError(t, err)
	for _, declared := range facts.Data.Facts {
		name := "custom." + *declared.Name
		task.Values[name] = map[string]any{"BOOLEAN": true, "NUMBER": 1.5, "AMOUNT": 10.25, "DATE": "2020-02-03", "TEXT": "x", "TEXT_LIST": []string{}}[declared.Type]
		if len(declared.Choices) > 0 && declared.Type == "TEXT_LIST" {
			task.Values[name] = declared.Choices[:1]
		} else if len(declared.Choices) > 0 {
			task.Values[name] = declared.Choices[0]
		}
	}
	files, err := filepath.Glob("../../examples/applications/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	if rules != "us-card-acquirer" { // the applications belong to that one
		files = files[:2]
	}
	gaps := map[string]bool{}
	for _, file := range files {
		for _, application := range applications(t, file) {
			if rules != "us-card-acquirer" {
				withoutCustom(application)
			}
			application["account_id"] = accountID
			var business, workflow harness.Object
			_, err := harness.Call(t.Context(), client, "business.create", application, &business)
			require.NoError(t, err, file)
			id := business["business_id"].(string)
			_, err = harness.Call(t.Context(), client, "workflow.create", harness.Object{"account_id": accountID, "workflow": harness.Object{"business_id": id}}, &workflow)
			require.NoError(t, err)
			task.Workflows = append(task.Workflows, fillWorkflow{workflow["workflow_id"].(string), len(task.Workflows) % 4})
			task.businesses, task.before = append(task.businesses, id), append(task.before, task.onFile(t, id))

			var refused requisite.Error
			_, err = harness.Call(t.Context(), client, "workflow.requiredDocument.calculate", workflow, nil)
			require.ErrorAs(t, err, &refused)
			for _, gap := range refused.Gaps() {
				for _, one := range append(gap.PricingMissing, gap) {
					gaps[fmt.Sprint(one.EntityType, " delete ", one.DeleteFirst != nil, " create ", one.BusinessID != nil)] = true
				}
			}
		}
	}
	require.Subset(t, gaps, map[string]bool{
		"Workflow delete false create false": true, "Business delete false create false": true, "BusinessSalesInfo delete true create true": true,
		"BusinessSalesInfo delete false create true": true, "Person delete false create true": true, "Person delete false create false": true,
	})
	return task
}

var monthsAgo = regexp.MustCompile(`\{\{months_ago (\d+)\}\}`)

// applications are requests of business.create: an example as it is, one with holes, and one with
// nearly nothing on file.
func applications(t *testing.T, file string) []harness.Object {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	text = monthsAgo.ReplaceAllFunc(text, func(token []byte) []byte {
		n, err := strconv.Atoi(string(monthsAgo.FindSubmatch(token)[1]))
		require.NoError(t, err)
		return []byte(time.Now().UTC().AddDate(0, -n, -7).Format(time.DateOnly))
	})
	read := func() harness.Object {
		var whole harness.Object
		require.NoError(t, json.Unmarshal(text, &whole))
		return harness.Object{"business": whole["business"], "sales_info": whole["sales_info"], "persons": whole["persons"]}
	}
	whole, holes := read(), read()
	for _, a := range []harness.Object{whole, holes} {
		maps.DeleteFunc(a, func(_ string, value any) bool { return value == nil })
	}
	delete(holes["business"].(harness.Object), "established_date")
	if sales, ok := holes["sales_info"].(harness.Object); ok {
		sales["sales_amount"] = sales["sales_amount"].([]any)[:1]
	}
	if persons, _ := holes["persons"].([]any); len(persons) > 0 {
		delete(persons[0].(harness.Object), "citizenship")
	}
	return []harness.Object{whole, holes, {"business": harness.Object{"legal_name": "Nearly nothing Ltd"}}}
}

// withoutCustom leaves out the facts that another account has declared.
func withoutCustom(application harness.Object) {
	delete(application["business"].(harness.Object), "custom")
	persons, _ := application["persons"].([]any)
	for _, person := range persons {
		delete(person.(harness.Object), "custom")
	}
}

// onFile are all values of a business, of its sales info and of its persons, by path. What the
// service itself sets is not among them.
func (f *fillTask) onFile(t *testing.T, businessID string) map[string]string {
	values := map[string]string{}
	var add func(path string, value any)
	add = func(path string, value any) {
		switch value := value.(type) {
		case harness.Object:
			for name, one := range value {
				add(path+"."+name, one)
			}
		case []any:
			for i, one := range value {
				add(path+"."+strconv.Itoa(i), one)
			}
		case nil:
		default:
			values[path] = fmt.Sprint(value)
		}
	}
	var business harness.Object
	_, err := harness.Call(t.Context(), f.client, "business.get", harness.Object{"business_id": businessID}, &business)
	require.NoError(t, err)
	if sales, ok := business["sales_info"].(harness.Object); ok {
		for _, amount := range sales["sales_amount"].([]any) {
			amount := amount.(harness.Object)
			add("sales."+amount["type"].(string), amount)
		}
	}
	for _, person := range business["person_ids"].([]any) {
		var found harness.Object
		_, err := harness.Call(t.Context(), f.client, "person.get", harness.Object{"person_id": person}, &found)
		require.NoError(t, err)
		delete(found, "updated_at")
		add(person.(string), found)
	}
	for _, name := range []string{"sales_info", "person_ids", "updated_at", "no_persons_attested"} {
		delete(business, name)
	}
	add("business", business)
	return values
}

// guideProgram is the program in the guide for callers in a language.
func guideProgram(t *testing.T, language string) string {
	for _, b := range blocks(t, "../../docs/calling.md") {
		if b.language == language && strings.Contains(strings.ToLower(strings.ReplaceAll(b.text, "_", "")), "fillgaps(") {
			return b.text
		}
	}
	require.Fail(t, "the guide has no program that fills gaps", language)
	return ""
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
}

// typeScriptOfTheGuide compiles the client and the program, with types checked.
func typeScriptOfTheGuide(t *testing.T, main, program string) []string {
	client, err := filepath.Abs("../../clients/typescript")
	require.NoError(t, err)
	node := needs.Program(t, "node", "install Node.js 22 or newer")
	modules := filepath.Join(client, "node_modules")
	needs.File(t, filepath.Join(modules, "typescript"), "npm ci --ignore-scripts --prefix clients/typescript")
	dir := t.TempDir()
	installed := filepath.Join(dir, "node_modules", "requisite-client")
	require.NoError(t, os.MkdirAll(installed, 0o700))
	require.NoError(t, os.Symlink(filepath.Join(modules, "@types"), filepath.Join(dir, "node_modules", "@types")))
	described, err := os.ReadFile(filepath.Join(client, "package.json"))
	require.NoError(t, err)
	writeFiles(t, installed, map[string]string{"package.json": string(described)})
	writeFiles(t, dir, map[string]string{"package.json": `{"type":"module"}`, "guide.ts": program, "main.ts": main})
	compile := func(in string, args ...string) {
		command := exec.CommandContext(t.Context(), node, append([]string{filepath.Join(modules, "typescript", "bin", "tsc")}, args...)...)
		command.Dir = in
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	compile(client, "-p", "tsconfig.json", "--outDir", filepath.Join(installed, "dist", "esm"))
	compile(dir, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "main.ts", "guide.ts")
	return []string{node, filepath.Join(dir, "main.js")}
}

func pythonOfTheGuide(t *testing.T, main, program string) []string {
	python := pythonOfTheClient(t)
	client, err := filepath.Abs("../../clients/python")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(client, "requisite"), filepath.Join(dir, "requisite")))
	writeFiles(t, dir, map[string]string{"guide.py": program, "main.py": main})
	return []string{python, "-B", filepath.Join(dir, "main.py")}
}

func goOfTheGuide(t *testing.T, main, program string) []string {
	client, err := filepath.Abs("../../clients/go")
	require.NoError(t, err)
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"go.mod":  "module guide\n\ngo 1.24\n\nrequire requisite/clients/go v0.0.0\n\nreplace requisite/clients/go => " + client + "\n",
		"main.go": main + program,
	})
	built := filepath.Join(dir, "guide")
	command := exec.CommandContext(t.Context(), "go", "build", "-o", built, ".")
	command.Dir = dir
	command.Env = append(os.Environ(), "GOFLAGS=")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return []string{built}
}
