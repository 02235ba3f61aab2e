package main

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are the networks of proxies that are trusted to say where a request
// comes from.
type proxies []netip.Prefix

// parseProxies reads a list of networks, or of single addresses.
func parseProxies(list string) (proxies, error) {
	var found proxies
	for text := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			address, wrong := netip.ParseAddr(text)
			if wrong != nil {
				return nil, fmt.Errorf("--trusted-proxies must list networks or addresses, such as 10.0.0.0/8,192.0.2.7; %q is not one", text)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		found = append(found, network.Masked())
	}
	return found, nil
}

func (p proxies) trust(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

// origin is where a request comes from: the address of the connection, or, when
// that is a trusted proxy's, the last one of X-Forwarded-For that is not.
// Anything before that in the header may be forged.
func (p proxies) origin(r *http.Request) netip.Prefix {
	at, known := address(r.RemoteAddr)
	if !known || !p.trust(at) {
		return origin(r.RemoteAddr)
	}
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(forwarded) {
		next, known := address(strings.TrimSpace(text))
		if !known {
			break // unknown beyond here: the farthest known proxy counts
		}
		if at = next; !p.trust(at) {
			break
		}
	}
	return network(at)
}

// address reads an address, with a port or without.
func address(text string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone(""), true
	}
	at, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return at.Unmap().WithZone(""), err == nil
}

// origin is what counts as one address: for IPv6 the /64 network, because one
// subscriber has all of it.
func origin(remote string) netip.Prefix {
	at, known := address(remote)
	if !known {
		return netip.Prefix{} // one origin for all requests without an address
	}
	return network(at)
}

func network(at netip.Addr) netip.Prefix {
	bits := at.BitLen()
	if at.Is6() {
		bits = 64
	}
	prefix, err := at.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}
