package webhooks

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	requisite "requisite/clients/go"
	"requisite/internal/text/visible"
	"requisite/internal/webhooks/webhook"
	"requisite/starter/cli"
)

// Receiver receives an account's webhooks on this machine: it verifies and
// decrypts them, and drops repeated ones.
type Receiver struct {
	Client    *requisite.Client
	AccountID string
	KeysFile  string
	// Took is called for each webhook, repeated ones too.
	Took func(w webhook.Opened, repeated bool)
	// Refused is called for each request that is not a webhook of the account.
	Refused func(error)

	mu   sync.Mutex
	Keys map[string]string // secrets in Base64, by account and key id
	Had  map[string]bool   // events

	server   *http.Server
	serving  chan error
	configID string
}

// maxWebhook limits the body that a receiver reads.
const maxWebhook = 1 << 20

// errOtherKey reports an active key whose secret is not on this machine.
var errOtherKey = errors.New("the account has an active webhook key whose secret is not known here")

// PrepareKey makes sure that the account has an active key whose secret is in the keys file.
// It replaces an active key without a known secret only if replace is set.
func (r *Receiver) PrepareKey(ctx context.Context, replace bool) (made string, err error) {
	if r.Keys, err = ReadKeys(r.KeysFile); err != nil {
		return "", err
	}
	for k, err := range r.Client.WebhookKeyListAll(ctx, requisite.KeyListRequest{AccountID: r.AccountID}) {
		if err != nil {
			return "", err
		}
		if k.Status != "ACTIVE" {
			continue
		}
		if _, known := r.Keys[r.AccountID+"/"+k.KeyID]; known {
			return "", nil
		}
		if !replace {
			return "", fmt.Errorf("%w: %s", errOtherKey, k.KeyID)
		}
	}
	// Check that the file can be written before a key is created: a secret that cannot be
	// stored is lost.
	if err := errors.Join(os.MkdirAll(filepath.Dir(r.KeysFile), 0o700), cli.WritePrivate(r.KeysFile, r.Keys)); err != nil {
		return "", fmt.Errorf("no key was created, because its secret could not be stored: %w", err)
	}
	var key struct {
		KeyID  string `json:"key_id"`
		Secret string `json:"shared_secret"`
	}
	if _, err := r.Client.Call(ctx, "webhook.key.create", map[string]string{"account_id": r.AccountID}, &key); err != nil {
		return "", err
	}
	r.Keys[r.AccountID+"/"+key.KeyID] = key.Secret
	// The secret is stored first: once the key is active, webhooks use it.
	if err := cli.WritePrivate(r.KeysFile, r.Keys); err != nil {
		return "", err
	}
	_, err = r.Client.Call(ctx, "webhook.key.activate", map[string]string{"account_id": r.AccountID, "key_id": key.KeyID}, nil)
	return key.KeyID, err
}

func ReadKeys(path string) (map[string]string, error) {
	keys := map[string]string{}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return keys, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &keys); err != nil {
		return nil, fmt.Errorf("%s does not contain webhook keys", path)
	}
	for name, secret := range keys {
		if decoded, err := base64.StdEncoding.DecodeString(secret); err != nil || base64.StdEncoding.EncodeToString(decoded) != secret || len(decoded) != 32 {
			return nil, fmt.Errorf("%s: the shared secret of %s is not 32 bytes in standard Base64, without anything around it", path, visible.Line(name))
		}
	}
	return keys, nil
}

// Start listens and adds an endpoint. publicURL is the endpoint's URL, if the service cannot
// reach address itself.
func (r *Receiver) Start(ctx context.Context, address, publicURL string, eventTypes []string) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen for webhooks: %w", err)
	}
	r.Had = map[string]bool{}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second}
	r.serving = make(chan error, 1)
	go func() { r.serving <- r.server.Serve(listener) }()
	if publicURL == "" {
		publicURL = "http://" + listener.Addr().String() + "/webhooks"
	}
	config := map[string]any{"url": publicURL, "description": "starter listen"}
	if len(eventTypes) > 0 {
		config["event_types"] = eventTypes
	}
	var made struct {
		ConfigID string `json:"config_id"`
	}
	_, err = r.Client.Call(ctx, "webhook.config.create", map[string]any{"account_id": r.AccountID, "config": config}, &made)
	if err != nil {
		return errors.Join(err, r.Close(ctx))
	}
	r.configID = made.ConfigID
	return nil
}

// Test requests an example of an event of a type.
func (r *Receiver) Test(ctx context.Context, eventType string) error {
	_, err := r.Client.Call(ctx, "webhook.config.test", map[string]string{"config_id": r.configID, "event_type": eventType}, nil)
	return err
}

// Close removes the endpoint and stops listening.
func (r *Receiver) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	var err error
	if r.configID != "" {
		_, err = r.Client.Call(ctx, "webhook.config.delete", map[string]string{"config_id": r.configID}, nil)
	}
	err = errors.Join(err, r.server.Shutdown(ctx))
	if served := <-r.serving; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxWebhook))
	if err == nil && request.Method != http.MethodPost {
		err = errors.New("the method is not POST")
	}
	var opened webhook.Opened
	if err == nil {
		opened, err = webhook.Open(body, request.Header, time.Now(), r.secret)
	}
	if err == nil && opened.AccountID != r.AccountID {
		err = errors.New("the webhook is of another account")
	}
	if err != nil {
		r.Refused(err)
		w.WriteHeader(http.StatusUnauthorized) // it is sent again
		return
	}
	r.mu.Lock()
	repeated := r.Had[opened.ID]
	r.Had[opened.ID] = true
	r.mu.Unlock()
	r.Took(opened, repeated)
	w.WriteHeader(http.StatusNoContent)
}

// secret finds a key's secret. It reads the file again for an unknown key.
func (r *Receiver) secret(accountID, keyID string) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := accountID + "/" + keyID
	if _, known := r.Keys[name]; !known {
		if read, err := ReadKeys(r.KeysFile); err == nil {
			r.Keys = read
		}
	}
	secret, err := base64.StdEncoding.DecodeString(r.Keys[name])
	return secret, err == nil && len(secret) > 0
}
