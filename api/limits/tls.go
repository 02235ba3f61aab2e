package limits

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Certificate reads a certificate from files, and reads it again when they change. The
// api therefore uses a renewed certificate without a restart.
type Certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu        sync.Mutex
	loaded    *tls.Certificate
	asOf      fileTimes // of the loaded files
	looked    time.Time
	complaint string // the last one that was logged
}

// fileTimes are the modification times of the two files.
type fileTimes struct{ cert, key time.Time }

// lookAgain is how often the files are checked.
const lookAgain = 10 * time.Second

// OpenCertificate reads a certificate from two files. It returns nil for two empty names.
func OpenCertificate(certFile, keyFile string) (*Certificate, error) {
	if certFile == "" && keyFile == "" {
		return nil, nil
	}
	if certFile == "" || keyFile == "" {
		return nil, errors.New("--tls-cert-file and --tls-key-file belong together; set both or neither")
	}
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: slog.New(slog.DiscardHandler)}
	if _, err := c.get(time.Now()); err != nil {
		return nil, err
	}
	return c, nil
}

// Config returns a configuration that serves the certificate. It logs a renewed
// certificate that cannot be used.
func (c *Certificate) Config(log *slog.Logger) *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = log
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"}, // see NewHTTPServer
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.get(time.Now())
		},
	}
}

// End returns when the certificate in use expires.
func (c *Certificate) End() time.Time {
	got, err := c.get(time.Now())
	if err != nil {
		return time.Time{}
	}
	return got.Leaf.NotAfter
}

// get returns the newest valid certificate. While the files are broken, it returns the
// old one, and reads the files again until they are valid.
func (c *Certificate) get(now time.Time) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded != nil && now.Sub(c.looked) < lookAgain {
		return c.loaded, nil
	}
	c.looked = now
	asOf, err := c.times()
	if err == nil && (c.loaded == nil || asOf != c.asOf) {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile); err == nil {
			c.loaded, c.asOf = &pair, asOf
		}
	}
	if c.loaded == nil {
		return nil, fmt.Errorf("TLS certificate: %w", err)
	}
	c.complain(asOf, err)
	return c.loaded, nil
}

// complain logs an unusable pair of files once per change.
func (c *Certificate) complain(asOf fileTimes, err error) {
	if err == nil {
		c.complaint = ""
		return
	}
	if complaint := fmt.Sprint(asOf, err); complaint != c.complaint {
		c.complaint = complaint
		c.log.Error("cannot use the renewed certificate; the old one stays in use until the files are a valid pair",
			"cert_file", c.certFile, "key_file", c.keyFile, "valid_until", c.loaded.Leaf.NotAfter, "error", err)
	}
}

func (c *Certificate) times() (at fileTimes, err error) {
	for _, file := range []struct {
		name string
		at   *time.Time
	}{{c.certFile, &at.cert}, {c.keyFile, &at.key}} {
		info, err := os.Stat(file.name)
		if err != nil {
			return at, err
		}
		*file.at = info.ModTime()
	}
	return at, nil
}
