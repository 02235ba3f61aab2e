// Command starter is the command line of whoever runs or develops Requisite:
// it starts everything on one machine, migrates the database, makes
// organizations, accounts and credentials, and calls the API.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"github.com/spf13/cobra"
)

// Exit codes, for scripts.
const (
	exitFailed  = 1 // it did not work out
	exitRefused = 3 // the service answered, and refused
)

// errRefused marks a command whose request was answered with a refusal, which
// has been printed.
var errRefused = errors.New("refused")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := command().ExecuteContext(ctx)
	switch {
	case errors.Is(err, errRefused):
		os.Exit(exitRefused)
	case err != nil:
		fmt.Fprintln(os.Stderr, "starter:", err)
		os.Exit(exitFailed)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:   "starter",
		Short: "Start, set up and operate Requisite",
		Long: `Start, set up and operate Requisite.

Begin with "starter up": it builds and starts everything on this machine, runs a
demonstration through the HTTP API and prints the addresses.

Exit codes: 0 done, 1 failed, 3 the service answered with a refusal.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(
		accountCommand(),
		calculateCommand(),
		callCommand(),
		credentialCommand(),
		keyCommand(),
		keysCommand(),
		migrateCommand(),
		organizationCommand(),
		pricingCommand(),
		rulesCommand(),
		upCommand(),
	)
	return root
}
