package webhook

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"requisite/internal/testkit/await"
)

// failures are all texts that there are.
var failures = []string{
	FailureBrokeOff, FailureCertificate, FailureCertificateHost, FailureCertificateSigner, FailureCertificateTime, FailureClosed,
	FailureConnect, FailureConnectTimeout, FailureHandshake, FailureHandshakeTimeout, FailureHeaders, FailureInterim, FailureInvalid,
	FailureLookup, FailureNoAddress, FailureNoTLS, FailureOldTLS, FailureRefused, FailureStatus, FailureTimeout, FailureURL,
}

func TestFailures_AreListedInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/calling.md")
	require.NoError(t, err)
	for _, text := range failures {
		require.Contains(t, string(guide), "| `"+text+"` |")
	}
}

// The result is the same whether something listens at the address or not, and the same as
// for an unknown name. So the owner of an endpoint learns nothing about the network of
// the service. The guard checks the address of the connection, so a second answer of a
// name server does not matter.
func TestForbiddenAddresses_GiveOneResult(t *testing.T) {
	internal, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer internal.Close()
	connected := make(chan struct{}, 10)
	go func() {
		for {
			conn, err := internal.Accept()
			if err != nil {
				return
			}
			connected <- struct{}{}
			_ = conn.Close()
		}
	}()
	_, port, err := net.SplitHostPort(internal.Addr().String())
	require.NoError(t, err)
	var log bytes.Buffer
	attempt := func(answer func() netip.Addr, port string) Result {
		open := netip.MustParseAddrPort("127.0.0.1:" + port).Port()
		s := NewSender(NewGuard([]uint16{open, 443}, nil), SenderOptions{
			Resolver: fakeDNS(t, answer), Log: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		})
		defer s.Close()
		s.noAddressStep = 50 * time.Millisecond
		got := post(t, s, "https://vault.internal.example:"+port+"/secret-path")
		require.GreaterOrEqual(t, got.Duration, s.noAddressStep, "it does not end as soon as the lookup has")
		got.Duration = 0
		return got
	}
	want := Result{Error: FailureNoAddress}
	loopback := func() netip.Addr { return netip.MustParseAddr("127.0.0.1") }
	require.Equal(t, want, attempt(loopback, port), "something listens")
	require.Equal(t, want, attempt(loopback, "1"), "nothing listens")
	require.Equal(t, want, attempt(func() netip.Addr { return netip.MustParseAddr("172.18.0.3") }, "443"), "in a container's network")
	require.Equal(t, want, attempt(func() netip.Addr { return netip.MustParseAddr("240.0.0.1") }, "443"), "to which there is no route")
	require.Equal(t, want, attempt(func() netip.Addr { return netip.Addr{} }, "443"), "there is no such name")
	require.Empty(t, connected, "nobody has knocked")
	post(t, testSender(t, SenderOptions{Resolver: fakeDNS(t, loopback)}), "http://vault.internal.example:"+port)
	await.Next(t, "a connection, where the address is allowed", connected)
	// What the operator needs, the operator's log has, without the URL.
	require.Contains(t, log.String(), "172.18.0.3:443")
	require.Contains(t, log.String(), "no such host")
	require.NotContains(t, log.String(), "secret-path")
	for line := range strings.Lines(log.String()) {
		require.Contains(t, line, `"level":"DEBUG"`)
	}
}

func TestFailure_DoesNotNameTheResolver(t *testing.T) {
	refusing := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "udp", Addr: &net.UDPAddr{IP: net.IPv4(10, 255, 255, 53), Port: 53}, Err: io.ErrClosedPipe}
	}}
	got := post(t, testSender(t, SenderOptions{Resolver: refusing}), "https://hooks.example/")
	require.Equal(t, FailureLookup, got.Error)
	require.Empty(t, got.Address)
}

// certified serves TLS with a certificate of its own making.
func certified(t *testing.T, change func(*x509.Certificate)) (address string, roots *x509.CertPool) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "\x1b]0;planted\a"}, DNSNames: []string{"hooks.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	change(template)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	roots = x509.NewCertPool()
	roots.AddCert(leaf)
	return server.Listener.Addr().String(), roots
}

func TestFailure_SaysWhatIsWrongWithTheCertificate(t *testing.T) {
	resolver := fakeDNS(t, func() netip.Addr { return netip.MustParseAddr("127.0.0.1") })
	for _, c := range []struct {
		what    string
		host    string
		trusted bool
		change  func(*x509.Certificate)
		want    string
	}{
		{"nothing", "hooks.example", true, func(*x509.Certificate) {}, ""},
		{"another host", "other.example", true, func(*x509.Certificate) {}, FailureCertificateHost},
		{"names that are escapes", "other.example", true, func(c *x509.Certificate) { c.DNSNames = []string{"\x1b]0;planted\a.example"} }, FailureCertificateHost},
		{"an unknown authority", "hooks.example", false, func(*x509.Certificate) {}, FailureCertificateSigner},
		{"expired", "hooks.example", true, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }, FailureCertificateTime},
		{"not valid yet", "hooks.example", true, func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) }, FailureCertificateTime},
		{"for another purpose", "hooks.example", true, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageEmailProtection} }, FailureCertificate},
	} {
		address, roots := certified(t, c.change)
		if !c.trusted {
			roots = x509.NewCertPool()
		}
		_, port, err := net.SplitHostPort(address)
		require.NoError(t, err)
		require.Equal(t, c.want, post(t, testSender(t, SenderOptions{Roots: roots, Resolver: resolver}), "https://"+c.host+":"+port).Error, c.what)
	}
	old := httptest.NewUnstartedServer(http.NotFoundHandler())
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	old.StartTLS()
	defer old.Close()
	require.Equal(t, FailureOldTLS, post(t, testSender(t, SenderOptions{Roots: trust(old)}), old.URL).Error)
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	require.Equal(t, FailureNoTLS, post(t, testSender(t, SenderOptions{}), strings.Replace(plain.URL, "http:", "https:", 1)).Error)
	other := listen(t, func(c net.Conn) { _, _ = c.Write([]byte("220 mail.internal.example ESMTP\r\n")) })
	require.Equal(t, FailureNoTLS, post(t, testSender(t, SenderOptions{}), "https://"+other).Error)
}
