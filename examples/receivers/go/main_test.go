package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"testing"
	"time"
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
