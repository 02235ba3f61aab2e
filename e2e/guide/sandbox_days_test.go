//go:build deep

package guide_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
)

const (
	yearInTypeScript = `
import { Client } from "requisite-client";
import { year } from "./guide.js";
const env = (name: string) => process.env["REQUISITE_" + name]!;
const client = new Client({ baseUrl: env("BASE_URL"), apiKey: env("API_KEY"), secretKey: env("SECRET_KEY"), authToken: env("AUTH_TOKEN") });
console.log(JSON.stringify(await year(client, process.env["WORKFLOW"]!)));
`
	yearInPython = `
import json, os
import guide, requisite
client = requisite.Client(*(os.environ["REQUISITE_" + name] for name in ("BASE_URL", "API_KEY", "SECRET_KEY", "AUTH_TOKEN")))
print(json.dumps(guide.year(client, os.environ["WORKFLOW"])))
`
	yearInGo = `package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	requisite "requisite/clients/go"
)

func main() {
	env := func(name string) string { return os.Getenv("REQUISITE_" + name) }
	client, err := requisite.New(env("BASE_URL"), env("API_KEY"), env("SECRET_KEY"), env("AUTH_TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	brought, err := Year(context.Background(), client, os.Getenv("WORKFLOW"))
	if err != nil {
		log.Fatal(err)
	}
	_ = json.NewEncoder(os.Stdout).Encode(brought)
}

`
)

// TestSandboxDays_RunsAsWritten runs the commands and the programs of the guide, each for a workflow of its own.
func TestSandboxDays_RunsAsWritten(t *testing.T) {
	const guide = "../../docs/sandbox-days.md"
	s := harness.Shared(t)
	credential, accountID := s.Credential(t, "days")
	client, err := credential.Client(s.Client.BaseURL)
	require.NoError(t, err)
	dir, script := t.TempDir(), ""
	programs := map[string]string{}
	for _, b := range blocks(t, guide) {
		switch kind, file, isFile := strings.Cut(b.language, " "); {
		case isFile:
			writeFiles(t, dir, map[string]string{file: b.text})
		case kind == "sh":
			script += b.text
		default:
			programs[kind] = b.text
		}
	}
	shell := func(*testing.T, string, string) []string {
		return []string{"bash", "-euo", "pipefail", "-c", strings.ReplaceAll(script, "go run ./starter", s.Starter().Path)}
	}
	for _, c := range []struct {
		language string
		command  func(t *testing.T, main, program string) []string
		main     string
	}{{"sh", shell, ""}, {"ts", typeScriptOfTheGuide, yearInTypeScript}, {"python", pythonOfTheGuide, yearInPython}, {"go", goOfTheGuide, yearInGo}} {
		t.Run(c.language, func(t *testing.T) {
			var business, workflow struct {
				BusinessID string `json:"business_id"`
				WorkflowID string `json:"workflow_id"`
			}
			_, err := harness.Call(t.Context(), client, "business.create", harness.Object{"account_id": accountID, "business": harness.Object{"legal_name": "Year Ltd"}}, &business)
			require.NoError(t, err)
			_, err = harness.Call(t.Context(), client, "workflow.create", harness.Object{"account_id": accountID, "workflow": harness.Object{"business_id": business.BusinessID}}, &workflow)
			require.NoError(t, err)
			arguments := c.command(t, c.main, programs[c.language])
			command := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...)
			command.Dir = dir
			command.Env = append(s.Environment(), "PATH="+os.Getenv("PATH"), "ACCOUNT="+accountID, "WORKFLOW="+workflow.WorkflowID,
				"REQUISITE_BASE_URL="+client.BaseURL, "REQUISITE_API_KEY="+credential.APIKey, "REQUISITE_SECRET_KEY="+credential.SecretKey, "REQUISITE_AUTH_TOKEN="+credential.AuthToken)
			out, err := command.CombinedOutput()
			require.NoError(t, err, "%s", out)
			said := strings.ReplaceAll(string(out), " ", "")
			for _, brought := range []string{`"expiring":1`, `"renewal_due":1`, `"overdue":1`} {
				require.Contains(t, said, brought)
				_, said, _ = strings.Cut(said, brought)
			}
		})
	}
}
