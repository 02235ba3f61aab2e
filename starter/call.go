package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	requisite "requisite/clients/go"
	"requisite/internal/operations/config"
	"requisite/internal/text/visible"
)

// credentialFlags are the credential and the address for a request. What is not
// given is taken from the running stack.
type credentialFlags struct {
	baseURL, apiKey, secretKey, authToken, stackFile string
	trust                                            trustFlags
}

// defaultStackFile is where `starter up` describes the running stack.
const defaultStackFile = ".stack/stack.json"

func (f *credentialFlags) bind(c *cobra.Command) {
	flags := c.Flags()
	config.String(flags, &f.baseURL, "base-url", "REQUISITE_BASE_URL", "", "address of the API (default: the running stack's)")
	config.String(flags, &f.apiKey, "api-key", "REQUISITE_API_KEY", "", "API key (default: the stack's first account's)")
	config.String(flags, &f.secretKey, "secret-key", "REQUISITE_SECRET_KEY", "", "secret key in Base64")
	config.Secret(flags, "secret-key")
	config.String(flags, &f.authToken, "auth-token", "REQUISITE_AUTH_TOKEN", "", "auth token")
	config.Secret(flags, "auth-token")
	f.trust.bind(flags)
	flags.StringVar(&f.stackFile, "stack", defaultStackFile, "the `FILE` that a running starter up wrote of itself")
	c.PreRunE = config.Load
}

// client signs with the credential of the flags, or else with that which the stack
// has for an account; without an account, for its first.
func (f *credentialFlags) client(account string) (*requisite.Client, error) {
	if f.apiKey == "" {
		s, err := readStack(f.stackFile)
		if err != nil {
			return nil, fmt.Errorf("%w; start one with `starter up`, or give --base-url, --api-key, --secret-key and --auth-token", err)
		}
		as, err := s.account(account)
		if err != nil {
			return nil, err
		}
		f.apiKey, f.secretKey, f.authToken = as.APIKey, as.SecretKey, as.AuthToken
		if f.baseURL == "" {
			f.baseURL = s.BaseURL
		}
	}
	err := errors.Join(
		config.Required(f.baseURL, "base-url", "REQUISITE_BASE_URL"),
		config.Required(f.secretKey, "secret-key", "REQUISITE_SECRET_KEY"),
		config.Required(f.authToken, "auth-token", "REQUISITE_AUTH_TOKEN"),
	)
	if err != nil {
		return nil, err
	}
	signer, err := requisite.NewSigner(f.apiKey, f.secretKey, f.authToken)
	if err != nil {
		return nil, err
	}
	client, err := f.trust.client(time.Minute)
	if err != nil {
		return nil, err
	}
	return &requisite.Client{BaseURL: f.baseURL, Signer: signer, HTTP: client}, nil
}

func callCommand() *cobra.Command {
	var f credentialFlags
	var key string
	c := &cobra.Command{
		Use:   "call OPERATION [JSON | -]",
		Short: "Sign a request, send it and print the answer",
		Long: `Sign a request, send it and print the answer. JSON defaults to {}; - reads it from
standard input. Without credentials it uses those of the first account of the
running stack.`,
		Example: `  starter call meta.checkVersion
  starter call account.get '{"account_id":"sb_…"}'`,
		Args: cobra.RangeArgs(1, 2),
	}
	f.bind(c)
	c.Flags().StringVar(&key, "idempotency-key", "", "make this request safe to repeat")
	c.RunE = func(c *cobra.Command, args []string) error {
		body := []byte("{}")
		if len(args) == 2 {
			body = []byte(args[1])
			if args[1] == "-" {
				var err error
				if body, err = io.ReadAll(c.InOrStdin()); err != nil {
					return fmt.Errorf("read standard input: %w", err)
				}
			}
		}
		client, err := f.client("")
		if err != nil {
			return err
		}
		var options []requisite.Option
		if key != "" {
			options = append(options, requisite.IdempotencyKey(key))
		}
		answer, err := client.Send(c.Context(), args[0], body, options...)
		if err != nil {
			return err
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, answer.Body, "", "  "); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
		fmt.Fprint(c.OutOrStdout(), pretty.String())
		if len(answer.Errors) > 0 {
			return errRefused
		}
		return nil
	}
	return c
}

// stack describes a running stack, in a file that only its owner can read.
type stack struct {
	BaseURL         string         `json:"base_url"`
	TemporalUIURL   string         `json:"temporal_ui_url"`
	TemporalAddress string         `json:"temporal_address"`
	Namespace       string         `json:"namespace"`
	DatabaseURL     string         `json:"database_url"`
	Accounts        []stackAccount `json:"accounts"`
	// Metrics are the addresses of /metrics, by program.
	Metrics map[string]string `json:"metrics"`
}

type stackAccount struct {
	OrganizationID string `json:"organization_id"`
	AccountID      string `json:"account_id"`
	APIKey         string `json:"api_key"`
	SecretKey      string `json:"secret_key"`
	AuthToken      string `json:"auth_token"`
}

// account is one account of the stack, the first without an id.
func (s stack) account(id string) (stackAccount, error) {
	var ids []string
	for _, a := range s.Accounts {
		if a.AccountID == id || id == "" {
			return a, nil
		}
		ids = append(ids, a.AccountID)
	}
	return stackAccount{}, fmt.Errorf("the running stack has no credential for account %s: its accounts are %s; for others give --api-key, --secret-key and --auth-token", visible.Line(id), strings.Join(ids, ", "))
}

func readStack(path string) (stack, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return stack{}, fmt.Errorf("no stack is running here: there is no %s; --stack names that of another directory", path)
	}
	var s stack
	if err := json.Unmarshal(data, &s); err != nil || len(s.Accounts) == 0 {
		return stack{}, errors.New(path + " does not describe a running stack")
	}
	return s, nil
}
