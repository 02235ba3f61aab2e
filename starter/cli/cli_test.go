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
	require.Equal(t, cli.ExitFailed, cli.ExitCode(&told, fmt.Errorf("x: %w", refusal.NotFound(refusal.EntityAccount, "sb_1"))))
	require.Equal(t, "starter: there is no such account: sb_1\n", told.String())
	require.Equal(t, "there is no such business sales info: bsi_1", cli.OperatorRefusal(refusal.NotFound(refusal.EntitySalesInfo, "bsi_1")).Message)
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
