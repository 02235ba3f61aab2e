package codec

import (
	"net/http"
	"slices"

	"go.temporal.io/sdk/converter"

	"requisite/internal/vault"
)

// Endpoint serves the codec over HTTP to a Temporal UI at one of the given
// origins: POST /decode. It does not encode, so that nobody can have payloads
// made that the service would trust. It has no authentication of its own and
// must listen on loopback only, where it refuses requests for other hosts.
func Endpoint(keys *vault.Vault, origins, hosts []string) http.Handler {
	decode := converter.NewPayloadCodecHTTPHandler(New(keys))
	mux := http.NewServeMux()
	mux.HandleFunc("OPTIONS /decode", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.Handle("POST /decode", decode)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if !slices.Contains(hosts, r.Host) || !slices.Contains(origins, origin) {
			http.Error(w, "The codec endpoint answers the Temporal UI of this stack only.", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Headers", "Content-Type, X-Namespace, Authorization")
		h.Set("Access-Control-Allow-Credentials", "true")
		h.Set("Vary", "Origin")
		r.Body = http.MaxBytesReader(w, r.Body, 32<<20)
		mux.ServeHTTP(w, r)
	})
}
