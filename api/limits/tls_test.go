package limits

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// selfSigned writes a certificate for a name, with files of a given time.
func selfSigned(t *testing.T, certFile, keyFile, name string, at time.Time) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))
		require.NoError(t, os.Chtimes(file, at, at))
	}
}

func TestCertificate_IsReadAgainWhenItsFilesChange(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	now := time.Now()
	selfSigned(t, certFile, keyFile, "first", now.Add(-time.Hour))
	var said bytes.Buffer
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: slog.New(slog.NewTextHandler(&said, nil))}
	name := func(at time.Time) string {
		got, err := c.get(at)
		require.NoError(t, err)
		return got.Leaf.Subject.CommonName
	}
	require.Equal(t, "first", name(now))
	selfSigned(t, certFile, keyFile, "second", now.Add(-time.Minute))
	require.Equal(t, "first", name(now.Add(time.Second)), "the files are checked only every ten seconds")
	require.Equal(t, "second", name(now.Add(lookAgain)))
	require.Empty(t, said.String())
	require.NoError(t, os.WriteFile(certFile, []byte("broken"), 0o600))
	require.Equal(t, "second", name(now.Add(2*lookAgain)), "the old certificate stays in use while the new one is broken")
	require.Contains(t, said.String(), "cert_file="+certFile)
	require.Contains(t, said.String(), "valid_until=")
	require.Equal(t, "second", name(now.Add(3*lookAgain)))
	require.Equal(t, 1, strings.Count(said.String(), "level=ERROR"), "each change is logged once")
	require.NoError(t, os.Chtimes(certFile, now, now.Add(time.Minute)))
	require.Equal(t, "second", name(now.Add(4*lookAgain)))
	require.Equal(t, 2, strings.Count(said.String(), "level=ERROR"), "another change is logged again")
	selfSigned(t, certFile, keyFile, "restored", now.Add(-2*time.Hour))
	require.Equal(t, "restored", name(now.Add(5*lookAgain)), "older files are a change too")
	got, err := c.get(now.Add(5 * lookAgain))
	require.NoError(t, err)
	require.Equal(t, got.Leaf.NotAfter, c.End())
}

func TestOpenCertificate_NeedsBothFiles(t *testing.T) {
	none, err := OpenCertificate("", "")
	require.NoError(t, err)
	require.Nil(t, none)
	_, err = OpenCertificate("only.crt", "")
	require.ErrorContains(t, err, "belong together")
	_, err = OpenCertificate("/none/tls.crt", "/none/tls.key")
	require.ErrorContains(t, err, "/none/tls.crt")
}
