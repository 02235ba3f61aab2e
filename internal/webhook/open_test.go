package webhook

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestOpenAcceptsAndRefusesTheVectors is what every receiver is held to.
func TestOpenAcceptsAndRefusesTheVectors(t *testing.T) {
	data, err := os.ReadFile("../../docs/webhook-vectors.json")
	require.NoError(t, err)
	var file struct {
		Keys    map[string]string `json:"keys"`
		Vectors []struct {
			Name      string            `json:"name"`
			Accepted  bool              `json:"accepted"`
			Now       int64             `json:"now"`
			Headers   map[string]string `json:"headers"`
			Body      string            `json:"body"`
			Plaintext string            `json:"plaintext"`
		} `json:"vectors"`
	}
	require.NoError(t, json.Unmarshal(data, &file))
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
