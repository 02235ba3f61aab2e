// Package local has starter up, which runs everything on one machine, and its demonstration.
package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"requisite/internal/secrets/vault"
	"requisite/internal/temporalclient"
	"requisite/starter/compile"
	"requisite/starter/progress"
)

// upOptions are the flags of `starter up`.
type upOptions struct {
	dir          string
	ephemeral    bool
	apiPort      int
	uiPort       int
	temporalPort int
	postgresPort int
	codecPort    int
	// The ports of /metrics.
	apiMetricsPort, workerMetricsPort int
	rateLimit                         float64
}

func UpCommand() *cobra.Command {
	var o upOptions
	c := &cobra.Command{
		Use:   "up",
		Short: "Build and start everything on this machine, with a demonstration",
		Long: `Build and start everything on this machine: Postgres, Temporal and its UI, the
api and a worker. Then run the demonstration through the HTTP API. It publishes
rules and prices for three organizations, and calculates the required documents
of the applications under examples/applications, or shows what is missing. A
receiver on this machine gets the events as encrypted webhooks. Everything runs
until you interrupt it.

The first start compiles a Temporal server, which takes some minutes; later ones
take seconds. It keeps data under --dir between starts unless --ephemeral is
given. It uses the Postgres of DATABASE_URL (but not with --ephemeral), else
local binaries, else a download.

Run it inside a checkout, with Go installed. .stack/stack.json, which only its
owner can read, tells other programs the addresses and the credentials.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return up(c.Context(), c.OutOrStdout(), &o) },
	}
	f := c.Flags()
	f.StringVar(&o.dir, "dir", ".stack", "directory of the stack: its data, keys, logs and stack.json")
	f.BoolVar(&o.ephemeral, "ephemeral", false, "throw the data away at the end")
	f.IntVar(&o.apiPort, "api-port", 8080, "port of the API; 0 picks a free one")
	f.IntVar(&o.uiPort, "ui-port", 8233, "port of the Temporal UI; 0 picks a free one")
	f.IntVar(&o.temporalPort, "temporal-port", 7233, "port of Temporal; 0 picks a free one")
	f.IntVar(&o.postgresPort, "postgres-port", 0, "port of Postgres; 0 picks a free one")
	f.IntVar(&o.codecPort, "codec-port", 8234, "port of the codec endpoint, which decrypts payloads for the Temporal UI; 0 picks a free one")
	f.IntVar(&o.apiMetricsPort, "api-metrics-port", 0, "port of the api's /metrics; 0 picks a free one")
	f.IntVar(&o.workerMetricsPort, "worker-metrics-port", 0, "port of the worker's /metrics; 0 picks a free one")
	f.Float64Var(&o.rateLimit, "rate-limit", 0, "requests per second that one credential may send, with bursts of twice as many: a low one answers 429 soon")
	return c
}

// files are the paths of a stack.
type files struct{ Dir, bin, keys, logs, data, kek, payloadKey, webhookKeys, codecToken, stack, seed string }

func layout(dir string) files {
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	return files{
		Dir: dir, bin: at("bin"), keys: at("keys"), logs: at("logs"), data: at("data"),
		kek: at("keys", "kek.json"), payloadKey: at("keys", "payload.json"), webhookKeys: at("webhook-keys.json"), codecToken: at("codec-token"),
		stack: at("stack.json"), seed: at("seed.json"),
	}
}

// up runs the stack until ctx ends. Then it stops all programs, in reverse order.
func up(ctx context.Context, out io.Writer, o *upOptions) (err error) {
	if err := unsetConnectionVariables(); err != nil {
		return err
	}
	say := &progress.Narrator{Out: out}
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return err
	}
	f := layout(dir)
	unlock, err := prepare(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if o.ephemeral {
		temporary, err := os.MkdirTemp("", "requisite-up-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
		inDir := f
		f = layout(temporary)
		f.bin, f.logs, f.stack, f.webhookKeys, f.codecToken = inDir.bin, inDir.logs, inDir.stack, inDir.webhookKeys, inDir.codecToken
		defer func() {
			if removed := os.Remove(f.webhookKeys); !errors.Is(removed, os.ErrNotExist) {
				err = errors.Join(err, removed)
			}
		}()
	}
	for _, key := range []string{f.kek, f.payloadKey} {
		if err := os.MkdirAll(filepath.Dir(key), 0o700); err != nil {
			return err
		}
		if err := (vault.Keyset{File: key}).Ensure(ctx); err != nil {
			return err
		}
	}
	say.Title("Requisite: starting everything on this machine. Ctrl-C stops it.")
	root, err := compile.Checkout(ctx)
	if err != nil {
		return ignoreInterrupt(ctx, err)
	}
	step := say.Begin("Build Postgres' launcher, the Temporal server and its UI; the first time takes minutes")
	compiled, err := compile.Start(ctx, filepath.Join(root, "devstack"), f.bin, ".").Wait(func() *progress.StepLine { return step })
	if err != nil {
		return ignoreInterrupt(ctx, err)
	}
	step.Done(compile.Result(compiled))
	return ignoreInterrupt(ctx, runStack(ctx, say, o, f, compile.Start(ctx, root, f.bin, "./api", "./worker")))
}

// unsetConnectionVariables unsets the developer's settings for another Temporal or Postgres.
// They do not apply to the programs that up starts.
func unsetConnectionVariables() error {
	var problems []error
	for _, v := range temporalclient.Variables() {
		problems = append(problems, os.Unsetenv(v.Name))
	}
	problems = append(problems, os.Unsetenv("DATABASE_PASSWORD"), os.Unsetenv("DATABASE_PASSWORD_FILE"))
	// Otherwise the profile file in the home directory would be used.
	return errors.Join(append(problems, os.Setenv("TEMPORAL_CONFIG_FILE", os.DevNull))...)
}

// ignoreInterrupt returns nil for an error that an interrupt caused.
func ignoreInterrupt(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || err == nil) {
		return nil
	}
	return err
}

// prepare creates and locks the directory. Two stacks in one directory would destroy each
// other's data.
func prepare(f files) (unlock func() error, err error) {
	// All users may enter the directory, because Postgres does not run as root. Private
	// files in it have their own permissions.
	for dir, mode := range map[string]os.FileMode{f.Dir: 0o755, f.bin: 0o755, f.logs: 0o700} {
		if err := os.MkdirAll(dir, mode); err != nil {
			return nil, err
		}
	}
	lock, err := os.OpenFile(filepath.Join(f.Dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		running := fmt.Errorf("a stack runs in %s already; stop it, or give another --dir and --api-port 0 --ui-port 0 --temporal-port 0 --codec-port 0", f.Dir)
		return nil, errors.Join(running, lock.Close())
	}
	if err := os.Remove(f.stack); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(err, lock.Close())
	}
	return lock.Close, nil
}
