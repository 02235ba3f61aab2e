package local

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"requisite/internal/secrets/codec"
	"requisite/internal/secrets/vault"
	"requisite/starter/cli"
)

// serveCodec serves the codec endpoint for the Temporal UI of this stack. A browser signs in
// with the URL.
func serveCodec(ctx context.Context, f files, base ready, listener net.Listener) (signInURL string, stop func() error, err error) {
	token, err := stackToken(f.codecToken)
	if err != nil {
		return "", nil, err
	}
	keys, err := vault.Keyset{File: f.payloadKey}.Load(ctx)
	if err != nil {
		return "", nil, err
	}
	address := listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", nil, err
	}
	endpoint, err := codec.NewEndpoint(keys, codec.Access{
		Token: token, Origins: []string{base.TemporalUIURL}, Hosts: []string{address, "localhost:" + port},
	}, slog.Default())
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w; remove the file, and starter up makes a new one", f.codecToken, err)
	}
	server := &http.Server{Handler: endpoint, ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return codecURL(listener) + endpoint.SignInLink(), func() error {
		err := server.Close()
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}, nil
}

func codecURL(listener net.Listener) string { return "http://" + listener.Addr().String() }

// stackToken reads the token of the codec endpoint, or makes one.
func stackToken(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err == nil || !errors.Is(err, os.ErrNotExist) {
		return strings.TrimSpace(string(data)), err
	}
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	token := hex.EncodeToString(random)
	return token, cli.WritePrivateText(path, token)
}
