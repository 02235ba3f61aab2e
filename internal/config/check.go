package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"requisite/internal/store/db"
	"requisite/internal/temporalclient"
)

// Check reports every setting that is missing, unreadable or contradicts another. It
// reads files, and opens no connections.
func (s *Service) Check() error {
	return errors.Join(
		s.checkDatabase(),
		s.CheckKEK(),
		s.CheckPayloadKeys(),
		s.checkTemporal(),
		s.CheckListening(),
		s.level().err,
		s.Traces.Check(),
	)
}

func (s *Service) checkDatabase() error {
	if err := Required(s.DatabaseURL, "database-url", "DATABASE_URL"); err != nil {
		return err
	}
	database, err := s.Database()
	if err != nil {
		return err
	}
	return db.CheckURL(database)
}

func (s *Service) checkTemporal() error {
	err := temporalclient.CheckEnvironment()
	// gRPC also takes other forms, such as dns:///host:port.
	if !strings.Contains(s.TemporalAddress, "://") {
		host, port, wrong := net.SplitHostPort(s.TemporalAddress)
		if wrong != nil || host == "" || !isPort(port) || port == "0" {
			err = errors.Join(err, fmt.Errorf("--temporal-address must be host:port, such as 127.0.0.1:7233, not %q", s.TemporalAddress))
		}
	} else if u, wrong := url.Parse(s.TemporalAddress); wrong != nil || strings.HasPrefix(u.Scheme, "http") || u.User != nil {
		err = errors.Join(err, errors.New("--temporal-address must be host:port, such as 127.0.0.1:7233, not a URL; TLS is set by TEMPORAL_TLS"))
	}
	return errors.Join(err, Required(s.TemporalNamespace, "temporal-namespace", "TEMPORAL_NAMESPACE"))
}

// Database is the URL of Postgres, including the password.
func (s *Service) Database() (string, error) {
	if s.DatabasePassword == "" {
		return s.DatabaseURL, nil
	}
	u, err := url.Parse(s.DatabaseURL)
	if err != nil || u.User == nil {
		return "", errors.New("--database-password is set, but --database-url names no user; the URL must be of the form postgres://user@host:port/database")
	}
	if _, set := u.User.Password(); set || u.Query().Has("password") {
		return "", errors.New("--database-url contains a password, and --database-password is set too; use one")
	}
	u.User = url.UserPassword(u.User.Username(), s.DatabasePassword)
	return u.String(), nil
}

// Required is an error for a setting without a value.
func Required(value, flag, env string) error {
	if value != "" {
		return nil
	}
	return fmt.Errorf("--%s (or %s) is not set", flag, env)
}

// Address is an error for a value that is not an address to listen on. It accepts an
// empty value.
func Address(value, flag string) error {
	if value == "" {
		return nil
	}
	if _, port, err := net.SplitHostPort(value); err != nil || !isPort(port) {
		return fmt.Errorf("--%s must be an address to listen on, such as 127.0.0.1:8080, not %q", flag, value)
	}
	return nil
}

func isPort(text string) bool {
	_, err := net.LookupPort("tcp", text)
	return err == nil && text != ""
}

// Apart is an error for two addresses with the same port on the same host.
func Apart(value, flag, otherValue, otherFlag string) error {
	host, port, err := net.SplitHostPort(value)
	otherHost, otherPort, otherErr := net.SplitHostPort(otherValue)
	if err != nil || otherErr != nil || port != otherPort || port == "0" || host != otherHost && !isWildcard(host) && !isWildcard(otherHost) {
		return nil
	}
	return fmt.Errorf("--%s %s and --%s %s use the same port; change one of them", flag, value, otherFlag, otherValue)
}

func isWildcard(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}
