package requisite

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
)

type vectors struct {
	Keys    map[string]string
	Vectors []struct {
		Name     string
		Accepted bool
		Now      int64
		Headers  map[string]string
		Body     string
		Event    json.RawMessage
	}
}

func (v vectors) secret(_ context.Context, accountID, keyID string) (string, error) {
	if secret, ok := v.Keys[accountID+"/"+keyID]; ok {
		return secret, nil
	}
	return "", ErrUnknownKey
}

func unseen(context.Context, string) (bool, error) { return false, nil }

func TestWebhookVectors(t *testing.T) {
	var file vectors
	read(t, "../../docs/webhook-vectors.json", &file)
	if len(file.Vectors) < 47 {
		t.Fatal("vectors are missing")
	}
	for _, v := range file.Vectors {
		header := http.Header{}
		for name, value := range v.Headers {
			header.Set(name, value)
		}
		w, err := VerifyAndDecrypt(t.Context(), []byte(v.Body), header, time.Unix(v.Now, 0), file.secret, unseen)
		if _, asText := VerifyAndDecrypt(t.Context(), v.Body, header, time.Unix(v.Now, 0), file.secret, unseen); (asText == nil) != (err == nil) {
			t.Errorf("%s, as text: %v", v.Name, asText)
		}
		var refused *WebhookRefused
		if v.Accepted != (err == nil) || (err != nil && !errors.As(err, &refused)) {
			t.Errorf("%s: %v", v.Name, err)
		} else if v.Accepted {
			got, _ := json.Marshal(w)
			var g, want any
			_ = json.Unmarshal(got, &g)
			_ = json.Unmarshal(v.Event, &want)
			event := want.(map[string]any)
			if workflow, ok := event["data"].(map[string]any)["workflow_id"]; ok && event["test"] == nil {
				event["workflow_id"] = workflow
			}
			if event["retry_count"] == 0.0 {
				delete(event, "retry_count") // Event has no value for absent
			}
			if !reflect.DeepEqual(g, want) {
				t.Errorf("%s: %s is not %s", v.Name, got, v.Event)
			}
		}
	}
}

// TestVerifyAndDecrypt_RefusesLineBreaksInTheToken: RFC 7515 forbids them, but Base64 decoders
// skip them.
func TestVerifyAndDecrypt_RefusesLineBreaksInTheToken(t *testing.T) {
	const secret = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="
	body, header := seal(t, secret, time.Now())
	broken := body[:len(body)-len(`0"}`)] + `\n` + body[len(body)-len(`0"}`):]
	if !strings.HasSuffix(body, `"}`) || !json.Valid([]byte(broken)) {
		t.Fatal("this test needs data to be the last field:", body)
	}
	known := func(context.Context, string, string) (string, error) { return secret, nil }
	if _, err := VerifyAndDecrypt(t.Context(), []byte(body), header, time.Now(), known, unseen); err != nil {
		t.Fatal(err)
	}
	var refused *WebhookRefused
	if _, err := VerifyAndDecrypt(t.Context(), []byte(broken), header, time.Now(), known, unseen); !errors.As(err, &refused) || refused.Status != http.StatusBadRequest {
		t.Error(err)
	}
}

func TestVerifyAndDecrypt_DropsRepeats(t *testing.T) {
	const secret = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="
	body, header := seal(t, secret, time.Now())
	known := func(context.Context, string, string) (string, error) { return secret, nil }
	processed, away := map[string]bool{}, errors.New("the database is away")
	seen := func(_ context.Context, id string) (bool, error) { return processed[id], nil }
	event, err := VerifyAndDecrypt(t.Context(), []byte(body), header, time.Now(), known, seen)
	if err != nil || event.ID != "wh_1" || !strings.Contains(string(event.Data), "ENDED") {
		t.Fatal(event, err)
	}
	processed["wh_1"] = true
	if event, err = VerifyAndDecrypt(t.Context(), []byte(body), header, time.Now(), known, seen); !errors.Is(err, ErrRepeat) || event.Data != nil {
		t.Fatal("a repeat is not dropped:", event, err)
	}
	seen = func(context.Context, string) (bool, error) { return false, away }
	if event, err = VerifyAndDecrypt(t.Context(), []byte(body), header, time.Now(), known, seen); !errors.Is(err, away) || event.Data != nil {
		t.Fatal(event, err)
	}
	asked := false
	seen = func(context.Context, string) (bool, error) { asked = true; return true, nil }
	var refused *WebhookRefused
	if _, err = VerifyAndDecrypt(t.Context(), []byte(body), http.Header{}, time.Now(), known, seen); !errors.As(err, &refused) || asked {
		t.Fatal("a request is looked up before it is verified:", err)
	}
}

func TestReceiver_ProcessesAnEventOnce(t *testing.T) {
	const secret = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="
	body, header := seal(t, secret, time.Now())
	fails := errors.New("not today")
	handled := 0
	var logged error
	r := &Receiver{
		Secrets:   func(context.Context, string, string) (string, error) { return secret, nil },
		Processed: &Memory{},
		Handle: func(_ context.Context, w Event) error {
			handled++
			var content struct{ State string }
			if w.Content(&content) != nil || content.State != "ENDED" {
				t.Error(string(w.Data))
			}
			return fails
		},
		Log: func(err error) { logged = err },
	}
	send := func(method string, body string) int {
		q := httptest.NewRequest(method, "/webhooks", strings.NewReader(body))
		q.Header = header
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		return w.Code
	}
	if got := send("POST", body); got != 500 || !errors.Is(logged, fails) {
		t.Fatal("an event that failed must be sent again:", got, logged)
	}
	fails = nil
	if got := send("POST", body); got != 204 || handled != 2 {
		t.Fatal(got, handled)
	}
	if got := send("POST", body); got != 204 || handled != 2 {
		t.Fatal("a repeated event was processed again:", got, handled)
	}
	if claim, _ := r.Processed.Claim(t.Context(), "wh_2"); claim != Claimed {
		t.Fatal(claim)
	}
	if claim, _ := r.Processed.Claim(t.Context(), "wh_2"); claim != InProcess {
		t.Fatal(claim)
	}
	if send("GET", "") != 405 || send("POST", "{}") != 400 || send("POST", strings.Repeat(" ", 2<<20)) != 413 {
		t.Error("a request that is no webhook was accepted")
	}
}

func TestReceiver_GivesTestsToAHandlerThatAsksForThem(t *testing.T) {
	const secret = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM="
	body, header := sealContent(secret, time.Now(), `{"version":"1.0","workflow_id":"w_1","state":"ENDED","test":true}`)
	var handled []Event
	for _, asked := range []bool{false, true} {
		r := &Receiver{
			Secrets:   func(context.Context, string, string) (string, error) { return secret, nil },
			Processed: &Memory{},
			Handle: func(_ context.Context, e Event) error {
				handled = append(handled, e)
				return nil
			},
			Tests: asked,
		}
		q := httptest.NewRequest(http.MethodPost, "/webhooks", strings.NewReader(body))
		q.Header = header
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		if w.Code != http.StatusNoContent {
			t.Error(w.Code, w.Body)
		}
	}
	if len(handled) != 1 || !handled[0].Test || handled[0].WorkflowID != "" { // its workflow does not exist
		t.Error(handled)
	}
}

// seal encrypts a webhook as the service does.
func seal(t *testing.T, sharedSecret string, at time.Time) (body string, header http.Header) {
	t.Helper()
	return sealContent(sharedSecret, at, `{"version":"1.0","state":"ENDED","later":1}`)
}

func sealContent(sharedSecret string, at time.Time, content string) (body string, header http.Header) {
	secret, _ := base64.StdEncoding.DecodeString(sharedSecret)
	block, _ := aes.NewCipher(secret)
	gcm, _ := cipher.NewGCM(block)
	iat := fmt.Sprint(at.Unix())
	clear := `"id":"wh_1","event_type":"WORKFLOW_COMPLETED","timestamp":"2025-11-21T10:15:29.417Z","account_id":"sb_1","schema_version":"2025-11-21","retry_count":0`
	encode := base64.RawURLEncoding.EncodeToString
	protected := encode([]byte(`{"alg":"dir","enc":"A256GCM","kid":"whk_1",` + clear + `,"iat":` + iat + `}`))
	nonce := make([]byte, 12)
	_, _ = rand.Read(nonce)
	sealed := gcm.Seal(nil, nonce, []byte(content), []byte(protected))
	token := strings.Join([]string{protected, "", encode(nonce), encode(sealed[:len(sealed)-16]), encode(sealed[len(sealed)-16:])}, ".")
	return `{` + clear + `,"key_id":"whk_1","data":"` + token + `"}`, http.Header{"Webhook-Id": {"wh_1"}, "Webhook-Timestamp": {iat}}
}
