package db

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxuuid "github.com/vgarvardt/pgx-google-uuid/v5"
)

// CheckURL returns what is wrong with a database URL, with its parameters, and with the files that
// they name. Its error repeats no secret.
func CheckURL(text string) error {
	_, err := parseURL(text)
	return err
}

func parseURL(text string) (*pgxpool.Config, error) {
	if fault := faultOf(text); fault != "" {
		return nil, errors.New("the database URL " + fault)
	}
	config, err := pgxpool.ParseConfig(text)
	if err == nil {
		// Without this, UUIDs are transferred as text, which took a quarter of the api's processor
		// time.
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

// barePercent finds a % that two hexadecimal digits do not follow.
var barePercent = regexp.MustCompile(`%([^0-9A-Fa-f]|.[^0-9A-Fa-f]|.?$)`)

// faultOf returns why a database URL cannot be read, or an empty string. It repeats no part of the
// URL, except for the name of a setting.
func faultOf(text string) string {
	rest, known := strings.CutPrefix(text, "postgres://")
	if !known {
		rest, known = strings.CutPrefix(text, "postgresql://")
	}
	front, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(front, "/") // the user, the password and the host
	parameters, _ := url.ParseQuery(query)
	names := slices.Collect(maps.Keys(parameters))
	_, err := url.Parse(text)
	switch {
	case strings.ContainsAny(text, "\r\n"):
		return "contains a line feed; remove it"
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, `'`), strings.HasSuffix(text, `"`), strings.HasSuffix(text, `'`):
		return "is in quotes; remove them"
	case strings.TrimSpace(text) != text:
		return "begins or ends with a blank; remove it"
	case !known:
		return "must begin with postgres:// or postgresql://, as postgres://user:password@host:port/database"
	case strings.Contains(rest, " "):
		return "contains a blank; write it as %20"
	case strings.ContainsFunc(text, unicode.IsControl):
		return "contains a control character; write it as % with two hexadecimal digits"
	case barePercent.MatchString(text):
		return "contains a % without two hexadecimal digits after it; write % as %25"
	case strings.Contains(rest, "#"):
		return "contains a #; write it as %23"
	case strings.Count(authority, "@") > 1, strings.Contains(path, "@"):
		return "contains a / or an @ in its user or password; write / as %2F and @ as %40"
	case strings.ContainsAny(strings.Join(names, ""), "@:/"):
		return "contains a ? in its user or password; write it as %3F"
	case err != nil && strings.Contains(authority, ","):
		return "cannot be read: where it names several hosts, each needs its port, as host1:5432,host2:5432"
	case err != nil:
		return "cannot be read: a port must be a number, " +
			"and of other characters than letters and digits in a user or password each must be written as % with two hexadecimal digits"
	}
	for _, name := range names {
		if isSessionSetting(name) {
			return "sets " + strings.ToLower(name) + ", which each program sets itself; remove it"
		}
	}
	return ""
}

// TLS describes, for the log, how a connection to the database is secured.
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
	if _, ok := ClientCertificateEnd(text); ok {
		how += "; with a client certificate"
	}
	return how
}

// ClientCertificateEnd returns when the client certificate of a database URL expires. Each new
// connection reads the certificate's file. ok is false if there is none.
func ClientCertificateEnd(text string) (end time.Time, ok bool) {
	config, err := parseURL(text)
	if err != nil || config.ConnConfig.TLSConfig == nil {
		return time.Time{}, false
	}
	_, query, _ := strings.Cut(text, "?")
	parameters, _ := url.ParseQuery(query)
	chain, err := os.ReadFile(cmp.Or(parameters.Get("sslcert"), os.Getenv("PGSSLCERT")))
	if err != nil {
		return time.Time{}, false
	}
	block, _ := pem.Decode(chain)
	if block == nil {
		return time.Time{}, false
	}
	first, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return time.Time{}, false
	}
	return first.NotAfter, true
}

// minServer is the oldest major version of Postgres that the schema supports.
const minServer = 15

// checkVersion refuses a server that is too old. It runs for every new connection, because a
// failover may lead to another server. A version that cannot be read is accepted.
func checkVersion(version string) error {
	var major int
	if _, err := fmt.Sscanf(version, "%d", &major); err == nil && major < minServer {
		return fmt.Errorf("the server is Postgres %s, and Requisite needs %d or newer; upgrade it, or name another in the database URL", version, minServer)
	}
	return nil
}

// Advise adds advice to the error of a connection, on one line.
func Advise(err error) error {
	if err == nil || errors.As(err, new(onOneLine)) { // it has advice already
		return err
	}
	return onOneLine{fmt.Errorf("%w%s", err, advice(err))}
}

// onOneLine is an error whose text has no line breaks. The driver lists every attempt on a line of
// its own.
type onOneLine struct{ error }

func (e onOneLine) Unwrap() error { return e.error }

func (e onOneLine) Error() string {
	var lines []string
	for line := range strings.Lines(e.error.Error()) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// advice says what to do when a connection, or the first statement of a program, fails. It is empty
// when the error says it.
func advice(err error) string {
	has := func(text string) bool { return strings.Contains(err.Error(), text) }
	switch {
	case has("SQLSTATE 28000") && has("does not exist"):
		return "; create the role with CREATE ROLE … LOGIN PASSWORD …, " +
			"and give it its rights with `starter migrate --api-role … --worker-role …`, " +
			"or name another in the database URL"
	case has("SQLSTATE 3D000"):
		return "; create the database with CREATE DATABASE … OWNER …, and run `starter migrate`, or name another in the database URL"
	case has("permission denied to set role"):
		return "; the role in the database URL must be a member of it: an administrator runs GRANT … TO …"
	case has("SQLSTATE 42501"):
		return "; run `starter migrate` with this role as --api-role or --worker-role"
	case has("SQLSTATE 42P01"), has("SQLSTATE 42883"):
		return "; the schema is missing or old: run `starter migrate`"
	case has("SQLSTATE 42704"):
		return "; create the role first, with CREATE ROLE … LOGIN PASSWORD …"
	case has("read only connection"): // from target_session_attrs=read-write
		return "; every server that answers is a standby or read-only: promote one (docs/operating/postgres.md)"
	case has("certificate signed by unknown authority"):
		return "; sslrootcert in the database URL must name the CA of the server"
	case has("x509: certificate is"), has("x509: cannot validate"):
		return "; the host in the database URL must be the name in the server's certificate"
	case has("valid client certificate"), has("tls: certificate required"), has("unknown certificate authority"):
		return "; sslcert and sslkey in the database URL must name a client certificate of a CA that the server knows"
	case has("no encryption"):
		return "; the server wants TLS: set sslmode=verify-full and sslrootcert in the database URL"
	case has("unsupported startup parameter"):
		return "; the pooler passes this parameter on to no server: remove it from the database URL, and from PGOPTIONS"
	case has("SQLSTATE 53100"), has("No space left on device"), has("could not write init file"):
		return "; the disk of Postgres is full"
	case has("SQLSTATE 57P03"):
		return "; Postgres is starting, or recovers from a crash: see its log, and whether its disk is full"
	case has("server refused TLS connection") && !has("SQLSTATE"): // if the server then refused the plain connection, that error is already there
		return "; the server speaks no TLS: sslmode=disable in the database URL connects in plain text"
	case has("SQLSTATE 28P01"):
		return "; either the role does not exist, or its password is wrong, or the common name of the client certificate is not the role's"
	}
	return ""
}
