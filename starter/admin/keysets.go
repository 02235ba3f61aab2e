package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/secrets/kms"
	"requisite/internal/secrets/vault"
	"requisite/internal/store"
	"requisite/starter/cli"
)

func KeysetCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "keyset",
		Short: "Create and rotate the keysets that protect secrets and payloads",
		Long: `Create and rotate the keysets that protect secrets and payloads.

The service needs two keysets: one encrypts secrets in the database
(REQUISITE_KEK_FILE), the other encrypts Temporal's payloads
(REQUISITE_PAYLOAD_KEY_FILE). Back them up apart from the database.

To rotate the key that encrypts secrets, while the service runs:

  1. starter keyset add FILE      add a key that decrypts, but does not encrypt
  2. restart the api and the worker with the changed file
  3. starter keyset promote FILE  make the new key encrypt
  4. restart the api and the worker again
  5. starter keyset rewrap        encrypt all secrets with the new key
  6. starter keyset drop          delete the old key

For the payload keyset, restart the codec endpoint too in steps 2 and 4, and
leave out step 5. Step 6 is "starter keyset drop --payload", which refuses until
the namespace's retention has passed since step 4.`,
	}
	c.AddCommand(
		keysetCreateCommand(), keysetEncryptCommand(), keysetListCommand(), keysetAddCommand(),
		keysetPromoteCommand(), keysetRewrapCommand(), keysetDropCommand(),
	)
	return c
}

func keysetCreateCommand() *cobra.Command {
	var keep bool
	var uri string
	c := &cobra.Command{
		Use:     "create FILE...",
		Short:   "Write a new keyset to each FILE, which must not exist",
		Long:    "Write a new keyset to each FILE, which must not exist. Only you can read it.",
		Args:    cobra.MinimumNArgs(1),
		PreRunE: config.Load,
		RunE: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				keyset, err := config.Keyset(c.Context(), path, uri)
				if err != nil {
					return err
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					return fmt.Errorf("directory of %s: %w", path, err)
				}
				err = keyset.Generate(c.Context())
				switch {
				case err == nil:
					fmt.Fprintln(c.OutOrStdout(), "wrote", path)
				case keep && errors.Is(err, fs.ErrExist):
					fmt.Fprintln(c.OutOrStdout(), "kept", path)
				case errors.Is(err, fs.ErrExist):
					return fmt.Errorf("%w; name another file, or give --keep to leave it as it is", err)
				default:
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave a keyset that exists as it is")
	config.BindKMS(c.Flags(), &uri)
	return c
}

func keysetListCommand() *cobra.Command {
	var l cli.List
	return l.Flag(&cobra.Command{
		Use:   "list FILE",
		Short: "List the keys of a keyset, oldest first, without their secrets",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			keys, err := vault.Keyset{File: args[0]}.Keys()
			if err != nil {
				return err
			}
			var rows [][]any
			for _, k := range keys {
				use := "decrypts"
				if k.Primary {
					use = "encrypts and decrypts"
				}
				rows = append(rows, []any{k.ID, use})
			}
			return l.Print(c.OutOrStdout(), "KEY\tUSE", rows...)
		},
	})
}

func keysetAddCommand() *cobra.Command {
	return changeKeyset(&cobra.Command{
		Use:   "add FILE",
		Short: "Add a key to a keyset, which decrypts but does not encrypt yet",
	}, func(ctx context.Context, out io.Writer, k vault.Keyset) error {
		added, err := k.AddKey(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "added key %d; restart the api and the worker with this file, and the codec endpoint if it is the payload keyset, "+
			"then run starter keyset promote %s\n", added, k.File)
		return nil
	})
}

func keysetPromoteCommand() *cobra.Command {
	return changeKeyset(&cobra.Command{
		Use:   "promote FILE",
		Short: "Make the newest key of a keyset the one that encrypts",
	}, func(ctx context.Context, out io.Writer, k vault.Keyset) error {
		promoted, err := k.PromoteNewest(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "key %d encrypts from now on; restart the api and the worker with this file, then run starter keyset rewrap; "+
			"if it is the payload keyset, restart the codec endpoint too, "+
			"and run starter keyset drop --payload when the namespace's retention has passed\n", promoted)
		return nil
	})
}

func keysetEncryptCommand() *cobra.Command {
	var uri, old string
	c := &cobra.Command{
		Use:   "encrypt FILE",
		Short: "Encrypt a keyset file with a key of a key management service",
		Long: `Encrypt a keyset file with the key --kms-key-uri. The keyset in it stays the
same, so what it encrypted stays as it is. Restart the api, the worker and the
codec endpoint with the changed file and with REQUISITE_KMS_KEY_URI. Delete
copies that are not encrypted.

To change to another key, give the current one as --old-kms-key-uri. A key
management service that rotates a key keeps its URI: then do nothing.`,
		Args:    cobra.ExactArgs(1),
		PreRunE: config.Load,
		RunE: func(c *cobra.Command, args []string) error {
			if err := config.Required(uri, "kms-key-uri", "REQUISITE_KMS_KEY_URI"); err != nil {
				return err
			}
			to, err := config.Keyset(c.Context(), args[0], uri)
			if err != nil {
				return err
			}
			from, err := kms.Open(c.Context(), old)
			if err != nil {
				return fmt.Errorf("--old-kms-key-uri: %w", err)
			}
			err = vault.Keyset{File: args[0], KMS: from}.Encrypt(c.Context(), to.KMS)
			if errors.Is(err, vault.ErrEncrypted) {
				return fmt.Errorf("keyset file %s: %w; name that key in --old-kms-key-uri", args[0], vault.ErrEncrypted)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "encrypted %s with %s\n", args[0], uri)
			return nil
		},
	}
	config.BindKMS(c.Flags(), &uri)
	c.Flags().StringVar(&old, "old-kms-key-uri", "", "key that encrypts the file now, if one does")
	return c
}

// changeKeyset completes a command that changes one keyset file.
func changeKeyset(c *cobra.Command, change func(context.Context, io.Writer, vault.Keyset) error) *cobra.Command {
	var uri string
	c.Args, c.PreRunE = cobra.ExactArgs(1), config.Load
	c.RunE = func(c *cobra.Command, args []string) error {
		keyset, err := config.Keyset(c.Context(), args[0], uri)
		if err != nil {
			return err
		}
		return change(c.Context(), c.OutOrStdout(), keyset)
	}
	config.BindKMS(c.Flags(), &uri)
	return c
}

func keysetRewrapCommand() *cobra.Command {
	return new(cli.Operator).With(cli.Secrets, cli.Changing(&cobra.Command{
		Use:   "rewrap",
		Short: "Encrypt every secret in the database with the current key",
		Long: `Encrypt every secret in the database with the current key, while the service
runs. You may stop it and run it again at any time; it says how many are left.`,
		Args: cobra.NoArgs,
	}), func(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
		total, err := store.Secrets.SealedWithOldKeys(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d secret(s) are encrypted with older keys\n", total)
		failed := store.Secrets.Rewrap(ctx, func(moved int64) { fmt.Fprintf(out, "%d of %d rewrapped\n", moved, total) })
		left, err := store.Secrets.SealedWithOldKeys(context.WithoutCancel(ctx))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d left\n", left)
		return failed
	})
}

func keysetDropCommand() *cobra.Command {
	var d drop
	o := &d.Operator
	c := o.With(cli.Secrets, cli.Changing(&cobra.Command{
		Use:   "drop",
		Short: "Delete the old keys, once nothing needs them",
		Long: `Delete every key of the keyset in REQUISITE_KEK_FILE except the one that
encrypts. It refuses while an older key still encrypts a secret in the database,
and while a newer key is not promoted.

With --payload, it deletes those of REQUISITE_PAYLOAD_KEY_FILE. It asks Temporal
which key each payload needs, and refuses while an old key encrypts something in
an open run, or in an ended one that the namespace still keeps. It reads every
open run, and the oldest and the newest ended ones of each workflow type. That
is a sample: first restart every api and worker after the promotion.

A mounted keyset, such as a Secret of Kubernetes, cannot be written to. There,
first let --dry-run say that nothing needs the old keys. Then change a copy:
--offline FILE --force deletes the old keys of the copy, and asks nobody.`,
		Args: cobra.NoArgs,
	}), d.secrets)
	o.BindTemporal(c.Flags())
	o.BindPayloadKey(c.Flags())
	secrets := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case d.offline != "":
			return d.copy(c.Context(), c.OutOrStdout())
		case d.payload:
			return d.payloads(c.Context(), c.OutOrStdout())
		case d.force:
			return errors.New("--force is for --payload and --offline: without the old keys, secrets in the database are lost; run starter keyset rewrap first")
		}
		return secrets(c, args)
	}
	c.Flags().BoolVar(&d.payload, "payload", false, "drop from REQUISITE_PAYLOAD_KEY_FILE instead")
	c.Flags().StringVar(&d.offline, "offline", "", "drop from this copy of a keyset instead, without settings, and without a check; needs --force")
	c.Flags().BoolVar(&d.dryRun, "dry-run", false, "say whether something needs the old keys, and delete none")
	c.Flags().BoolVar(&d.force, "force", false, "with --payload, say what is lost, and drop the old keys nevertheless")
	c.MarkFlagsMutuallyExclusive("payload", "offline")
	c.MarkFlagsMutuallyExclusive("dry-run", "offline")
	c.MarkFlagsMutuallyExclusive("dry-run", "force")
	return c
}

// drop is the command keyset drop.
type drop struct {
	cli.Operator
	payload, dryRun, force bool
	offline                string
}

// secrets drops the old keys that encrypt secrets in the database.
func (d *drop) secrets(ctx context.Context, out io.Writer, store *store.Store, _ []string) error {
	left, err := store.Secrets.SealedWithOldKeys(ctx)
	if err != nil {
		return err
	}
	if left > 0 {
		return fmt.Errorf("older keys still encrypt %d secret(s); run starter keyset rewrap first", left)
	}
	keyset, err := d.KEK(ctx)
	if err != nil {
		return err
	}
	return d.dropOld(ctx, out, keyset)
}

// payloads drops the old keys that encrypt payloads in Temporal.
func (d *drop) payloads(ctx context.Context, out io.Writer) error {
	if err := d.CheckPayloadKeys(); err != nil {
		return err
	}
	keyset, err := d.PayloadKeys(ctx)
	if err != nil {
		return err
	}
	if err := d.mayDropPayloadKeys(ctx, keyset); err != nil {
		if !d.force {
			return fmt.Errorf("%w\nno key was deleted; --force deletes the old keys nevertheless", err)
		}
		fmt.Fprintf(out, "dropped nevertheless: %s\n", err)
	}
	return d.dropOld(ctx, out, keyset)
}

func (d *drop) mayDropPayloadKeys(ctx context.Context, keyset vault.Keyset) error {
	keys, err := keyset.Load(ctx)
	if err != nil {
		return err
	}
	temporal, err := app.DialTemporal(ctx, &d.Service, "starter", nil)
	if err != nil {
		return err
	}
	defer temporal.Close()
	return oldKeyUses{temporal, keys}.check(ctx)
}

// copy drops the old keys of a copy of a keyset. It asks no database whether it still uses them.
func (d *drop) copy(ctx context.Context, out io.Writer) error {
	if !d.force {
		return errors.New("--offline asks nobody whether something needs the old keys: " +
			"let starter keyset drop --dry-run (with --payload for the payload keyset) say it where the service runs, and then give --force")
	}
	keyset, err := config.Keyset(ctx, d.offline, d.KMSKeyURI)
	if err != nil {
		return err
	}
	dropped, err := keyset.DropOld(ctx)
	if err == nil {
		fmt.Fprintf(out, "%d old key(s) deleted from %s; replace the mounted keyset with it, and restart the programs that use it\n", dropped, d.offline)
	}
	return err
}

// dropOld deletes the old keys of a keyset.
func (d *drop) dropOld(ctx context.Context, out io.Writer, k vault.Keyset) error {
	if d.dryRun {
		fmt.Fprintf(out, "nothing needs the old keys of %s\n", k.File)
		return nil
	}
	dropped, err := k.DropOld(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d old key(s) deleted from %s\n", dropped, k.File)
	return nil
}
