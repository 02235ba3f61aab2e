package cli

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	requisite "requisite/clients/go"
	"requisite/internal/config"
	"requisite/internal/text/visible"
)

// CredentialFlags are the credential and the address for a request. Without them, it uses
// the running stack.
type CredentialFlags struct {
	baseURL, apiKey, secretKey, authToken, StackFile string
	trust                                            TrustFlags
}

// DefaultStackFile is where `starter up` describes the running stack.
const DefaultStackFile = ".stack/stack.json"

func (f *CredentialFlags) Bind(c *cobra.Command) {
	flags := c.Flags()
	config.String(flags, &f.baseURL, "base-url", "REQUISITE_BASE_URL", "", "address of the API (default: the running stack's)")
	config.String(flags, &f.apiKey, "api-key", "REQUISITE_API_KEY", "", "API key (default: the stack's first account's)")
	config.String(flags, &f.secretKey, "secret-key", "REQUISITE_SECRET_KEY", "", "secret key in Base64")
	config.Secret(flags, "secret-key")
	config.String(flags, &f.authToken, "auth-token", "REQUISITE_AUTH_TOKEN", "", "auth token")
	config.Secret(flags, "auth-token")
	f.trust.Bind(flags)
	flags.StringVar(&f.StackFile, "stack", DefaultStackFile, "the `FILE` that describes the running stack")
	c.PreRunE = config.Load
}

// Client signs with the credential of the flags. Without one, it uses the stack's credential for
// an account. An empty account means the first one.
func (f *CredentialFlags) Client(account string) (*requisite.Client, error) {
	source := "--api-key, --secret-key and --auth-token"
	if f.apiKey == "" {
		if f.secretKey != "" || f.authToken != "" {
			return nil, errors.New("--secret-key and --auth-token belong to a credential: " +
				"give its --api-key and the --base-url too, or none of them for the running stack")
		}
		s, err := ReadStack(f.StackFile)
		if err != nil {
			return nil, fmt.Errorf("%w; start one with `starter up`, or give --base-url, --api-key, --secret-key and --auth-token", err)
		}
		as, err := s.Account(account)
		if err != nil {
			return nil, err
		}
		f.apiKey, f.secretKey, f.authToken = as.APIKey, as.SecretKey, as.AuthToken
		source = f.StackFile
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
		return nil, fmt.Errorf("credential of %s: %w", source, err)
	}
	client, err := f.trust.Client(time.Minute)
	if err != nil {
		return nil, err
	}
	return &requisite.Client{BaseURL: f.baseURL, Signer: signer, HTTP: client}, nil
}

// Stack describes a running stack, in a file that only its owner can read.
type Stack struct {
	BaseURL         string         `json:"base_url"`
	TemporalUIURL   string         `json:"temporal_ui_url"`
	TemporalAddress string         `json:"temporal_address"`
	Namespace       string         `json:"namespace"`
	DatabaseURL     string         `json:"database_url"`
	Accounts        []StackAccount `json:"accounts"`
	// Metrics are the addresses of /metrics, by program.
	Metrics map[string]string `json:"metrics"`
}

type StackAccount struct {
	OrganizationID string `json:"organization_id"`
	AccountID      string `json:"account_id"`
	APIKey         string `json:"api_key"`
	SecretKey      string `json:"secret_key"`
	AuthToken      string `json:"auth_token"`
}

// Account finds an account of the stack. An empty id means the first one.
func (s Stack) Account(id string) (StackAccount, error) {
	var ids []string
	for _, a := range s.Accounts {
		if a.AccountID == id || id == "" {
			return a, nil
		}
		ids = append(ids, a.AccountID)
	}
	return StackAccount{}, fmt.Errorf("the running stack has no credential for account %s: its accounts are %s; "+
		"for others give --api-key, --secret-key and --auth-token", visible.Line(id), strings.Join(ids, ", "))
}

func ReadStack(path string) (Stack, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Stack{}, fmt.Errorf("no stack is running here: there is no %s; for a stack of another directory, give --stack", path)
	}
	var s Stack
	if err := json.Unmarshal(data, &s); err != nil || len(s.Accounts) == 0 {
		return Stack{}, errors.New(path + " does not describe a running stack")
	}
	return s, nil
}

// TrustFlags say which certificates an HTTPS client accepts.
type TrustFlags struct{ caFile, serverName string }

func (f *TrustFlags) Bind(flags *pflag.FlagSet) {
	config.String(flags, &f.caFile, "ca-file", "REQUISITE_CA_FILE", "", "CA in PEM of an https server, if the system does not know it")
	flags.StringVar(&f.serverName, "server-name", "", "name that the server's certificate must have, if it is not the address's")
}

func (f *TrustFlags) Client(timeout time.Duration) (*http.Client, error) {
	secure := &tls.Config{ServerName: f.serverName}
	if f.caFile != "" {
		pem, err := os.ReadFile(f.caFile)
		if err != nil {
			return nil, fmt.Errorf("--ca-file: %w", err)
		}
		secure.RootCAs = x509.NewCertPool()
		if !secure.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New("--ca-file contains no certificate in PEM")
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = secure
	return &http.Client{Timeout: timeout, Transport: transport}, nil
}
