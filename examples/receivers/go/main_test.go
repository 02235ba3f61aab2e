package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../../../docs/webhook-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Keys    map[string]string
		Vectors []struct {
			Name     string
			Accepted bool
			Now      int64
			Headers  map[string]string
			Body     string
			Event    any
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	secret := func(account, key string) ([]byte, error) {
		if s, ok := file.Keys[account+"/"+key]; ok {
			return base64.StdEncoding.DecodeString(s)
		}
		return nil, refusal{401, "unknown key"}
	}
	for _, v := range file.Vectors {
		headers := http.Header{}
		for name, value := range v.Headers {
			headers.Set(name, value)
		}
		e, err := open([]byte(v.Body), headers, time.Unix(v.Now, 0), secret)
		if !v.Accepted {
			var refused refusal
			if !errors.As(err, &refused) {
				t.Errorf("%s: not refused, but %v", v.Name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		printed, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := json.Unmarshal(printed, &got); err != nil || !reflect.DeepEqual(got, v.Event) {
			t.Errorf("%s: %s", v.Name, printed)
		}
	}
	if len(file.Vectors) == 0 {
		t.Error("no vectors")
	}
}

func TestReceiver_DropsAnEventOnlyOnceProcessed(t *testing.T) {
	secret := bytes.Repeat([]byte{7}, 32)
	iat := time.Now().Unix()
	encrypter, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.DIRECT, Key: secret, KeyID: "whk_1"},
		&jose.EncrypterOptions{ExtraHeaders: map[jose.HeaderKey]any{
			"id": "wh_1", "event_type": "WEBHOOK_TEST", "timestamp": "now", "account_id": "sb_1", "schema_version": "1", "retry_count": 0, "iat": iat,
		}})
	if err != nil {
		t.Fatal(err)
	}
	token, err := encrypter.Encrypt([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := token.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{secrets: map[string][]byte{"sb_1/whk_1": secret}, done: map[string]bool{}}
	answered := func(want int) {
		t.Helper()
		body := fmt.Sprintf(`{"id":"wh_1","event_type":"WEBHOOK_TEST","timestamp":"now","account_id":"sb_1","schema_version":"1","key_id":"whk_1","retry_count":0,"data":%q}`, data)
		q := httptest.NewRequest("POST", "/webhooks", strings.NewReader(body))
		q.Header.Set("webhook-id", "wh_1")
		q.Header.Set("webhook-timestamp", fmt.Sprint(iat))
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		if w.Code != want {
			t.Errorf("answered %d, not %d: %s", w.Code, want, w.Body)
		}
	}
	r.process = func(event) error { return errors.New("the database is down") }
	answered(500)
	r.process = func(event) error { answered(409); return nil }
	answered(204)
	r.process = func(event) error { t.Error("processed twice"); return nil }
	answered(200)
}
