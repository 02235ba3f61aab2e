package admin_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/config"
	"requisite/internal/secrets/vault"
	"requisite/starter/admin"
	"requisite/starter/startertest"
)

func TestCodec_RefusesAMissingOrShortToken(t *testing.T) {
	t.Setenv("REQUISITE_PAYLOAD_KEY_FILE", "")
	_, err := startertest.Run(t, "codec")
	for _, want := range []string{"--token (or REQUISITE_CODEC_TOKEN) is not set", "openssl rand -hex 32", "REQUISITE_PAYLOAD_KEY_FILE", "--origin is not set"} {
		require.ErrorContains(t, err, want)
	}
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte("planted-short\n"), 0o600))
	t.Setenv("REQUISITE_CODEC_TOKEN_FILE", file)
	out, err := startertest.Run(t, "codec", "--origin", "http://localhost:8233")
	require.ErrorContains(t, err, "--token (or REQUISITE_CODEC_TOKEN): the token has 13 characters and needs at least 32; make one with `openssl rand -hex 32`")
	require.NotContains(t, out+err.Error(), "planted")
}

func TestCodec_RefusesOtherAddressesAndMalformedOrigins(t *testing.T) {
	key := filepath.Join(t.TempDir(), "payload.json")
	require.NoError(t, vault.Keyset{File: key}.Generate(t.Context()))
	given := func(change func(*admin.CodecOptions)) error {
		o := admin.CodecOptions{Service: config.Service{PayloadKeyFile: key}, Token: strings.Repeat("t", 32), Listen: "127.0.0.1:8234", Origins: []string{"http://localhost:8233"}}
		change(&o)
		_, _, err := o.Endpoint(t.Context(), slog.New(slog.DiscardHandler))
		return err
	}
	require.NoError(t, given(func(*admin.CodecOptions) {}))
	require.NoError(t, given(func(o *admin.CodecOptions) { o.Listen, o.Published = "0.0.0.0:8234", true }))
	require.ErrorContains(t, given(func(o *admin.CodecOptions) { o.Listen = "0.0.0.0:8234" }), "not on loopback")
	for _, origin := range []string{"*", "localhost:8233", "http://localhost:8233/", "http://localhost:8233/namespaces", "http://user@localhost"} {
		require.ErrorContains(t, given(func(o *admin.CodecOptions) { o.Origins = []string{origin} }), "--origin", origin)
	}
}
