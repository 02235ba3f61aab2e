package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// certificate is read from files, and read again when they change: a renewed one
// is used without a restart.
type certificate struct {
	certFile, keyFile string

	mu     sync.Mutex
	loaded *tls.Certificate
	asOf   time.Time // the newer of the files' times
	looked time.Time
}

// lookAgain is how often the files are looked at.
const lookAgain = 10 * time.Second

// tlsConfig serves the certificate in two files; nil when none are named.
func tlsConfig(certFile, keyFile string) (*tls.Config, error) {
	if certFile == "" && keyFile == "" {
		return nil, nil
	}
	if certFile == "" || keyFile == "" {
		return nil, errors.New("--tls-cert-file and --tls-key-file belong together; give both, or none")
	}
	c := &certificate{certFile: certFile, keyFile: keyFile}
	if _, err := c.get(time.Now()); err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"http/1.1"}, // see newHTTPServer
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.get(time.Now())
		},
	}, nil
}

// get gives the newest certificate that could be read. A broken new one leaves
// the old one in use.
func (c *certificate) get(now time.Time) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded != nil && now.Sub(c.looked) < lookAgain {
		return c.loaded, nil
	}
	c.looked = now
	asOf, err := newest(c.certFile, c.keyFile)
	if err == nil && (c.loaded == nil || asOf.After(c.asOf)) {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.certFile, c.keyFile); err == nil {
			c.loaded, c.asOf = &pair, asOf
		}
	}
	if c.loaded == nil {
		return nil, fmt.Errorf("TLS certificate: %w", err)
	}
	return c.loaded, nil
}

func newest(files ...string) (at time.Time, err error) {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return at, err
		}
		if info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at, nil
}
