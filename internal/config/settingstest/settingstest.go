// Package settingstest compares the settings of a program with its help, with the list of
// variables, and with the operator's guide.
package settingstest

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"requisite/internal/config"
)

// settings are the flags of a command, in the order of help.
func settings(c *cobra.Command) (flags []*pflag.Flag) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" {
			flags = append(flags, f)
		}
	})
	return flags
}

var secretName = regexp.MustCompile(`password|secret|token|private`)

// Described fails for a flag without a description, for a variable that help does not name
// or that config.Variables does not list, and for a flag that sounds secret but is not
// marked so. It checks all commands below the root.
func Described(t *testing.T, root *cobra.Command) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		require.NotEmpty(t, c.Short, c.CommandPath())
		for _, f := range settings(c) {
			here := c.CommandPath() + " --" + f.Name
			variable := config.Variable(f)
			require.NotEmpty(t, strings.TrimSuffix(f.Usage, "["+variable+"]"), "%s has no description", here)
			if variable != "" {
				require.True(t, strings.HasSuffix(f.Usage, " ["+variable+"]"), "%s does not name its variable", here)
				require.Contains(t, config.Variables(), variable, "%s: add its variable to internal/config/variables.go", here)
			}
			if secretName.MatchString(f.Name) && f.Value.Type() == "string" {
				require.True(t, config.IsSecret(f) || strings.HasSuffix(f.Name, "-file"), "%s sounds secret; mark it with config.Secret", here)
			}
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(root)
}

// HasVariables fails for a flag of the command without a variable, except those in but.
func HasVariables(t *testing.T, c *cobra.Command, but ...string) {
	t.Helper()
	for _, f := range settings(c) {
		require.Equal(t, !slices.Contains(but, f.Name), config.Variable(f) != "", "%s --%s: has it a variable, and should it?", c.CommandPath(), f.Name)
	}
}

// InGuide fails unless the table in docs/operating/settings.md has the right row for each
// setting of the program, and no other rows.
func InGuide(t *testing.T, guide string, program *cobra.Command) {
	t.Helper()
	data, err := os.ReadFile(guide)
	require.NoError(t, err)
	rows := map[string]string{} // by flag, those of the program
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) == 5 && slices.Contains(strings.Split(cells[3], ", "), program.Name()) {
			cells[3] = program.Name()
			rows[strings.Trim(cells[0], "|` -")] = strings.Join(cells, " | ")
		}
	}
	for _, f := range settings(program) {
		require.Equal(t, row(f, program.Name()), rows[f.Name], "the row of --%s in %s", f.Name, guide)
		delete(rows, f.Name)
	}
	require.Empty(t, rows, "%s has rows of settings that %s has not", guide, program.Name())
}

func row(f *pflag.Flag, program string) string {
	variable := config.Variable(f)
	usage := strings.TrimSuffix(f.Usage, " ["+variable+"]")
	return fmt.Sprintf("| `--%s` | %s | %s | %s | %s |", f.Name, code(variable), code(f.DefValue), program, usage)
}

func code(text string) string {
	if text == "" {
		return "–"
	}
	return "`" + text + "`"
}
