package temporalclient

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/secrets/vault"
)

func TestDial_TLSToAPlainTextServerSaysWhatToSet(t *testing.T) {
	server := httptest.NewServer(nil)
	defer server.Close()
	keys, err := vault.Ephemeral()
	require.NoError(t, err)
	t.Setenv("TEMPORAL_TLS", "true")
	_, err = Dial(t.Context(), Options{Address: server.Listener.Addr().String(), Namespace: "n", Keys: keys})
	require.ErrorContains(t, err, "the server speaks plain text: set TEMPORAL_TLS=false")
	t.Setenv("TEMPORAL_API_KEY", "planted")
	t.Setenv("TEMPORAL_TLS", "false")
	_, err = Dial(t.Context(), Options{Address: server.Listener.Addr().String(), Namespace: "n", Keys: keys})
	require.ErrorContains(t, err, "TEMPORAL_TLS is false, but TEMPORAL_API_KEY is set")
}

func TestDial_UnreachableServerDoesNotMentionTLS(t *testing.T) {
	keys, err := vault.Ephemeral()
	require.NoError(t, err)
	_, err = Dial(t.Context(), Options{Address: "127.0.0.1:1", Namespace: "n", Keys: keys})
	require.ErrorContains(t, err, "connection refused")
	require.NotContains(t, err.Error(), "TEMPORAL_TLS")
}
