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
	status, _, err := i.get(t.Context(), "http://worker.invalid:9090", "readyz", address{"127.0.0.1", strings.TrimPrefix(server.URL, "http://"), nil}, 100)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "worker.invalid:9090", asked)
	require.Equal(t, []address{{}}, i.addresses(t.Context(), "http://127.0.0.1:9090"))
	none := i.ask(t.Context(), "http://worker.invalid:9090")
	require.Len(t, none, 1)
	require.Regexp(t, `^no answer: .*the host name worker.invalid`, judgeProgram(none[0]).Found)
}
