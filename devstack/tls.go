package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	"go.temporal.io/server/common/config"
)

// tlsFiles make Temporal's frontend serve TLS and require each client to present a certificate of the CA. The stack's own
// parts, which are clients too, present the frontend's certificate, so it must be valid for 127.0.0.1, and for servers and
// clients. The zero value is plain text.
type tlsFiles struct{ cert, key, ca string }

func (f tlsFiles) used() bool { return f != tlsFiles{} }

func (f tlsFiles) validate() error {
	if f.used() && (f.cert == "" || f.key == "" || f.ca == "") {
		return errors.New("--tls-cert-file, --tls-key-file and --tls-ca-file belong together; set all or none of them")
	}
	return nil
}

// temporal is the configuration of the server.
func (f tlsFiles) temporal() config.RootTLS {
	if !f.used() {
		return config.RootTLS{}
	}
	client := config.ClientTLS{ServerName: loopback, RootCAFiles: []string{f.ca}}
	return config.RootTLS{
		Frontend: config.GroupTLS{
			Server: config.ServerTLS{CertFile: f.cert, KeyFile: f.key, ClientCAFiles: []string{f.ca}, RequireClientAuth: true},
			Client: client,
		},
		SystemWorker: config.WorkerTLS{CertFile: f.cert, KeyFile: f.key, Client: client},
	}
}

func (f tlsFiles) ui() uiconfig.TLS {
	if !f.used() {
		return uiconfig.TLS{}
	}
	return uiconfig.TLS{CaFile: f.ca, CertFile: f.cert, KeyFile: f.key, ServerName: loopback, EnableHostVerification: true}
}

// client is nil for plain text.
func (f tlsFiles) client() (*tls.Config, error) {
	if !f.used() {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert-file: %w", err)
	}
	pem, err := os.ReadFile(f.ca)
	if err != nil {
		return nil, fmt.Errorf("--tls-ca-file: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("--tls-ca-file contains no certificate in PEM")
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
}
