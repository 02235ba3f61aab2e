package webhook

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/wire"
)

// vectors are those that every receiver is held to.
type vectors struct {
	Keys    map[string]string
	Vectors []struct {
		Name            string
		Accepted        bool
		Now             int64
		Headers         map[string]string
		Body            string
		Plaintext       string
		Secret          string `json:"shared_secret"`
		ProtectedHeader string `json:"protected_header"`
		Event           struct {
			ID         string
			EventType  string `json:"event_type"`
			Timestamp  wire.DateTime
			AccountID  string `json:"account_id"`
			Sequence   int64
			KeyID      string `json:"key_id"`
			RetryCount int    `json:"retry_count"`
			Replay     bool
		}
	}
}

func readVectors(t testing.TB) (file vectors) {
	data, err := os.ReadFile("../../../docs/webhook-vectors.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &file))
	return file
}

func TestOpen_AcceptsAndRefusesTheVectors(t *testing.T) {
	file := readVectors(t)
	require.Greater(t, len(file.Vectors), 40)
	for _, v := range file.Vectors {
		header := http.Header{}
		for name, value := range v.Headers {
			header.Set(name, value)
		}
		got, err := Open([]byte(v.Body), header, time.Unix(v.Now, 0), func(account, key string) ([]byte, bool) {
			text, ok := file.Keys[account+"/"+key]
			secret, err := base64.StdEncoding.DecodeString(text)
			require.NoError(t, err)
			return secret, ok
		})
		if !v.Accepted {
			require.Error(t, err, v.Name)
			continue
		}
		require.NoError(t, err, v.Name)
		require.Equal(t, v.Plaintext, string(got.Payload), v.Name)
	}
}
