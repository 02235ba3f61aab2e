package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"code.dny.dev/ssrf"

	"requisite/internal/requests/refusal"
)

// Guard decides which addresses webhooks may be sent to. It checks the address
// of each connection after the name was resolved, so a resolver cannot bypass it.
type Guard struct {
	ports   []uint16
	allowed []netip.Prefix
	public  *ssrf.Guardian
}

// DefaultPorts are the ports that an endpoint may have by default.
func DefaultPorts() []uint16 { return []uint16{443, 8443} }

// alsoDenied are ranges that the library leaves open.
func alsoDenied() []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix("3fff::/20")} }

// NewGuard admits public addresses on the given ports. It also admits the networks of
// allowed, on any port and over plain http, such as loopback in development.
func NewGuard(ports []uint16, allowed []netip.Prefix) *Guard {
	return &Guard{
		ports: ports, allowed: allowed,
		public: ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV6Prefixes(alsoDenied()...)),
	}
}

// ErrForbiddenAddress reports an address that webhooks are not sent to.
var ErrForbiddenAddress = errors.New("the address is not public, or its port is not allowed")

func (g *Guard) allows(address netip.Addr) bool {
	return slices.ContainsFunc(g.allowed, func(p netip.Prefix) bool { return p.Contains(address) })
}

// check decides about an address, for a connection that is encrypted or not.
func (g *Guard) check(target netip.AddrPort, encrypted bool) error {
	if g.allows(target.Addr()) {
		return nil
	}
	if err := g.public.SafeAddr(target.Addr()); err != nil || !slices.Contains(g.ports, target.Port()) || !encrypted {
		return fmt.Errorf("%w: %s", ErrForbiddenAddress, target)
	}
	return nil
}

// control refuses an address before the dialer connects to it.
func (g *Guard) control(ctx context.Context, network, address string, _ syscall.RawConn) error {
	a := attemptOf(ctx)
	if a == nil {
		return errors.New("webhook: a connection outside an attempt")
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: %s", ErrForbiddenAddress, address)
	}
	if err := g.check(target, a.encrypted); err != nil {
		return err
	}
	a.setAddress(target)
	return nil
}

const maxURL = 2048

var (
	hostForm = regexp.MustCompile(`^([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)*[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.?$`)
	// Resolvers parse this as a number, in any base.
	numberForm = regexp.MustCompile(`^(0[xX][0-9A-Fa-f]*|[0-9]+)$`)
)

// CheckURL returns the canonical form of an endpoint's URL, which is the same for equal
// URLs, or says what is wrong with it. It does not resolve names: each attempt checks
// the address.
func (g *Guard) CheckURL(text string) (same string, problem refusal.Problem) {
	if len(text) > maxURL {
		return "", refusal.Beyond(refusal.TooLong, maxURL, "This must have at most %d characters.", maxURL)
	}
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" || u.Host == "" || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", refusal.Wrong(refusal.WrongFormat,
			"This must be a URL such as https://hooks.example.com/requisite, in ASCII (a name in another script in its xn-- form).")
	}
	host := u.Hostname()
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return "", refusal.Wrong(refusal.WrongFormat, "This must begin with https://.")
	case u.User != nil:
		return "", refusal.Wrong(refusal.WrongFormat, "This must not hold a user name or a password; webhooks prove themselves by their encryption.")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return "", refusal.Wrong(refusal.WrongFormat, "This must not have a fragment (#…): it is never sent.")
	}
	address, opened, problem := g.checkHost(host)
	if !problem.None() {
		return "", problem
	}
	if u.Scheme == "http" && !opened {
		return "", refusal.Wrong(refusal.NotAllowed, "This must begin with https://; with plain http, others on the network can read the webhooks' metadata.")
	}
	port, problem := g.checkPort(u, opened)
	if !problem.None() {
		return "", problem
	}
	if address.IsValid() {
		host = address.String()
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	same = fmt.Sprintf("%s://%s:%d%s", u.Scheme, strings.TrimSuffix(strings.ToLower(host), "."), port, path)
	if u.RawQuery != "" {
		same += "?" + u.RawQuery
	}
	return same, refusal.Problem{}
}

// checkHost checks a host as it is written. opened reports whether the allow
// list admits it.
func (g *Guard) checkHost(host string) (address netip.Addr, opened bool, problem refusal.Problem) {
	if address, err := netip.ParseAddr(host); err == nil {
		if address.Zone() != "" {
			return address, false, refusal.Wrong(refusal.WrongFormat, "This must not name a network zone.")
		}
		opened := g.allows(address)
		if !opened && g.public.SafeAddr(address) != nil {
			return address, false, refusal.Wrong(refusal.NotAllowed, "This names %s, which is not a public address; webhooks are sent to public ones only.", address)
		}
		return address, opened, refusal.Problem{}
	}
	if !hostForm.MatchString(host) || len(host) > 253 {
		return netip.Addr{}, false, refusal.Wrong(refusal.WrongFormat, "This names %q, which is not a host name.", refusal.ClipPath(host))
	}
	labels := strings.Split(strings.TrimSuffix(strings.ToLower(host), "."), ".")
	last := labels[len(labels)-1]
	if numberForm.MatchString(last) {
		return netip.Addr{}, false, refusal.Wrong(refusal.WrongFormat, "This names an address in an unusual spelling; write four decimal numbers, or a host name.")
	}
	if last == "localhost" {
		if !g.allows(netip.AddrFrom4([4]byte{127, 0, 0, 1})) {
			return netip.Addr{}, false, refusal.Wrong(refusal.NotAllowed, "This names localhost, which is not a public address; webhooks are sent to public ones only.")
		}
		return netip.Addr{}, true, refusal.Problem{}
	}
	return netip.Addr{}, false, refusal.Problem{}
}

func (g *Guard) checkPort(u *url.URL, opened bool) (port uint16, problem refusal.Problem) {
	port = 443
	if u.Scheme == "http" {
		port = 80
	}
	if text := u.Port(); text != "" {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil || n == 0 {
			return 0, refusal.Wrong(refusal.WrongFormat, "The port must be a number from 1 to 65535.")
		}
		port = uint16(n)
	}
	if !opened && !slices.Contains(g.ports, port) {
		return 0, refusal.Wrong(refusal.NotAllowed, "The port %d is not allowed; use one of %s.", port, strings.Trim(fmt.Sprint(g.ports), "[]"))
	}
	return port, refusal.Problem{}
}
