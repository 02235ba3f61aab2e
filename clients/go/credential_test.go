package requisite

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestCredentialVectors(t *testing.T) {
	var file struct {
		APIKey    string `json:"api_key"`
		SecretKey string `json:"secret_key"`
		AuthToken string `json:"auth_token"`
		Vectors   []struct{ Name, Credential, Value, Fault string }
	}
	read(t, "../../docs/credential-vectors.json", &file)
	var webhooks vectors
	read(t, "../../docs/webhook-vectors.json", &webhooks)
	if len(file.Vectors) < 90 || !webhooks.Vectors[0].Accepted {
		t.Fatal("vectors are missing")
	}
	webhook := webhooks.Vectors[0]
	var clear struct {
		AccountID string `json:"account_id"`
		KeyID     string `json:"key_id"`
	}
	if err := json.Unmarshal([]byte(webhook.Body), &clear); err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	for name, value := range webhook.Headers {
		header.Set(name, value)
	}
	if _, err := New("https://api.example.com", file.APIKey, file.SecretKey, file.AuthToken); err != nil {
		t.Fatal(err)
	}
	for _, v := range file.Vectors {
		var err error
		want := "requisite: the " + v.Credential + " " + v.Fault
		switch v.Credential {
		case "API key":
			_, err = New("https://api.example.com", v.Value, file.SecretKey, file.AuthToken)
		case "secret key":
			_, err = New("https://api.example.com", file.APIKey, v.Value, file.AuthToken)
		case "auth token":
			_, err = New("https://api.example.com", file.APIKey, file.SecretKey, v.Value)
		case "shared secret":
			want = "the shared secret of " + clear.AccountID + "/" + clear.KeyID + " " + v.Fault
			secret := func(context.Context, string, string) (string, error) { return v.Value, nil }
			_, err = VerifyAndDecrypt(t.Context(), webhook.Body, header, time.Unix(webhook.Now, 0), secret, unseen)
		default:
			t.Fatal(v.Credential)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}

// A request whose body was read before gets another error than a forged request.
func TestReceiver_SaysThatTheBodyIsEmpty(t *testing.T) {
	answer := httptest.NewRecorder()
	(&Receiver{}).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(nil)))
	if answer.Code != http.StatusBadRequest || !strings.Contains(answer.Body.String(), "pass on the raw body") {
		t.Error(answer.Code, answer.Body)
	}
}
