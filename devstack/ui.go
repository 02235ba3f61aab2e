package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	uiserver "github.com/temporalio/ui-server/v2/server"
	uiconfig "github.com/temporalio/ui-server/v2/server/config"
	uioptions "github.com/temporalio/ui-server/v2/server/server_options"
)

const uiReadyWithin = 30 * time.Second

// uiServer is the Temporal UI.
type uiServer struct {
	url     string
	server  *uiserver.Server
	stopped chan struct{}
}

// startUI starts the UI and returns once it answers.
func startUI(ctx context.Context, temporalAddress string, port int, o options) (*uiServer, error) {
	u := &uiServer{
		url:     "http://" + address(port),
		server:  uiserver.NewServer(uioptions.WithConfigProvider(uiConfig(temporalAddress, port, o))),
		stopped: make(chan struct{}),
	}
	go func() {
		defer close(u.stopped)
		_ = u.server.Start() // reports nothing: an error ends the process, with the reason in the log
	}()
	if err := u.waitReady(ctx); err != nil {
		return u, fmt.Errorf("start the Temporal UI: %w", err)
	}
	return u, nil
}

func (u *uiServer) stop() {
	u.server.Stop()
	<-u.stopped
}

func (u *uiServer) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, uiReadyWithin)
	defer cancel()
	for {
		if err := u.check(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w", u.url, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (u *uiServer) check(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.url+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return nil
}

func uiConfig(temporalAddress string, port int, o options) *uiconfig.Config {
	return &uiconfig.Config{
		TemporalGRPCAddress: temporalAddress,
		TLS:                 o.tls.ui(),
		Host:                loopback,
		Port:                port,
		EnableUI:            true,
		DefaultNamespace:    o.namespace,
		DisableNewsFetch:    true,
		HideLogs:            true,
		Codec:               uiCodec(port, o),
		CORS: uiconfig.CORS{
			AllowOrigins: []string{
				"http://" + address(port),
				fmt.Sprintf("http://localhost:%d", port),
			},
			CookieInsecure: true, // plain http on the loopback address
		},
	}
}

// uiCodec makes the browser send cookies to a codec server that operators sign in to. Browsers do so only within one site,
// so the message names the host.
func uiCodec(port int, o options) uiconfig.Codec {
	codec := uiconfig.Codec{Endpoint: o.codecEndpoint}
	if o.codecSignIn != "" {
		codec.IncludeCredentials = true
		codec.DefaultErrorLink = o.codecSignIn
		codec.DefaultErrorMessage = "Payloads are encrypted. Sign in to read them, and reload this page at http://" + address(port) + "."
	}
	return codec
}
