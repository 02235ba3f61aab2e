package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"requisite/internal/postgres"
)

func restoredCommand() *cobra.Command {
	var o operator
	return o.command(&cobra.Command{
		Use:   "restored",
		Short: "Tell the service that its database's disk was put back to an earlier state",
		Long: `Tell the service that the disk of its database was put back to an earlier state, such
as from a snapshot of a volume or a virtual machine. Run it before the service starts.

Callers who read events in order then see all that is written from now on. A restore
with pg_restore, to a point in time, or to another server, is noticed without it.
Running it when nothing was restored, or again, is harmless.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		number, err := store.BeginEpoch(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "Epoch %d of events has begun.\n", number)
		return nil
	})
}
