// Package command builds the command line of starter from the commands of its packages.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/internal/telemetry"
	"requisite/internal/text/visible"
	"requisite/starter/admin"
	"requisite/starter/calls"
	"requisite/starter/cli"
	"requisite/starter/decisions"
	"requisite/starter/local"
	"requisite/starter/ruleset"
	"requisite/starter/status"
	"requisite/starter/webhooks"
)

// helpWidth is how many columns a line of help has at most.
const helpWidth = 80

// Main runs the program, and ends the process.
func Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := cli.ExitCode(os.Stderr, New().ExecuteContext(ctx))
	stop()
	os.Exit(code)
}

// New makes the command with all its subcommands.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:     "starter",
		Version: telemetry.ThisBuild().String(),
		Short:   "Start, set up and operate Requisite",
		Long: `Start, set up and operate Requisite.

Begin with "starter up": it starts everything on this machine.

A setting is a flag, or the variable in brackets beside it. The variable
NAME_FILE names a file that contains the value of NAME.

Exit codes: 0 done, 1 failed, 3 refused by the service, or by the check of a
file with rules or prices.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		// Names, rules, files and answers may contain anything. They must not control the
		// terminal.
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			c.SetOut(visible.NewWriter(c.OutOrStdout()))
			c.SetErr(visible.NewWriter(c.ErrOrStderr()))
		},
	}
	addGroup(root, "run", "Run it:",
		admin.AccountCommand(),
		admin.AuditCommand(),
		admin.CodecCommand(),
		admin.CredentialCommand(),
		admin.EraseCommand(),
		calls.HealthzCommand(),
		admin.KeysetCommand(),
		admin.MigrateCommand(),
		admin.OrganizationCommand(),
		webhooks.ReplayCommand(),
		ruleset.RecalculationCommand(),
		admin.SecretCommand(),
		status.Command(),
		local.UpCommand(),
	)
	addGroup(root, "use", "Write rules, and call it:",
		calls.CallCommand(),
		decisions.DecisionCommand(),
		webhooks.DeliveryCommand(),
		webhooks.ListenCommand(),
		ruleset.PricingCommand(),
		ruleset.RulesCommand(),
		calls.TraceCommand(),
	)
	root.AddCommand(
		&cobra.Command{Use: "explain", Short: "Say what replaces it", Hidden: true, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error {
			return errors.New("starter explain is no more: `starter decision show WORKFLOW_ID --steps` shows how the last calculation came to its result, " +
				"and `starter rules preview FILE --account ACCOUNT_ID --workflow WORKFLOW_ID` what rules would say today")
		}},
		&cobra.Command{Use: "temporal", Short: "The variables of the connection to Temporal", Long: config.TemporalHelp()}, // a topic of help
	)
	cli.AskWho(root)
	root.SetFlagErrorFunc(config.ExplainFlag)
	root.SetHelpCommandGroupID("use")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetUsageTemplate(strings.NewReplacer(
		".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", helpWidth),
		"for more information about a command.", "for the help of a command.",
	).Replace(root.UsageTemplate()))
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		rejectUnknown(c)
		explainArguments(c)
	}
	return root
}

// addGroup adds commands that the help lists together.
func addGroup(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
	}
	root.AddCommand(commands...)
}

// explainArguments adds the names of the arguments to the error for too few or too many.
func explainArguments(c *cobra.Command) {
	for _, below := range c.Commands() {
		explainArguments(below)
	}
	if c.HasSubCommands() || c.Args == nil {
		return
	}
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		err := check(c, args)
		if err == nil {
			return nil
		}
		explained := errors.New(describeArguments(c) + ": " + c.UseLine())
		if coded := (*cli.ExitError)(nil); errors.As(err, &coded) {
			return &cli.ExitError{Code: coded.Code, Err: explained}
		}
		return explained
	}
}

// describeArguments describes the arguments of a command, such as "name one file".
func describeArguments(c *cobra.Command) string {
	usage, _, _ := strings.Cut(c.Use, " | "+c.Name()+" ")
	usage, _, _ = strings.Cut(usage, " --")
	var names []string
	for _, word := range strings.Fields(usage)[1:] {
		if !strings.HasPrefix(word, "[") && strings.ToUpper(word) == word && strings.ToLower(word) != word {
			many := strings.HasSuffix(word, "...")
			name := "one " + strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(word, "..."), "_", " "))
			if many {
				name += " or more"
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "this command takes flags only"
	}
	return "name " + strings.Join(names, " and ")
}

// rejectUnknown makes a group of commands fail for an unknown name. Without a name, the
// group shows its help.
func rejectUnknown(c *cobra.Command) {
	if !c.HasSubCommands() {
		return
	}
	for _, below := range c.Commands() {
		rejectUnknown(below)
	}
	if c.Runnable() {
		return
	}
	// The flags belong to the command that was meant.
	c.FParseErrWhitelist.UnknownFlags = true
	c.DisableFlagsInUseLine = true
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		hint := ""
		for c.SuggestionsMinimumDistance = 1; hint == "" && c.SuggestionsMinimumDistance <= 3; c.SuggestionsMinimumDistance++ {
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				hint = fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
			}
		}
		var names []string
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				names = append(names, below.Name())
			}
		}
		return fmt.Errorf("%s has no command %q%s; its commands are %s", c.CommandPath(), args[0], hint, strings.Join(names, ", "))
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
}
