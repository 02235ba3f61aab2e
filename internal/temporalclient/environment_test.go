package temporalclient

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/secrets/vault"
	"requisite/internal/testkit/await"
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

// TestDial_GoesThroughTheProxyAndNamesIt, without its password. A process reads these variables once, so each case has its own.
func TestDial_GoesThroughTheProxyAndNamesIt(t *testing.T) {
	if os.Getenv("TEST_DIAL") != "" {
		keys, err := vault.Ephemeral()
		require.NoError(t, err)
		_, err = Dial(t.Context(), Options{Address: "temporal.example.com:7233", Namespace: "n", Keys: keys})
		fmt.Printf("error: %v\n", err)
		return
	}
	asked := make(chan string, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.Host
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	dial := func(proxy string) string {
		command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		command.Env = append(os.Environ(), "TEST_DIAL=1", "HTTPS_PROXY="+proxy)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "error: ")
		require.NotContains(t, string(out), "planted")
		return string(out)
	}
	require.Contains(t, dial(strings.Replace(proxy.URL, "://", "://user:planted@", 1)), "reach Temporal at temporal.example.com:7233 through the proxy "+proxy.URL+" of HTTPS_PROXY")
	require.Equal(t, "CONNECT temporal.example.com:7233", await.Next(t, "a request of the proxy", asked))
}
