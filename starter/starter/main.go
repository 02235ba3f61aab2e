// Command starter is the command line of operators and developers of Requisite:
// it starts everything on one machine, migrates the database, makes
// organizations, accounts and credentials, tries and publishes rules, and calls
// the API.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // accounts have time zones, wherever the program runs

	"requisite/starter/cli"
	"requisite/starter/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := cli.ExitCode(os.Stderr, command.New().ExecuteContext(ctx))
	stop()
	os.Exit(code)
}
