package admin

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// composeSecrets are the files of secrets that docker-compose.yml names.
var composeSecrets = []string{
	"codec_token",
	"grafana_password",
	"monitor_db_password",
	"postgres_password",
	"requisite_api_db_password",
	"requisite_db_password",
	"requisite_worker_db_password",
	"temporal_db_password",
}

func SecretCommand() *cobra.Command {
	c := &cobra.Command{Use: "secret", Short: "Create the secrets of docker-compose.yml"}
	c.AddCommand(secretCreateCommand())
	return c
}

func secretCreateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "create DIR",
		Short: "Write a file for each secret that docker-compose.yml names",
		Long: `Write a file with a random value for each secret that docker-compose.yml names:
the passwords of the database roles and of Grafana, and the token of the codec
endpoint.

It keeps secrets that exist, so you can repeat it. Only you can open DIR. All
users can read the files in it, because the users of the containers do not exist
on this host.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return createSecrets(c.OutOrStdout(), args[0]) },
	}
}

// Modes of the directory of secrets and of the files in it.
const (
	secretsMode = 0o700
	secretMode  = 0o644
)

// createSecrets writes the secrets that a directory lacks, and sets all modes.
func createSecrets(out io.Writer, dir string) error {
	if err := os.MkdirAll(dir, secretsMode); err != nil {
		return err
	}
	if err := os.Chmod(dir, secretsMode); err != nil {
		return err
	}
	for _, name := range composeSecrets {
		path := filepath.Join(dir, name)
		err := createSecret(path)
		switch {
		case err == nil:
			fmt.Fprintln(out, "wrote", path)
		case errors.Is(err, fs.ErrExist):
			if err := keepSecret(path); err != nil {
				return err
			}
			fmt.Fprintln(out, "kept", path)
		default:
			return fmt.Errorf("write secret: %w", err)
		}
	}
	return nil
}

// createSecret writes a file with a random secret. A file that exists is not changed:
// fs.ErrExist.
func createSecret(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, secretMode)
	if err != nil {
		return err
	}
	secret := make([]byte, 24)
	rand.Read(secret)
	_, err = fmt.Fprintln(file, hex.EncodeToString(secret))
	// The umask may have taken bits of the mode away.
	return errors.Join(err, file.Chmod(secretMode), file.Sync(), file.Close())
}

// keepSecret checks a file that exists, and sets its mode.
func keepSecret(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return fmt.Errorf("%s is not a file with a secret; delete it, and repeat the command", path)
	}
	return os.Chmod(path, secretMode)
}
