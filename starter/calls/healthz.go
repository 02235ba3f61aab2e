package calls

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"requisite/internal/config"
	"requisite/starter/cli"
)

func HealthzCommand() *cobra.Command {
	var trust cli.TrustFlags
	var live bool
	c := &cobra.Command{
		Use:   "healthz [BASE_URL]",
		Short: "Check whether a program can do its work; the exit code says so",
		Long: `Check whether an api, a worker or a codec endpoint can do its work (/readyz).
The exit code is the answer. BASE_URL is the address of its --health-listen,
--metrics-listen or --listen. Only the first two say why it cannot.`,
		Example: `  starter healthz http://127.0.0.1:8081
  starter healthz --live http://127.0.0.1:8081
  starter healthz https://127.0.0.1:8443 --ca-file ca.pem --server-name my-api`,
		Args:    cobra.MaximumNArgs(1),
		PreRunE: config.Load,
	}
	trust.Bind(c.Flags())
	c.Flags().BoolVar(&live, "live", false, "check only that it runs (/livez)")
	c.RunE = func(c *cobra.Command, args []string) error {
		base, path := "http://127.0.0.1:8080", "readyz"
		if len(args) == 1 {
			base = args[0]
		}
		if live {
			path = "livez"
		}
		client, err := trust.Client(4 * time.Second)
		if err != nil {
			return err
		}
		if err := askHealth(c.Context(), client, base, path); err != nil {
			return err
		}
		fmt.Fprintln(c.OutOrStdout(), "ok")
		return nil
	}
	return c
}

func askHealth(ctx context.Context, client *http.Client, base, path string) error {
	target, err := url.JoinPath(base, path)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	why, _ := io.ReadAll(io.LimitReader(response.Body, 500)) // a part is better than nothing
	return fmt.Errorf("%s answers %s: %s", target, response.Status, strings.TrimSpace(string(why)))
}
