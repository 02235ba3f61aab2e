package admin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"

	"github.com/spf13/cobra"

	"requisite/app"
	"requisite/internal/config"
	"requisite/internal/health"
	"requisite/internal/metrics"
	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
)

// CodecOptions are the settings of `starter codec`.
type CodecOptions struct {
	Token, Listen  string
	Origins, hosts []string
	Published      bool
	Service        config.Service // its --payload-key-file, --metrics-listen and --health-listen
}

func CodecCommand() *cobra.Command {
	var o CodecOptions
	c := &cobra.Command{
		Use:   "codec --origin URL",
		Short: "Let a Temporal UI show payloads to operators who have signed in",
		Long: `Serve the codec endpoint, which decrypts Temporal's payloads for the browser of
an operator. Settings of the UI:

  TEMPORAL_CODEC_ENDPOINT             http://ADDRESS/codec
  TEMPORAL_CODEC_INCLUDE_CREDENTIALS  true
  TEMPORAL_CODEC_DEFAULT_ERROR_LINK   http://ADDRESS/codec/sign-in

Operators sign in on that page with the token. A session lasts twelve hours, or
until the operator signs out or the token is changed. The browser must reach the
UI and the endpoint by the same host name. Programs send the token:

  temporal workflow show --codec-endpoint http://localhost:8234/codec \
    --codec-auth "Bearer $REQUISITE_CODEC_TOKEN" ...

It listens on loopback, and answers only for the hosts of --host. In a container
it must listen on other addresses: publish its port on the host's loopback, let
no other container share its network, and give --on-loopback.`,
		Args:    cobra.NoArgs,
		PreRunE: config.Load,
		RunE: func(c *cobra.Command, _ []string) error {
			log := slog.New(slog.NewJSONHandler(os.Stderr, nil)).With("program", "codec")
			endpoint, keys, err := o.Endpoint(c.Context(), log)
			if err != nil {
				return err
			}
			measured := metrics.NewProcess()
			measured.Register(metrics.NewKeyCollector(vault.OfPayloads, keys.PrimaryID()))
			about := func() []health.Fact {
				return []health.Fact{{Name: app.FactProgram, Value: "codec"}, app.KeyFact(vault.OfPayloads, keys)}
			}
			_, stop, err := app.Listen(c.Context(), &o.Service, measured, codec.Ready, about, log)
			if err != nil {
				return err
			}
			defer stop()
			return serveUntil(c.Context(), o.Listen, endpoint, func(address string) {
				fmt.Fprintf(c.OutOrStdout(), "codec endpoint at http://%s%s; sign in at http://%s%s\n", address, codec.Path, address, codec.SignInPath)
			})
		},
	}
	flags := c.Flags()
	o.Service.BindPayloadKey(flags)
	config.String(flags, &o.Token, "token", "REQUISITE_CODEC_TOKEN", "",
		"the token to sign in with, at least 32 characters; "+
			"other users see a flag in the list of processes, so use REQUISITE_CODEC_TOKEN_FILE, which names a file that contains it")
	config.Secret(flags, "token")
	config.String(flags, &o.Listen, "listen", "REQUISITE_CODEC_LISTEN", "127.0.0.1:8234", "address to listen on")
	config.BindMetrics(flags, &o.Service.MetricsListen)
	config.BindHealth(flags, &o.Service.HealthListen) // --listen answers probes too
	flags.StringSliceVar(&o.Origins, "origin", nil, "address of the Temporal UI as the browser sees it, such as http://localhost:8233; may be repeated")
	config.Env(flags, "origin", "REQUISITE_CODEC_ORIGIN")
	flags.StringSliceVar(&o.hosts, "host", nil, "host and port by which the browser reaches this endpoint (default: --listen)")
	config.Env(flags, "host", "REQUISITE_CODEC_HOST")
	flags.BoolVar(&o.Published, "on-loopback", false, "only the host's loopback reaches the address")
	return c
}

// Endpoint makes the endpoint, and returns its keyset. Its error lists all missing and contradictory settings.
func (o *CodecOptions) Endpoint(ctx context.Context, log *slog.Logger) (*codec.Endpoint, *vault.Vault, error) {
	problems := []error{o.Service.CheckPayloadKeys(), o.checkToken(),
		o.Service.CheckListening(), config.Apart(o.Listen, "listen", o.Service.HealthListen, "health-listen"),
		config.Apart(o.Listen, "listen", o.Service.MetricsListen, "metrics-listen")}
	if len(o.Origins) == 0 {
		problems = append(problems, errors.New("--origin is not set: give the address of the Temporal UI"))
	}
	for _, origin := range o.Origins {
		if u, err := url.Parse(origin); err != nil || u.Scheme+"://"+u.Host != origin {
			problems = append(problems, fmt.Errorf("--origin %q is not of the form http://localhost:8233, without a path", origin))
		}
	}
	if !o.Published && !onLoopback(o.Listen) {
		problems = append(problems, fmt.Errorf("--listen %s is not on loopback: payloads and the token would cross a network in the clear", o.Listen))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, nil, err
	}
	hosts := o.hosts
	if len(hosts) == 0 {
		hosts = []string{o.Listen}
	}
	keyset, err := o.Service.PayloadKeys(ctx)
	if err != nil {
		return nil, nil, err
	}
	keys, err := keyset.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	endpoint, err := codec.NewEndpoint(keys, codec.Access{Token: o.Token, Origins: o.Origins, Hosts: hosts}, log)
	return endpoint, keys, err
}

func (o *CodecOptions) checkToken() error {
	err := config.Required(o.Token, "token", "REQUISITE_CODEC_TOKEN")
	if err == nil {
		if err = codec.CheckToken(o.Token); err == nil {
			return nil
		}
		err = fmt.Errorf("--token (or REQUISITE_CODEC_TOKEN): %w", err)
	}
	return fmt.Errorf("%w; make one with `openssl rand -hex 32`", err)
}

func onLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}
