//go:build deep

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"requisite/e2e/harness"
	"requisite/internal/testkit/await"
	"requisite/starter/cli"
)

// TestUp_FindsWhatWasPublishedBefore, also where the rules have come to need an approval.
func TestUp_FindsWhatWasPublishedBefore(t *testing.T) {
	built, err := harness.Programs()
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "stack")
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	for _, program := range []string{"devstack", "api", "worker"} {
		out, err := exec.Command("cp", filepath.Join(built, program), bin).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	for d := dir; len(d) > len(os.TempDir()); d = filepath.Dir(d) { // Postgres does not run as root
		require.NoError(t, os.Chmod(d, 0o755))
	}
	// up runs starter up, and something while it runs.
	up := func(do func(running cli.Stack)) {
		command := exec.Command(filepath.Join(built, "starter"), "up", "--dir", dir, "--api-port", "0", "--ui-port", "0", "--temporal-port", "0", "--codec-port", "0")
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		command.Env = append(os.Environ(), "REQUISITE_PATIENCE=10m")
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "stack.json")))
		harness.CountStack(t)
		require.NoError(t, command.Start())
		ended := make(chan struct{})
		var result error
		go func() {
			defer close(ended)
			result = command.Wait()
		}()
		defer func() {
			_ = command.Process.Signal(syscall.SIGINT)
			<-ended
			require.NoError(t, result)
		}()
		var running cli.Stack
		await.True(t, "starter up", func(context.Context) error {
			data, err := os.ReadFile(filepath.Join(dir, "stack.json"))
			if err != nil {
				return err
			}
			return json.Unmarshal(data, &running)
		}, await.Process{Name: "starter up", Ended: ended})
		do(running)
	}
	versions := func(s cli.Stack) (list []string) {
		conn, err := pgx.Connect(t.Context(), s.DatabaseURL)
		require.NoError(t, err)
		defer conn.Close(t.Context())
		rows, err := conn.Query(t.Context(), `SELECT format('%s %s', account_id, version) FROM rule_set ORDER BY 1`)
		require.NoError(t, err)
		list, err = pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return list
	}
	var before []string
	up(func(s cli.Stack) {
		rules := filepath.Join(t.TempDir(), "rules.yaml")
		require.NoError(t, os.WriteFile(rules, []byte("documents: []\n"), 0o600))
		for _, args := range [][]string{
			{"rules", "publish", rules, "--as-operator", s.Accounts[0].AccountID},
			{"account", "update", s.Accounts[1].AccountID, "--rules-need-approval"},
		} {
			command := exec.Command(filepath.Join(built, "starter"), args...)
			command.Env = append(os.Environ(), "DATABASE_URL="+s.DatabaseURL, "REQUISITE_API_ROLE=requisite_api")
			out, err := command.CombinedOutput()
			require.NoError(t, err, "%s: %s", strings.Join(args, " "), out)
		}
		before = versions(s)
		require.Len(t, before, 4, fmt.Sprint(before))
	})
	up(func(s cli.Stack) { require.Equal(t, before, versions(s)) })
}
