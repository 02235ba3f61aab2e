package webhook

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// It tries the first and the last address of every range.
func TestGuard_RefusesEveryReservedRange(t *testing.T) {
	g := NewGuard(DefaultPorts(), nil)
	for _, c := range []struct{ name, first, last string }{
		{"this network", "0.0.0.0", "0.255.255.255"},
		{"private 10/8", "10.0.0.0", "10.255.255.255"},
		{"CGNAT", "100.64.0.0", "100.127.255.255"},
		{"loopback", "127.0.0.0", "127.255.255.255"},
		{"link-local, where clouds keep credentials", "169.254.0.0", "169.254.255.255"},
		{"private 172.16/12", "172.16.0.0", "172.31.255.255"},
		{"IETF protocols", "192.0.0.0", "192.0.0.255"},
		{"documentation 1", "192.0.2.0", "192.0.2.255"},
		{"6to4 relays", "192.88.99.0", "192.88.99.255"},
		{"private 192.168/16", "192.168.0.0", "192.168.255.255"},
		{"benchmarks", "198.18.0.0", "198.19.255.255"},
		{"documentation 2", "198.51.100.0", "198.51.100.255"},
		{"documentation 3", "203.0.113.0", "203.0.113.255"},
		{"multicast", "224.0.0.0", "239.255.255.255"},
		{"reserved and broadcast", "240.0.0.0", "255.255.255.255"},
		{"unspecified and ::/96", "::", "::ffff:ffff"},
		{"loopback 6", "::1", "::1"},
		{"IPv4-compatible", "::7f00:1", "::a00:1"},
		{"mapped IPv4", "::ffff:0.0.0.0", "::ffff:255.255.255.255"},
		{"NAT64", "64:ff9b::", "64:ff9b::ffff:ffff"},
		{"local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"},
		{"discard", "100::", "100::ffff:ffff:ffff:ffff"},
		{"Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"documentation 6", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"documentation 6, the newer", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"link-local 6", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
		{"multicast 6", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
	} {
		for _, text := range []string{c.first, c.last} {
			err := g.check(netip.AddrPortFrom(netip.MustParseAddr(text), 443), true)
			require.ErrorIs(t, err, ErrForbiddenAddress, "%s: %s", c.name, text)
		}
	}
	for _, text := range []string{"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
		"192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001:81b::200e"} {
		require.NoError(t, g.check(netip.AddrPortFrom(netip.MustParseAddr(text), 443), true), text)
	}
}

func TestGuard_RefusesOtherPortsAndPlainHTTP(t *testing.T) {
	g := NewGuard(DefaultPorts(), []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	public, loopback := netip.MustParseAddr("1.1.1.1"), netip.MustParseAddr("127.0.0.1")
	require.NoError(t, g.check(netip.AddrPortFrom(public, 443), true))
	require.NoError(t, g.check(netip.AddrPortFrom(public, 8443), true))
	require.Error(t, g.check(netip.AddrPortFrom(public, 22), true))
	require.Error(t, g.check(netip.AddrPortFrom(public, 443), false), "plain http to a public address")
	require.NoError(t, g.check(netip.AddrPortFrom(loopback, 8080), false), "what the allow list opens, it opens on any port and in plain")
	require.Error(t, g.check(netip.AddrPortFrom(netip.MustParseAddr("10.0.0.1"), 443), true), "and nothing else")
	require.Error(t, g.check(netip.AddrPortFrom(netip.MustParseAddr("::ffff:127.0.0.1"), 443), true))
}

func TestCheckURL_RefusesUnsafeURLs(t *testing.T) {
	g := NewGuard(DefaultPorts(), nil)
	for text, problem := range map[string]string{
		"https://hooks.example.com":                      "",
		"https://hooks.example.com:8443/a?b=c":           "",
		"https://1.1.1.1/":                               "",
		"https://[2606:4700::1111]/":                     "",
		"https://xn--bcher-kva.example/":                 "",
		"":                                               "must be a URL",
		"hooks.example.com":                              "must be a URL",
		"https://":                                       "must be a URL",
		"https:hooks.example.com":                        "must be a URL",
		"https://bücher.example/":                        "xn--",
		"https://hooks.example.com/a b":                  "must be a URL",
		"https://hooks.example.com/\x00":                 "must be a URL",
		"ftp://hooks.example.com/":                       "https://",
		"javascript:alert(1)":                            "must be a URL",
		"file:///etc/passwd":                             "must be a URL",
		"http://hooks.example.com/":                      "https://",
		"https://user:secret@hooks.example.com/":         "user name",
		"https://user@hooks.example.com/":                "user name",
		"https://hooks.example.com/#part":                "fragment",
		"https://hooks.example.com:22/":                  "port 22",
		"https://hooks.example.com:0/":                   "port",
		"https://hooks.example.com:99999/":               "port",
		"https://localhost/":                             "localhost",
		"https://LOCALHOST./":                            "localhost",
		"https://a.localhost/":                           "localhost",
		"https://127.0.0.1/":                             "not a public address",
		"https://10.1.2.3/":                              "not a public address",
		"https://[::1]/":                                 "not a public address",
		"https://[::ffff:10.0.0.1]/":                     "not a public address",
		"https://[64:ff9b::7f00:1]/":                     "not a public address",
		"https://[fe80::1%25eth0]/":                      "zone",
		"https://2130706433/":                            "unusual spelling",
		"https://0x7f000001/":                            "unusual spelling",
		"https://0x7f.1/":                                "unusual spelling",
		"https://017700000001/":                          "unusual spelling",
		"https://127.1/":                                 "unusual spelling",
		"https://0177.0.0.1/":                            "unusual spelling",
		"https://127.0.0.1./":                            "unusual spelling",
		"https://-bad-.example/":                         "not a host name",
		"https://a..b/":                                  "not a host name",
		"https://hooks.example.com/" + longPath(2048-25): "2048",
	} {
		_, got := g.CheckURL(text)
		if problem == "" {
			require.Empty(t, got, text)
			continue
		}
		require.Contains(t, got.Message, problem, text)
	}
	same := func(text string) string {
		key, problem := g.CheckURL(text)
		require.Empty(t, problem, text)
		return key
	}
	require.Equal(t, same("https://hooks.example.com"), same("HTTPS://Hooks.Example.COM:443/"))
	require.Equal(t, same("https://hooks.example.com"), same("https://hooks.example.com./"))
	require.NotEqual(t, same("https://hooks.example.com/a"), same("https://hooks.example.com/A"), "paths have a case")
	require.NotEqual(t, same("https://hooks.example.com/?a"), same("https://hooks.example.com/"))

	open := NewGuard(DefaultPorts(), []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
	for _, text := range []string{"http://127.0.0.1:8080/", "http://localhost:8080/", "https://127.0.0.1:1/"} {
		_, problem := open.CheckURL(text)
		require.Empty(t, problem, text)
	}
}

func longPath(n int) string {
	path := make([]byte, n)
	for i := range path {
		path[i] = 'a'
	}
	return string(path)
}

// An accepted URL names a host that is not a forbidden address, can be requested, and has
// a canonical form that is accepted too.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"https://hooks.example.com:8443/a?b=c", "https://[2606:4700::1111]/", "https://0x7f.1/", "https://a@b/", "https://127.0.0.1./",
		"https://[::ffff:10.0.0.1]/", "https://1.1.1.1:443", "HTTPS://Hooks.Example.COM./%2e%2E/", "https://a/%zz", "https://a:0443/?", "https://[fe80::1%25eth0]/",
	} {
		f.Add(seed)
	}
	f.Add("https://" + strings.Repeat(`"`, 1500))
	g := NewGuard(DefaultPorts(), nil)
	f.Fuzz(func(t *testing.T, text string) {
		same, problem := g.CheckURL(text)
		if !problem.None() {
			require.Empty(t, same)
			require.Less(t, len(problem.Message), maxURL+200)
			return
		}
		require.Regexp(t, `^https://[a-z0-9_.:-]+:(443|8443)/`, same)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, text, nil)
		require.NoError(t, err)
		if address, err := netip.ParseAddr(request.URL.Hostname()); err == nil {
			require.NoError(t, g.check(netip.AddrPortFrom(address, 443), true))
			if address.Is6() {
				return // its one spelling has no brackets
			}
		}
		if len(same) <= maxURL {
			again, problem := g.CheckURL(same)
			require.Empty(t, problem)
			require.Equal(t, same, again)
		}
	})
}
