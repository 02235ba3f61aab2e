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

// RefusesBadValues gives each setting of a long-running program that has a variable a bad
// value: one of another kind, one out of range, and the ones in bad, by flag. The error must say
// which variable and flag it is, what was given, and what is wanted. A setting with text must
// be in bad; without a value there, every text is valid. valid is an environment with which
// the program starts.
func RefusesBadValues(t *testing.T, program func() *cobra.Command, valid, bad map[string]string) {
	t.Helper()
	start := func(t *testing.T) error {
		c := program()
		require.NoError(t, c.ParseFlags(nil))
		return c.PreRunE(c, nil)
	}
	for name, value := range valid {
		t.Setenv(name, value)
	}
	require.NoError(t, start(t))
	for _, f := range settings(program()) {
		variable, kind := config.Variable(f), f.Value.Type()
		if variable == "" {
			continue
		}
		outOfRange, ofAnotherKind := "", "some"
		switch kind {
		case "bool":
			ofAnotherKind = "yes"
		case "int", "int32", "int64", "float64":
			outOfRange = "-1"
		case "duration":
			outOfRange, ofAnotherKind = "-1s", "90"
		case "string":
			ofAnotherKind = ""
		}
		of, stated := bad[f.Name]
		require.Equal(t, kind == "string", stated, "--%s: state a bad value of it, or that it has none", f.Name)
		for _, value := range []string{outOfRange, ofAnotherKind, of} {
			if value == "" {
				continue
			}
			t.Run(f.Name+" of "+value, func(t *testing.T) {
				t.Setenv(variable, value)
				err := start(t)
				require.Error(t, err)
				var problem string
				for line := range strings.Lines(err.Error()) {
					if strings.Contains(line, "--"+f.Name) {
						problem = line
						break
					}
				}
				require.Contains(t, problem, variable, "%s", err)
				require.NotContains(t, problem, "want ,")
				if value != ofAnotherKind {
					return
				}
				require.Regexp(t, `: ".*" is not valid for --[a-z-]+: it must be [a-zA-Z]`, problem)
				c := program()
				problem = c.FlagErrorFunc()(c, c.ParseFlags([]string{"--" + f.Name + "=" + value})).Error()
				require.Regexp(t, `^--`+f.Name+`: "`+value+`" is not valid: it must be [a-zA-Z]`, problem)
			})
		}
	}
}

// InGuide fails unless the table in docs/operating/settings.md has the right row for each
// setting of the program, and no other rows.
func InGuide(t *testing.T, guide string, program *cobra.Command) {
	t.Helper()
	data, err := os.ReadFile(guide)
	require.NoError(t, err)
	rows := map[string]string{} // of the program, by flag
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

// RowInGuide fails unless the table has the right row for one setting of a program.
func RowInGuide(t *testing.T, guide string, f *pflag.Flag, program string) {
	t.Helper()
	data, err := os.ReadFile(guide)
	require.NoError(t, err)
	require.Contains(t, string(data), "\n"+row(f, program)+"\n")
}

func row(f *pflag.Flag, program string) string {
	variable := config.Variable(f)
	usage := strings.ReplaceAll(strings.TrimSuffix(f.Usage, " ["+variable+"]"), "`", "")
	return fmt.Sprintf("| `--%s` | %s | %s | %s | %s |", f.Name, code(variable), code(f.DefValue), program, usage)
}

func code(text string) string {
	if text == "" {
		return "–"
	}
	return "`" + text + "`"
}
