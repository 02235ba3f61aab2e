package command_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"requisite/internal/id"
	"requisite/starter/cli"
	"requisite/starter/command"
	"requisite/starter/startertest"
)

func TestHelp_ShowsVariablesButNotTheirValues(t *testing.T) {
	t.Setenv("DATABASE_URL", "postgres://user:planted-password@host/db")
	out, err := startertest.Run(t, "migrate", "--help")
	require.NoError(t, err)
	require.Contains(t, out, "[DATABASE_URL]")
	require.NotContains(t, out, "planted-password")
}

// Each command that is listed stands in one of the two groups.
func TestHelp_ListsCommandsInTwoGroups(t *testing.T) {
	for _, c := range command.New().Commands() {
		topic := !c.Runnable() && !c.HasSubCommands()
		require.Equal(t, c.Hidden || topic, c.GroupID == "", c.Name())
	}
	out, err := startertest.Run(t, "--help")
	require.NoError(t, err)
	require.NotContains(t, out, "Additional Commands")
}

func TestArguments_ErrorNamesTheMissingOnes(t *testing.T) {
	for args, want := range map[string]string{
		"rules validate":          "name one file: starter rules validate FILE",
		"rules test":              "name one file or more: starter rules test FILE...",
		"account create org_1":    "name one organization id and one name: starter account create ORGANIZATION_ID NAME",
		"organization list extra": "this command takes flags only: starter organization list",
		"explain w_1 --now":       "`starter decision show WORKFLOW_ID --steps` shows how",
		"delivery retry":          "name one delivery id: starter delivery retry DELIVERY_ID",
		"call":                    "name one operation: starter call OPERATION [JSON | -]",
	} {
		_, err := startertest.Run(t, strings.Fields(args)...)
		require.ErrorContains(t, err, want)
	}
}

// pflag takes a text between backquotes for the name of the flag's value.
func TestHelp_NamesAFlagsValueInOneWord(t *testing.T) {
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name, _ := pflag.UnquoteUsage(f)
			require.NotContains(t, name, " ", "%s --%s", c.CommandPath(), f.Name)
		})
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(command.New())
}

// In every group, at every depth.
func TestUnknownCommand_FailsWithASuggestion(t *testing.T) {
	groups := 0
	var visit func(c *cobra.Command, path []string)
	visit = func(c *cobra.Command, path []string) {
		if !c.HasSubCommands() {
			return
		}
		groups++
		for _, below := range c.Commands() {
			visit(below, append(slices.Clone(path), below.Name()))
			name := below.Name()
			misspelt := name[:1] + name
			for _, more := range [][]string{nil, {"x"}, {"--account", "sb_1"}} {
				_, err := startertest.Run(t, slices.Concat(path, []string{misspelt}, more)...)
				require.Error(t, err, "%v %s %v", path, misspelt, more)
				require.Contains(t, err.Error(), misspelt)
				require.Contains(t, err.Error(), name)
				require.Equal(t, cli.ExitFailed, cli.ExitCode(new(bytes.Buffer), err))
			}
		}
		out, err := startertest.Run(t, path...)
		require.NoError(t, err)
		require.Contains(t, out, "[command]\n\n", "without a name, help")
	}
	visit(command.New(), nil)
	require.Greater(t, groups, 7)
	_, err := startertest.Run(t, "rules", "valdate", "x.yaml")
	require.EqualError(t, err, `starter rules has no command "valdate"; did you mean validate?; its commands are approve, backtest, diff, get, list, preview, proposals, propose, publish, reject, schema, test, validate`)
}

// An officer who works with rules gets no key that decrypts secrets.
func TestKeyset_OnlyCommandsThatEncryptOrDecryptSecretsNeedOne(t *testing.T) {
	b := startertest.Setup(t)
	file := startertest.RulesFile(t, "rules.yaml", "documents: [{document_type_code: A, name: n, category: c, requirement_text: t, entity_type: Workflow}]\n")
	b.Publish(file)
	t.Setenv("REQUISITE_KEK_FILE", "")
	for _, args := range [][]string{
		{"rules", "get", "--account", b.Account},
		{"rules", "diff", file, "--account", b.Account},
		{"rules", "preview", file, "--account", b.Account},
		{"rules", "preview", file, "--account", b.Account, "--workflow", b.Workflow},
		{"rules", "publish", file, "--as-operator", b.Account},
	} {
		require.NotEmpty(t, b.MustRun(args...))
	}
	_, err := b.Try("credential", "create", id.Format(id.Organization, b.Call.Scope.OrganizationID), "API")
	require.ErrorContains(t, err, "--kek-file (or REQUISITE_KEK_FILE) is not set")
	t.Setenv("DATABASE_URL", "")
	_, err = b.Try("rules", "get", "--account", b.Account)
	require.EqualError(t, err, "--database-url (or DATABASE_URL) is not set; `starter up` prints the commands that set it for its stack")
}
