package main

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzForwardedFor: nobody but a trusted proxy says where a request comes from,
// and what stands before the address that the proxy itself saw counts for nothing.
func FuzzForwardedFor(f *testing.F) {
	trusted, err := parseProxies("10.0.0.0/8,2001:db8:1::/48")
	require.NoError(f, err)
	f.Add("10.0.0.1:443", "198.51.100.7, 10.1.1.1", "evil")
	f.Add("[2001:db8:1::1]:1", "[2001:db8::1%eth0]:80,,10.0.0.3", "198.51.100.9")
	f.Add("203.0.113.5:9", "1.2.3.4", "")
	f.Add("@", "::ffff:10.0.0.1", "\x00")
	f.Add("10.0.0.1:443", " , ", ",")
	f.Fuzz(func(t *testing.T, remote, forwarded, before string) {
		request := func(header ...string) *http.Request {
			return &http.Request{RemoteAddr: remote, Header: http.Header{"X-Forwarded-For": header}}
		}
		found := trusted.origin(request(forwarded))
		require.Equal(t, found.Masked(), found)
		if !found.IsValid() {
			require.Equal(t, netip.Prefix{}, found)
		}
		at, known := address(remote)
		if !known || !trusted.trust(at) {
			require.Equal(t, origin(remote), found, "a stranger's header is not read")
		}
		if !trusted.trust(found.Addr()) {
			require.Equal(t, found, trusted.origin(request(before, forwarded)), "what stands before is anybody's word")
		}
	})
}
