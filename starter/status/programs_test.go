package status

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgram_IsAskedAtEachOfItsAddresses: several processes have one name.
func TestProgram_IsAskedAtEachOfItsAddresses(t *testing.T) {
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.Host }))
	t.Cleanup(server.Close)
	i := Inspector{Timeout: time.Minute, HTTP: &http.Client{Transport: &http.Transport{Proxy: func(*http.Request) (*url.URL, error) {
		return nil, errors.New("it asks no proxy, which is for what is outside")
	}}}}
	found := i.ready(t.Context(), "x", "http://worker.invalid:9090", address{"127.0.0.1", strings.TrimPrefix(server.URL, "http://")})
	require.Equal(t, OK, found.State, "%+v", found)
	require.Equal(t, "worker.invalid:9090", asked)
	require.Equal(t, []address{{}}, i.addresses(t.Context(), "http://127.0.0.1:9090"))
	require.Equal(t, []address{{}}, i.addresses(t.Context(), "http://worker.invalid:9090"), "the request says that it has none")
}
