package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	requisite "requisite/clients/go"
	"requisite/internal/requests/refusal"
	"requisite/starter/cli"
)

func TestWrapped_BreaksLinesAtBlanks(t *testing.T) {
	require.Equal(t, []string{"one two", "three", "extraordinarily", "four"}, slices.Collect(cli.Wrapped("one  two three extraordinarily\nfour", 9)))
	require.Empty(t, slices.Collect(cli.Wrapped("  ", 9)))
}

func TestWritePrivate_OnlyTheOwnerCanReadTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stack.json")
	for _, base := range []string{"http://a", "http://b"} {
		require.NoError(t, cli.WritePrivate(path, cli.Stack{BaseURL: base, Accounts: []cli.StackAccount{{AccountID: "sb_1"}}}))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		s, err := cli.ReadStack(path)
		require.NoError(t, err)
		require.Equal(t, base, s.BaseURL)
	}
	var fields map[string]any
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &fields))
	require.ElementsMatch(t, []string{"base_url", "temporal_ui_url", "temporal_address", "namespace", "database_url", "accounts", "metrics"}, keys(fields))
	left, err := filepath.Glob(path + ".*")
	require.NoError(t, err)
	require.Empty(t, left, "nothing temporary stays")
}

func keys(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}

// A credential of a mounted file may end in a line feed.
func TestCredential_IsRefusedByNameAndSource(t *testing.T) {
	const key, secret, token = "sb_3eY9UJuj09636NVPlgmhfa", "xBeain5pFnPyQkl98qzA+BG+Cjzskpqq9fGKDbDoXNP5", "an-opaque-token"
	client := func(args ...string) error {
		var f cli.CredentialFlags
		c := &cobra.Command{RunE: func(*cobra.Command, []string) error { _, err := f.Client(""); return err }}
		f.Bind(c)
		c.SetArgs(args)
		c.SilenceErrors, c.SilenceUsage = true, true
		return c.Execute()
	}
	for _, c := range []struct{ key, secret, token, want string }{
		{key + "\n", secret, token, "the API key ends in a line break"},
		{key, secret + "\n", token, "the secret key ends in a line break"},
		{key, secret, token + "\n", "the auth token ends in a line break"},
	} {
		err := client("--base-url", "http://127.0.0.1:1", "--api-key", c.key, "--secret-key", c.secret, "--auth-token", c.token)
		require.ErrorContains(t, err, "--api-key, --secret-key and --auth-token")
		require.ErrorContains(t, err, c.want)

		path := filepath.Join(t.TempDir(), "stack.json")
		require.NoError(t, cli.WritePrivate(path, cli.Stack{BaseURL: "http://a", Accounts: []cli.StackAccount{{AccountID: "sb_1", APIKey: c.key, SecretKey: c.secret, AuthToken: c.token}}}))
		err = client("--stack", path)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), secret)
		require.NotContains(t, err.Error(), token)

		// What a _FILE names is trimmed.
		for name, value := range map[string]string{"API_KEY": c.key, "SECRET_KEY": c.secret, "AUTH_TOKEN": c.token} {
			file := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.WriteFile(file, []byte(value), 0o600))
			t.Setenv("REQUISITE_"+name+"_FILE", file)
		}
		require.NoError(t, client("--base-url", "http://127.0.0.1:1"))
		for _, name := range []string{"API_KEY", "SECRET_KEY", "AUTH_TOKEN"} {
			t.Setenv("REQUISITE_"+name+"_FILE", "")
		}
	}
}

func TestStack_EachAccountHasItsOwnCredential(t *testing.T) {
	s := cli.Stack{Accounts: []cli.StackAccount{{AccountID: "sb_1", APIKey: "k1"}, {AccountID: "sb_2", APIKey: "k2"}}}
	for id, key := range map[string]string{"": "k1", "sb_1": "k1", "sb_2": "k2"} {
		as, err := s.Account(id)
		require.NoError(t, err)
		require.Equal(t, key, as.APIKey)
	}
	_, err := s.Account("sb_3")
	require.ErrorContains(t, err, "the running stack has no credential for account sb_3: its accounts are sb_1, sb_2; ")
}

func TestErrorText_OfNotFoundDoesNotMentionACredential(t *testing.T) {
	var told bytes.Buffer
	require.Equal(t, cli.ExitRefused, cli.ExitCode(&told, fmt.Errorf("x: %w", refusal.NotFound(refusal.EntityAccount, "sb_1"))))
	require.Equal(t, "starter: there is no such account: sb_1\n", told.String())
	require.Equal(t, "there is no such business sales info: bsi_1", cli.OperatorRefusal(refusal.NotFound(refusal.EntitySalesInfo, "bsi_1")).Message)
	require.Equal(t, "BAD_REQUEST: The request has a problem; see details.\n  keep_approvals[0]: no such code", cli.ErrorText(refusal.Fields(refusal.At("keep_approvals[0]", refusal.UnknownValue, "no such code"))))
	// A refusal of the API has the same exit code for all commands.
	require.Equal(t, cli.ExitRefused, cli.ExitCode(&told, fmt.Errorf("x: %w", requisite.Error{Code: "ENTITY_NOT_FOUND", Message: "m"})))
}

func TestList_PrintsJSON(t *testing.T) {
	var out strings.Builder
	l := cli.List{JSON: true}
	require.NoError(t, l.Print(&out, "API KEY\tTIME ZONE\tDONE", []any{"sb_1", "-", 3}))
	require.JSONEq(t, `[{"api_key":"sb_1","time_zone":null,"done":3}]`, out.String())
	out.Reset()
	require.NoError(t, l.Print(&out, "ID"))
	require.JSONEq(t, `[]`, out.String())
}
