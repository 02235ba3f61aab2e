package kms

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/secrets/kms"
	"requisite/internal/secrets/vault"
)

const arn = "arn:aws:kms:eu-west-1:111122223333:key/0000"

// The library talks to a fake of KMS.
func TestAWS_EncryptsAndDecrypts(t *testing.T) {
	var called []string
	denied := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var in struct {
			KeyId                     string
			Plaintext, CiphertextBlob []byte
		}
		if json.Unmarshal(body, &in) != nil || in.KeyId != arn {
			http.Error(w, "not as expected: "+string(body), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.1")
		if denied {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"AccessDeniedException","message":"not authorized"}`)
			return
		}
		called = append(called, r.Header.Get("X-Amz-Target"))
		out := map[string]any{"KeyId": arn}
		switch r.Header.Get("X-Amz-Target") {
		case "TrentService.Encrypt":
			out["CiphertextBlob"] = xor(in.Plaintext)
		case "TrentService.Decrypt":
			out["Plaintext"] = xor(in.CiphertextBlob)
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL_KMS", server.URL)
	t.Setenv("AWS_ACCESS_KEY_ID", "x")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "y")
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)

	Register()
	key, err := kms.Open(t.Context(), "aws-kms://"+arn)
	require.NoError(t, err)
	require.Empty(t, called, "opening it is no request")
	keyset := vault.Keyset{File: filepath.Join(t.TempDir(), "kek.json"), KMS: key}
	require.NoError(t, keyset.Generate(t.Context()))
	_, err = keyset.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"TrentService.Encrypt", "TrentService.Decrypt"}, called)
	denied = true
	err = vault.Keyset{File: filepath.Join(t.TempDir(), "kek.json"), KMS: key}.Generate(t.Context())
	require.ErrorContains(t, err, "not authorized")
}

// xor stands for a cipher.
func xor(b []byte) []byte {
	out := slices.Clone(b)
	for i := range out {
		out[i] ^= 1
	}
	return out
}
