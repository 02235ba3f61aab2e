package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// CheckURL says what is wrong with a database URL, with its parameters, and with
// the files that they name. No error repeats what may be a secret.
func CheckURL(text string) error {
	_, err := parseURL(text)
	return err
}

func parseURL(text string) (*pgxpool.Config, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Fragment != "" || strings.Contains(u.EscapedPath(), "@") {
		return nil, errors.New("the database URL cannot be read: it must be of the form postgres://user:password@host:port/database, with / ? # and @ in a password written as %2F %3F %23 and %40")
	}
	config, err := pgxpool.ParseConfig(text)
	if err == nil {
		// Without it, UUIDs are transferred as text, which took a quarter of the api's processor time.
		config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
			pgxuuid.Register(conn.TypeMap())
			return nil
		}
		return config, nil
	}
	// The driver's own message repeats the URL; the wrapped error about TLS
	// names files and no values.
	if inner := errors.Unwrap(err); inner != nil && strings.Contains(err.Error(), ": failed to configure TLS (") {
		return nil, fmt.Errorf("the database URL's TLS parameters cannot be used (sslmode, sslrootcert, sslcert, sslkey): %w", inner)
	}
	return nil, errors.New("the database URL has a parameter that cannot be used, or a port that is none")
}

// TLS describes how a connection to the database is secured, for the log.
func TLS(text string) string {
	config, err := parseURL(text)
	if err != nil {
		return "unknown"
	}
	connect := config.ConnConfig
	for _, f := range connect.Fallbacks {
		if f.Host == connect.Host && (f.TLSConfig == nil) != (connect.TLSConfig == nil) {
			return "if the server offers it; the server is not verified"
		}
	}
	var how string
	switch c := connect.TLSConfig; {
	case c == nil:
		return "none"
	case !c.InsecureSkipVerify:
		how = "the server's certificate and name are verified"
	case c.VerifyPeerCertificate != nil:
		how = "the server's certificate is verified, its name is not"
	default:
		how = "the server is not verified"
	}
	if len(connect.TLSConfig.Certificates) > 0 {
		how += "; with a client certificate"
	}
	return how
}

// advice says what to do when a connection fails because of TLS; empty when TLS
// does not seem to be the cause.
func advice(err error) string {
	has := func(text string) bool { return strings.Contains(err.Error(), text) }
	switch {
	case has("certificate signed by unknown authority"):
		return "; sslrootcert in the database URL must name the CA of the server"
	case has("x509: certificate is"), has("x509: cannot validate"):
		return "; the host in the database URL must be the name in the server's certificate"
	case has("valid client certificate"), has("tls: certificate required"), has("unknown certificate authority"):
		return "; sslcert and sslkey in the database URL must name a client certificate of a CA that the server knows"
	case has("no encryption"):
		return "; the server wants TLS: set sslmode=verify-full and sslrootcert in the database URL"
	case has("server refused TLS connection"):
		return "; the server speaks no TLS: sslmode=disable in the database URL connects in plain text"
	case has("SQLSTATE 28P01"):
		return "; either the password is wrong, or the common name of the client certificate is not the role's"
	}
	return ""
}
