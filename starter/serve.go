package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/codec"
	"requisite/internal/config"
	"requisite/internal/vault"
)

func codecCommand() *cobra.Command {
	var payloadKeyFile, listen string
	var origins, hosts []string
	var published bool
	c := &cobra.Command{
		Use:   "codec --origin URL",
		Short: "Let a Temporal UI show payloads in the clear",
		Long: `Serve the codec endpoint, with which the browser of an operator decodes what
Temporal keeps encrypted. Set it as the UI's codec endpoint
(TEMPORAL_CODEC_ENDPOINT).

Whoever reaches it with a page of one of the --origin can read every payload. It
listens on loopback, and answers for the hosts named by --host only. In a container
it must listen beyond that: publish its port on the host's loopback, let no other
container share its network, and say so with --published-on-loopback.`,
		Args:    cobra.NoArgs,
		PreRunE: config.Load,
	}
	flags := c.Flags()
	config.String(flags, &payloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE", "", "Tink keyset that encrypts Temporal's payloads")
	flags.StringVar(&listen, "listen", "127.0.0.1:8234", "address to listen on")
	flags.StringSliceVar(&origins, "origin", nil, "address of the Temporal UI as the browser sees it, such as http://localhost:8233; may be repeated")
	flags.StringSliceVar(&hosts, "host", nil, "host and port by which the browser reaches this endpoint (default: --listen)")
	flags.BoolVar(&published, "published-on-loopback", false, "the address is reached through the host's loopback only")
	c.RunE = func(c *cobra.Command, _ []string) error {
		err := config.Required(payloadKeyFile, "payload-key-file", "REQUISITE_PAYLOAD_KEY_FILE")
		if len(origins) == 0 {
			err = errors.Join(err, errors.New("--origin is not set: whose pages may read payloads?"))
		}
		if !published && !onLoopback(listen) {
			err = errors.Join(err, fmt.Errorf("--listen %s is not on loopback: whoever reaches it could read payloads", listen))
		}
		if err != nil {
			return err
		}
		if len(hosts) == 0 {
			hosts = []string{listen}
		}
		keys, err := vault.Load(payloadKeyFile)
		if err != nil {
			return err
		}
		return serveUntil(c.Context(), listen, codec.Endpoint(keys, origins, hosts), func(address string) {
			fmt.Fprintln(c.OutOrStdout(), "codec endpoint at http://"+address)
		})
	}
	return c
}

func onLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// serveUntil serves until ctx ends.
func serveUntil(ctx context.Context, address string, handler http.Handler, started func(string)) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", address, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	started(listener.Addr().String())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return server.Shutdown(grace)
}

func healthzCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "healthz [BASE_URL]",
		Short: "Ask whether an api can serve; the exit code is the answer",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			base := "http://127.0.0.1:8080"
			if len(args) == 1 {
				base = args[0]
			}
			target, err := url.JoinPath(base, "healthz")
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(c.Context(), 4*time.Second)
			defer cancel()
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
			if err != nil {
				return err
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				return err
			}
			defer response.Body.Close()
			if response.StatusCode != http.StatusOK {
				return fmt.Errorf("%s answers %s", target, response.Status)
			}
			fmt.Fprintln(c.OutOrStdout(), "ok")
			return nil
		},
	}
}
