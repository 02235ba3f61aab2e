// A webhook receiver: go run ./examples/receivers/go
//
// REQUISITE_WEBHOOK_KEYS names a JSON file {"ACCOUNT_ID/KEY_ID": "SHARED_SECRET"}; PORT is 8080 unless set.
//
// The order of the checks is what makes this safe. The clear fields of a body only choose the secret; nothing else is
// done with them until the decryption has shown who wrote them. An id is remembered only after the event has been
// processed, and success is answered only after that, so that an event which could not be processed comes again.
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

// clearFields stand in the body and, protected by the encryption, in the token's header; optionalFields in both or in
// neither.
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
	Replay        bool            `json:"replay,omitempty"` // you asked for it with webhook.event.replay
	Data          json.RawMessage `json:"data"`             // decrypted
}

// refusal is what the sender is told. Its status is never 410, which would disable the endpoint: after any other
// refusal the event is sent again later.
type refusal struct {
	status int
	reason string
}

func (r refusal) Error() string { return r.reason }

// open returns the event of a request once all of it is known to come from the service.
func open(body []byte, headers http.Header, now time.Time, secret func(account, key string) ([]byte, error)) (event, error) {
	var envelope map[string]any // a struct would take other spellings of a name, and zero for a missing field
	if err := json.Unmarshal(body, &envelope); err != nil {
		return event{}, refusal{400, "the body is not a JSON object"}
	}
	account, _ := envelope["account_id"].(string)
	keyID, _ := envelope["key_id"].(string)
	data, _ := envelope["data"].(string)
	key, err := secret(account, keyID) // key ids repeat across accounts
	if err != nil {
		return event{}, err
	}

	// One algorithm each, whatever the token says of itself.
	token, err := jose.ParseEncryptedCompact(data, []jose.KeyAlgorithm{jose.DIRECT}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return event{}, refusal{400, "data is not a compact JWE with dir and A256GCM"}
	}
	payload, err := token.Decrypt(key)
	if err != nil {
		return event{}, refusal{401, "data does not decrypt with the secret of this account_id and key_id"}
	}

	// From here on the header is trusted, and the body as far as it says the same.
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
	e.KeyID, e.Data = keyID, payload
	return e, nil
}

// process is where your work goes. After an error the event is not remembered, and comes again. Events of a workflow may
// come in any order: what one tells of a record replaces what you have only if its sequence is higher than that of the
// event you have it from. Nothing has happened if the content says "test": webhook.config.test sent it.
func process(e event) error { return json.NewEncoder(os.Stdout).Encode(e) }

type receiver struct {
	keyFile string
	process func(event) error
	mu      sync.Mutex
	secrets map[string][]byte // by "account_id/key_id"
	// done holds an id from the start of its processing; true says that it has ended. A real receiver keeps the ids in
	// its database, where they survive a restart: a unique column, written in the transaction of the processing.
	done map[string]bool
}

// secret reads the file again when it does not know a key: a new one may have been stored since.
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
