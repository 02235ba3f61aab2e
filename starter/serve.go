package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"
)

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
