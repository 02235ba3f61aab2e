package kms

import (
	"context"
	"hash/crc32"
	"net"
	"path/filepath"
	"slices"
	"testing"

	"cloud.google.com/go/kms/apiv1/kmspb"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"requisite/internal/secrets/kms"
	"requisite/internal/secrets/vault"
)

const name = "projects/p/locations/l/keyRings/r/cryptoKeys/k"

// cloud answers as Cloud KMS does.
type cloud struct {
	kmspb.UnimplementedKeyManagementServiceServer
	called []string
}

func sum(b []byte) *wrapperspb.Int64Value {
	return wrapperspb.Int64(int64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))))
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

func (c *cloud) Encrypt(_ context.Context, in *kmspb.EncryptRequest) (*kmspb.EncryptResponse, error) {
	if in.GetName() != name {
		return nil, status.Error(codes.PermissionDenied, "not yours")
	}
	c.called = append(c.called, "encrypt")
	out := reversed(in.GetPlaintext())
	return &kmspb.EncryptResponse{Name: name + "/cryptoKeyVersions/1", Ciphertext: out, CiphertextCrc32C: sum(out), VerifiedPlaintextCrc32C: true, VerifiedAdditionalAuthenticatedDataCrc32C: true}, nil
}

func (c *cloud) Decrypt(_ context.Context, in *kmspb.DecryptRequest) (*kmspb.DecryptResponse, error) {
	c.called = append(c.called, "decrypt")
	out := reversed(in.GetCiphertext())
	return &kmspb.DecryptResponse{Plaintext: out, PlaintextCrc32C: sum(out)}, nil
}

// The library talks to a fake of Cloud KMS.
func TestGoogleCloud_EncryptsAndDecrypts(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := &cloud{}
	server := grpc.NewServer()
	kmspb.RegisterKeyManagementServiceServer(server, c)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	Register()
	require.NoError(t, kms.Check("gcp-kms://"+name))
	there := []option.ClientOption{option.WithEndpoint(listener.Addr().String()), option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials()))}
	key, err := openGCP(t.Context(), "gcp-kms://"+name, there...)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "kek.json")
	k := vault.Keyset{File: path, KMS: key}
	require.NoError(t, k.Generate(t.Context()))
	_, err = k.Load(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"encrypt", "decrypt"}, c.called)

	other, err := openGCP(t.Context(), "gcp-kms://"+name+"other", there...)
	require.NoError(t, err)
	require.ErrorContains(t, vault.Keyset{File: filepath.Join(t.TempDir(), "kek.json"), KMS: other}.Generate(t.Context()), "not yours")
}
