package status

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/starter/cli"
)

// Command is `starter status`.
func Command() *cobra.Command {
	var i Inspector
	var l cli.List
	var trust cli.TrustFlags
	var bundle, stackFile string
	c := &cobra.Command{
		Use:   "status",
		Short: "Look at every part of the service, and say what is wrong",
		Long: `Look at the programs, Temporal, Postgres, the keysets, the backlog and the last
backup. Each line says what was found, and what to do if it is not well. What
cannot be reached is a line, too.

UNKNOWN means that the line needs a setting, or depends on another line that is
WRONG: it names either. The exit code is 3 if a part is WRONG.

With --bundle, it also writes a file for somebody who helps you: these lines,
the settings, sizes and counts, and the metrics of the programs. It holds no
secrets, and no data of applications. As "-" it is printed instead of the lines.

"starter temporal" lists the variables of the connection to Temporal.`,
		Example: `  starter status --program http://api:9090 --program http://worker:9090
  starter status --bundle status.json`,
		Args:    cobra.NoArgs,
		PreRunE: config.Load,
	}
	flags := c.Flags()
	i.Service.BindDatabase(flags)
	i.Service.BindKEK(flags)
	i.Service.BindTemporal(flags)
	i.Service.BindPayloadKey(flags)
	config.String(flags, &i.APIRole, "api-role", "REQUISITE_API_ROLE", "", "the api's database role")
	config.String(flags, &i.WorkerRole, "worker-role", "REQUISITE_WORKER_ROLE", "", "the worker's database role")
	flags.StringSliceVar(&i.Programs, "program", nil, "address of a program's --metrics-listen or --health-listen; may be repeated (default: the running stack's)")
	config.Env(flags, "program", "REQUISITE_PROGRAMS")
	config.URL(flags, "program")
	trust.Bind(flags)
	cli.Hide(flags, "ca-file", "kms-key-uri", "server-name")
	flags.DurationVar(&i.Timeout, "timeout", 10*time.Second, "how long each check may take")
	flags.StringVar(&bundle, "bundle", "", "also write a `FILE` for support, which must not exist, or -")
	flags.StringVar(&stackFile, "stack", cli.DefaultStackFile, "the `FILE` that describes the running stack")
	l.Flag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if i.Timeout <= 0 {
			return fmt.Errorf("--timeout must be more than 0, not %s", i.Timeout)
		}
		var err error
		if i.HTTP, err = trust.Client(i.Timeout); err != nil {
			return err
		}
		if len(i.Programs) == 0 {
			i.Programs = ofStack(stackFile, i.Service.DatabaseURL)
		}
		found := i.Inspect(c.Context())
		i.Service.Show(flags)
		if bundle == "-" {
			err = i.Bundle(c.Context(), c.OutOrStdout(), found)
		} else {
			if bundle != "" {
				err = i.bundleFile(c.Context(), bundle, found)
			}
			err = errors.Join(err, l.Print(c.OutOrStdout(), headings, rowsOf(found)...))
		}
		if err != nil {
			return err
		}
		if slices.ContainsFunc(found, func(f Finding) bool { return f.State == Wrong }) {
			return &cli.ExitError{Code: cli.ExitRefused}
		}
		return nil
	}
	return c
}

// ofStack are the programs of the running stack, if the command looks at its database.
func ofStack(file, database string) (list []string) {
	s, err := cli.ReadStack(file)
	if err != nil || s.DatabaseURL != database {
		return nil
	}
	for _, program := range slices.Sorted(maps.Keys(s.Metrics)) {
		list = append(list, "http://"+s.Metrics[program])
	}
	return list
}

// headings are the headings of the columns.
const headings = "STATE\tCHECK\tFOUND\tWHAT TO DO"

func rowsOf(found []Finding) (rows [][]any) {
	for _, f := range found {
		do := f.Do
		if do == "" {
			do = "-"
		}
		rows = append(rows, []any{f.State, f.Check, f.Found, do})
	}
	return rows
}

// bundleFile writes the bundle to a new file, which only its owner can read.
func (i *Inspector) bundleFile(ctx context.Context, path string, found []Finding) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("--bundle: %w", err)
	}
	if err := errors.Join(i.Bundle(ctx, file, found), file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("--bundle: %w", errors.Join(err, os.Remove(path)))
	}
	return nil
}
