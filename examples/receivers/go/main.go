// A webhook receiver: go run ./examples/receivers/go
//
// REQUISITE_WEBHOOK_KEYS names a JSON file {"ACCOUNT_ID/KEY_ID": "SHARED_SECRET"}; PORT is 8080 unless set.
//
// Keep the order of the checks: it makes the receiver safe. The clear fields of a body only select the secret. Do not
// use them for anything else before the decryption has verified them. Store an id only after the event was processed,
// and answer success only after that. The service then sends an event again whose processing failed.
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	maxBody = 1 << 20
	maxAge  = 5 * time.Minute
)

// clearFields are in the body and in the token's authenticated header. optionalFields are in both or in neither.
var (
	clearFields    = []string{"id", "event_type", "timestamp", "account_id", "schema_version", "key_id", "retry_count"}
	optionalFields = []string{"sequence", "replay"}
)

type event struct {
	ID            string          `json:"id"`
	EventType     string          `json:"event_type"`
	Timestamp     string          `json:"timestamp"`
	AccountID     string          `json:"account_id"`
	Sequence      int64           `json:"sequence,omitempty"` // see process
	SchemaVersion string          `json:"schema_version"`
	KeyID         string          `json:"key_id"`
	RetryCount    int             `json:"retry_count"`
	Replay        bool            `json:"replay,omitempty"` // sent by webhook.event.replay
	Test          bool            `json:"test,omitempty"`   // sent by webhook.config.test, as the content says
	Data          json.RawMessage `json:"data"`             // decrypted
}

// refusal is an error response. Its status is never 410, which would disable the endpoint. After any other status the
// service sends the event again later.
type refusal struct {
	status int
	reason string
}

func (r refusal) Error() string { return r.reason }

// open verifies a request, and returns its decrypted event.
func open(body []byte, headers http.Header, now time.Time, secret func(account, key string) ([]byte, error)) (event, error) {
	var envelope map[string]any // a struct would take other spellings of a name, and zero for a missing field
	if err := json.Unmarshal(body, &envelope); err != nil {
		return event{}, refusal{400, "the body is not a JSON object"}
	}
	account, _ := envelope["account_id"].(string)
	keyID, _ := envelope["key_id"].(string)
	data, _ := envelope["data"].(string)
	key, err := secret(account, keyID) // different accounts have keys with the same id
	if err != nil {
		return event{}, err
	}

	// Accept only these algorithms, whatever the token asks for.
	token, err := jose.ParseEncryptedCompact(data, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return event{}, refusal{400, "data is not a compact JWE with dir and A256GCM"}
	}
	payload, err := token.Decrypt(key)
	if err != nil {
		return event{}, refusal{401, "data does not decrypt with the secret of this account_id and key_id"}
	}

	// The decryption has verified the header. The body must match it.
	encoded, _, _ := strings.Cut(data, ".")
	header, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return event{}, refusal{400, "the protected header is not Base64url"}
	}
	var protected map[string]any
	e := event{}
	if json.Unmarshal(header, &protected) != nil || json.Unmarshal(header, &e) != nil {
		return event{}, refusal{400, "the protected header is not that of a webhook"}
	}
	protected["key_id"] = protected["kid"]
	for _, field := range clearFields {
		if protected[field] == nil || !reflect.DeepEqual(envelope[field], protected[field]) {
			return event{}, refusal{401, field + " differs from the protected header"}
		}
	}
	for _, field := range optionalFields {
		if !reflect.DeepEqual(envelope[field], protected[field]) {
			return event{}, refusal{401, field + " differs from the protected header"}
		}
	}
	issuedAt, _ := protected["iat"].(float64)
	iat := int64(issuedAt)
	if headers.Get("webhook-id") != e.ID || headers.Get("webhook-timestamp") != strconv.FormatInt(iat, 10) {
		return event{}, refusal{401, "the request's headers differ from the protected header"}
	}
	if age := now.Sub(time.Unix(iat, 0)); age > maxAge || age < -maxAge {
		return event{}, refusal{401, "iat is more than five minutes away from this machine's clock"}
	}
	var content struct{ Test bool }
	if err := json.Unmarshal(payload, &content); err != nil {
		return event{}, refusal{400, "the content is not that of an event"}
	}
	e.KeyID, e.Data, e.Test = keyID, payload, content.Test
	return e, nil
}

// process is where your work goes. If it returns an error, the service sends the event again. Events of a workflow may
// arrive in any order: update a record only if the sequence is higher than that of the event of its last update. Ignore
// an event with Test: webhook.config.test sent it, and nothing has happened.
func process(e event) error { return json.NewEncoder(os.Stdout).Encode(e) }

type receiver struct {
	keyFile string
	process func(event) error
	mu      sync.Mutex
	secrets map[string][]byte // by "account_id/key_id"
	// done has an id from the start of its processing, and true when the processing has ended. A real receiver stores the
	// ids in its database: in a unique column, written in the transaction of the processing.
	done map[string]bool
}

// secret reads the file again for an unknown key, which may be new.
func (r *receiver) secret(account, key string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := account + "/" + key
	if _, ok := r.secrets[name]; !ok {
		text, err := os.ReadFile(r.keyFile)
		if err != nil {
			return nil, err
		}
		var secrets map[string][]byte // encoding/json decodes Base64
		if err := json.Unmarshal(text, &secrets); err != nil {
			return nil, fmt.Errorf("%s: %w", r.keyFile, err)
		}
		r.secrets = secrets
	}
	if secret, ok := r.secrets[name]; ok {
		return secret, nil
	}
	return nil, refusal{401, "no secret is stored for this account_id and key_id"}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		http.Error(w, "the body is larger than 1 MiB", http.StatusRequestEntityTooLarge)
		return
	} else if err != nil {
		http.Error(w, "the body did not arrive whole", http.StatusBadRequest)
		return
	}
	e, err := open(body, q.Header, time.Now(), r.secret)
	var refused refusal
	if errors.As(err, &refused) {
		http.Error(w, refused.reason, refused.status)
		return
	} else if err != nil {
		log.Print(err)
		http.Error(w, "not processed", http.StatusInternalServerError)
		return
	}

	r.mu.Lock()
	done, known := r.done[e.ID]
	if !known {
		r.done[e.ID] = false
	}
	r.mu.Unlock()
	if done {
		w.WriteHeader(http.StatusOK)
		return
	}
	if known {
		http.Error(w, "an earlier attempt is still being processed", http.StatusConflict)
		return
	}
	processed := false
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if processed {
			r.done[e.ID] = true
		} else {
			delete(r.done, e.ID)
		}
	}()
	if err := r.process(e); err != nil {
		log.Printf("process %s: %v", e.ID, err)
		http.Error(w, "not processed", http.StatusInternalServerError)
		return
	}
	processed = true
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	mux := http.NewServeMux()
	mux.Handle("POST /webhooks", &receiver{keyFile: os.Getenv("REQUISITE_WEBHOOK_KEYS"), process: process, done: map[string]bool{}})
	server := &http.Server{Handler: mux, ReadTimeout: 30 * time.Second}
	log.Fatal(server.Serve(listener))
}
