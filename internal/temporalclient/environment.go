package temporalclient

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"requisite/internal/telemetry"

	"go.temporal.io/sdk/contrib/envconfig"
)

// Variable is an environment variable that Temporal's own tools and libraries
// read.
type Variable struct {
	Name, Usage string
	Hidden      bool // its value is a secret, or long
}

// Variables lists the variables for the connection's security. The address and the namespace are
// settings of the programs.
func Variables() []Variable {
	return []Variable{
		{Name: "TEMPORAL_TLS", Usage: "true for TLS, false for plain text; any of the next variables implies TLS"},
		{Name: "TEMPORAL_TLS_SERVER_CA_CERT_PATH", Usage: "file with the server's CA, if the system does not know it"},
		{Name: "TEMPORAL_TLS_SERVER_CA_CERT_DATA", Usage: "the same, in PEM", Hidden: true},
		{Name: "TEMPORAL_TLS_SERVER_NAME", Usage: "name in the server's certificate, if it differs from the address"},
		{Name: "TEMPORAL_TLS_CLIENT_CERT_PATH", Usage: "file with the client certificate, for mTLS"},
		{Name: "TEMPORAL_TLS_CLIENT_CERT_DATA", Usage: "the same, in PEM", Hidden: true},
		{Name: "TEMPORAL_TLS_CLIENT_KEY_PATH", Usage: "file with the private key of the client certificate"},
		{Name: "TEMPORAL_TLS_CLIENT_KEY_DATA", Usage: "the same, in PEM; a secret", Hidden: true},
		{Name: "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION", Usage: "true to trust any server; never in production"},
		{Name: "TEMPORAL_API_KEY", Usage: "API key, such as one from Temporal Cloud; implies TLS; a secret", Hidden: true},
		{Name: "TEMPORAL_CONFIG_FILE", Usage: "configuration file of Temporal's tools, in TOML"},
		{Name: "TEMPORAL_PROFILE", Usage: "profile in the configuration file"},
	}
}

// CheckEnvironment reports contradictions among Temporal's variables, and unreadable files that
// they name.
func CheckEnvironment() error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	const on, unverified = "TEMPORAL_TLS", "TEMPORAL_TLS_DISABLE_HOST_VERIFICATION"
	for _, name := range []string{on, unverified} {
		// Temporal's library ignores any other value, so the connection would differ
		// from what the operator expects.
		if value := strings.ToLower(os.Getenv(name)); value != "" && value != "1" && value != "0" && value != "true" && value != "false" {
			add("%s must be true or false", name)
		}
	}
	if wanted, err := strconv.ParseBool(os.Getenv(on)); err == nil && !wanted {
		for _, v := range Variables() {
			needsTLS := strings.HasPrefix(v.Name, "TEMPORAL_TLS_") || v.Name == "TEMPORAL_API_KEY"
			if needsTLS && os.Getenv(v.Name) != "" {
				add("TEMPORAL_TLS is %s, but %s is set, which needs TLS; unset one of them", os.Getenv(on), v.Name)
			}
		}
	}
	if key := os.Getenv("TEMPORAL_API_KEY"); strings.TrimSpace(key) != key {
		add("TEMPORAL_API_KEY begins or ends with a blank or a line feed; remove it")
	}
	for _, part := range []string{"TEMPORAL_TLS_SERVER_CA_CERT", "TEMPORAL_TLS_CLIENT_CERT", "TEMPORAL_TLS_CLIENT_KEY"} {
		if os.Getenv(part+"_PATH") != "" && os.Getenv(part+"_DATA") != "" {
			add("%s_PATH and %s_DATA are both set; use one", part, part)
		}
	}
	cert := os.Getenv("TEMPORAL_TLS_CLIENT_CERT_PATH") + os.Getenv("TEMPORAL_TLS_CLIENT_CERT_DATA")
	key := os.Getenv("TEMPORAL_TLS_CLIENT_KEY_PATH") + os.Getenv("TEMPORAL_TLS_CLIENT_KEY_DATA")
	if (cert == "") != (key == "") {
		add("TEMPORAL_TLS_CLIENT_CERT_… and TEMPORAL_TLS_CLIENT_KEY_… belong together; set both, or none")
	}
	if len(problems) == 0 {
		if err := checkLoaded(); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

func checkLoaded() error {
	_, err := envconfig.LoadDefaultClientOptions()
	switch {
	case err == nil:
		return nil
	case strings.Contains(err.Error(), "failed parsing config"):
		// The parser quotes the file, which may hold an API key.
		return errors.New("the configuration file of Temporal's tools (TEMPORAL_CONFIG_FILE) is not valid TOML")
	}
	return fmt.Errorf("the settings in Temporal's variables (TEMPORAL_TLS_…, TEMPORAL_PROFILE) are not valid: %w", err)
}

// TLS describes how a connection to Temporal is secured, for the log.
func TLS() string {
	options, err := envconfig.LoadDefaultClientOptions()
	config := options.ConnectionOptions.TLS
	switch {
	case err != nil:
		return "unknown"
	case config == nil || options.ConnectionOptions.TLSDisabled:
		return "none"
	}
	how := "the server's certificate and name are verified"
	if config.InsecureSkipVerify {
		how = "the server is not verified"
	}
	if len(config.Certificates) > 0 {
		how += "; with a client certificate"
	}
	if options.Credentials != nil {
		how += "; with an API key"
	}
	return how
}

// ClientCertificateEnd is when the client certificate for Temporal expires. A client reads
// it when it connects, and not again. ok is false if there is none.
func ClientCertificateEnd() (end time.Time, ok bool) {
	options, err := envconfig.LoadDefaultClientOptions()
	config := options.ConnectionOptions.TLS
	if err != nil || config == nil || options.ConnectionOptions.TLSDisabled || len(config.Certificates) == 0 {
		return time.Time{}, false
	}
	return config.Certificates[0].Leaf.NotAfter, true
}

// throughProxy names the proxy to an address; empty for none.
func throughProxy(address string) string {
	proxy := telemetry.GRPCProxy(address)
	if proxy == "" {
		return ""
	}
	return fmt.Sprintf(" through the proxy %s of HTTPS_PROXY (NO_PROXY names what needs none)", proxy)
}

// advice says what to do when a connection fails because of TLS; empty when TLS
// does not seem to be the cause.
func advice(err error, secure *tls.Config) string {
	has := func(text string) bool { return strings.Contains(err.Error(), text) }
	const clientCertificate = "TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH"
	switch {
	case has("connection refused"), has("no such host"):
		return ""
	case has("certificate signed by unknown authority"):
		return "; TEMPORAL_TLS_SERVER_CA_CERT_PATH must name the CA of the server"
	case has("x509: certificate is"), has("x509: cannot validate"):
		return "; TEMPORAL_TLS_SERVER_NAME must be the name in the server's certificate"
	case has("first record does not look like a TLS handshake"):
		return "; the server speaks plain text: set TEMPORAL_TLS=false, or ask its TLS port"
	case secure == nil:
		return "; the connection is in plain text: if the server wants TLS, set TEMPORAL_TLS=true or the certificates (TEMPORAL_TLS_…, see --help)"
	case len(secure.Certificates) == 0:
		return "; if the server wants a client certificate, set " + clientCertificate
	}
	return "; the server may not accept the client certificate of " + clientCertificate
}
