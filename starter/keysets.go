package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/internal/postgres"
	"requisite/internal/vault"
)

func keysCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "keys",
		Short: "Make and rotate the keysets that protect secrets and payloads",
		Long: `Make and rotate the keysets that protect secrets and payloads.

The service needs two keysets: one that encrypts secrets in the database
(REQUISITE_KEK_FILE) and one that encrypts Temporal's payloads
(REQUISITE_PAYLOAD_KEY_FILE). Back them up separately from the database:
without them, what they protect cannot be read.

To rotate the key that encrypts secrets, while the service runs:

  1. starter keys add FILE      a new key, which opens but does not seal yet
  2. restart the api and the worker with the changed file
  3. starter keys promote FILE  from now on the new key seals
  4. restart the api and the worker again
  5. starter keys rewrap        everything is sealed with the new key
  6. starter keys drop          the old key is gone

The payload keyset is rotated the same way, with three differences: restart the codec
endpoint too, in steps 2 and 4; there is no step 5, for histories keep the key that
they were written with; and step 6 is starter keys drop --payload, when the namespace's
retention has passed since step 4. A codec endpoint that was not restarted cannot show
what the new key encrypts.`,
	}
	c.AddCommand(keysGenerateCommand(), keysListCommand(), keysAddCommand(), keysPromoteCommand(), keysRewrapCommand(), keysDropCommand())
	return c
}

func keysGenerateCommand() *cobra.Command {
	var keep bool
	c := &cobra.Command{
		Use:   "generate FILE...",
		Short: "Write a new keyset to each FILE, which must not exist",
		Long:  "Write a new keyset to each FILE, which must not exist, readable by its owner only.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					return fmt.Errorf("directory of %s: %w", path, err)
				}
				err := vault.Generate(path)
				switch {
				case err == nil:
					fmt.Fprintln(c.OutOrStdout(), "wrote", path)
				case keep && errors.Is(err, fs.ErrExist):
					fmt.Fprintln(c.OutOrStdout(), "kept", path)
				default:
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave a keyset that exists as it is")
	return c
}

func keysListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list FILE",
		Short: "List the keys of a keyset, oldest first, without their secrets",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			keys, err := vault.Keys(args[0])
			if err != nil {
				return err
			}
			var rows [][]any
			for _, k := range keys {
				use := "opens"
				if k.Primary {
					use = "seals and opens"
				}
				rows = append(rows, []any{k.ID, use})
			}
			return table(c.OutOrStdout(), "KEY\tUSE", rows...)
		},
	}
}

func keysAddCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "add FILE",
		Short: "Add a key to a keyset; it decrypts at once, and encrypts once it is promoted",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			added, err := vault.AddKey(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "added key %d; restart the api and the worker with this file, and the codec endpoint if it is the payload keyset, then run starter keys promote %s\n", added, args[0])
			return nil
		},
	}
}

func keysPromoteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "promote FILE",
		Short: "Make the newest key of a keyset the one that encrypts",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			promoted, err := vault.PromoteNewest(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "key %d seals; restart the api and the worker with this file, then run starter keys rewrap; if it is the payload keyset, restart the codec endpoint too, and run starter keys drop --payload when the namespace's retention has passed\n", promoted)
			return nil
		},
	}
}

func keysRewrapCommand() *cobra.Command {
	return new(operator).with(secrets, &cobra.Command{
		Use:   "rewrap",
		Short: "Encrypt every secret in the database again with the keyset's newest key, while the service runs",
		Long: `Encrypt every secret in the database again with the current key, while the service
runs. It may be stopped and run again at any time; it says how many are left.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		total, err := store.SealedWithOldKeys(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d secret(s) are sealed with older keys\n", total)
		failed := store.Rewrap(ctx, func(moved int64) { fmt.Fprintf(out, "%d of %d moved\n", moved, total) })
		left, err := store.SealedWithOldKeys(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d left\n", left)
		return failed
	})
}

func keysDropCommand() *cobra.Command {
	var payload bool
	var offline string
	o := new(operator)
	c := o.with(secrets, &cobra.Command{
		Use:   "drop",
		Short: "Delete the keyset's old keys, once nothing in the database needs them",
		Long: `Delete every key of the keyset in REQUISITE_KEK_FILE but the one that encrypts. It is
refused while any secret in the database is encrypted with an older key.

A keyset that is mounted and cannot be written to, such as a Secret of Kubernetes, is
changed as a copy: --offline FILE deletes the old keys of the copy and does not ask the
database. Run starter keys rewrap first, until it says that 0 are left.`,
		Args: cobra.NoArgs,
	}, func(ctx context.Context, out io.Writer, store *postgres.Store, _ []string) error {
		left, err := store.SealedWithOldKeys(ctx)
		if err != nil {
			return err
		}
		if left > 0 {
			return fmt.Errorf("%d secret(s) are still sealed with older keys; run starter keys rewrap first", left)
		}
		return dropOld(out, o.KEKFile)
	})
	o.BindPayloadKey(c.Flags())
	dropKEK := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if !payload {
			return dropKEK(c, args)
		}
		if err := config.Keyset(o.PayloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE"); err != nil {
			return err
		}
		return dropOld(c.OutOrStdout(), o.PayloadKeyFile)
	}
	c.Flags().BoolVar(&payload, "payload", false, "drop from REQUISITE_PAYLOAD_KEY_FILE instead: runs whose history an old key encrypted become unreadable")
	c.Flags().StringVar(&offline, "offline", "", "drop from this copy of either keyset instead, without settings and without asking the database")
	c.MarkFlagsMutuallyExclusive("payload", "offline")
	online := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if offline == "" {
			return online(c, args)
		}
		dropped, err := vault.DropOld(offline)
		if err == nil {
			fmt.Fprintf(c.OutOrStdout(), "%d old key(s) deleted from %s; put it in the place of the mounted keyset, and restart what uses it\n", dropped, offline)
		}
		return err
	}
	return c
}

// dropOld deletes the old keys of a keyset.
func dropOld(out io.Writer, path string) error {
	dropped, err := vault.DropOld(path)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d old key(s) deleted from %s\n", dropped, path)
	return nil
}
