package codec

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"requisite/internal/vault"
)

const planted = "planted-personal-data"

func keys(t *testing.T) *vault.Vault {
	v, err := vault.Ephemeral()
	require.NoError(t, err)
	return v
}

func TestPayloadsAreSealedAndComeBack(t *testing.T) {
	v := keys(t)
	p, err := DataConverter(v).ToPayload(map[string]string{"name": planted})
	require.NoError(t, err)
	raw, err := proto.Marshal(p)
	require.NoError(t, err)
	require.False(t, bytes.Contains(raw, []byte(planted)))

	var back map[string]string
	require.NoError(t, DataConverter(v).FromPayload(p, &back))
	require.Equal(t, planted, back["name"])
	require.ErrorContains(t, DataConverter(keys(t)).FromPayload(p, &back), "REQUISITE_PAYLOAD_KEY_FILE")
}

func TestFailuresAreSealed(t *testing.T) {
	v := keys(t)
	failure := FailureConverter(v).ErrorToFailure(temporal.NewNonRetryableApplicationError(planted, "SOME_TYPE", nil, planted))
	raw, err := proto.Marshal(failure)
	require.NoError(t, err)
	require.False(t, bytes.Contains(raw, []byte(planted)))
	require.ErrorContains(t, FailureConverter(v).FailureToError(failure), planted)
}

func TestWhatWasNotSealedIsLeftAlone(t *testing.T) {
	p := &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(`1`)}
	got, err := New(keys(t)).Decode([]*commonpb.Payload{p})
	require.NoError(t, err)
	require.Same(t, p, got[0])
}
