package codec

import (
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"requisite/internal/secrets/vault"
)

// A payload in a history opens only in the workflow that it was encrypted for. Nothing
// else passes for encrypted.
func FuzzDecode(f *testing.F) {
	v, err := vault.Ephemeral()
	require.NoError(f, err)
	f.Add([]byte(nil), "requisite", "calculate/w_1/a", "binary/requisite-sealed", 0, byte(1))
	f.Add([]byte("{}"), "requisite\" \"calculate/w_1/a", "", "json/plain", 5, byte(0x80))
	f.Add([]byte("\x0a\xff\xff\xff\xff\x0f"), "", "", "", -1, byte(0))
	f.Fuzz(func(t *testing.T, data []byte, namespace, workflowID, encoding string, position int, flip byte) {
		of := payloads{vault: v, to: binding{namespace: "requisite", workflowID: "calculate/w_1/a"}}
		plain := &commonpb.Payload{Data: data, Metadata: map[string][]byte{converter.MetadataEncoding: []byte("json/plain")}}
		written, err := of.Encode([]*commonpb.Payload{plain})
		require.NoError(t, err)
		for name, codec := range map[string]converter.PayloadCodec{"program": of, "operator": NewReader(v)} {
			read, err := codec.Decode(written)
			require.NoError(t, err, name)
			require.True(t, proto.Equal(plain, read[0]), name)

			changed := proto.Clone(written[0]).(*commonpb.Payload)
			changed.Data[uint(position)%uint(len(changed.Data))] ^= max(flip, 1)
			_, err = codec.Decode([]*commonpb.Payload{changed})
			require.Error(t, err, name)

			moved := proto.Clone(written[0]).(*commonpb.Payload)
			moved.Metadata[metadataNamespace], moved.Metadata[metadataWorkflowID] = []byte(namespace), []byte(workflowID)
			if bindingOf(moved) != of.to {
				_, err = codec.Decode([]*commonpb.Payload{moved})
				require.Error(t, err, name)
			}

			forged := proto.Clone(written[0]).(*commonpb.Payload)
			forged.Data, forged.Metadata[converter.MetadataEncoding] = data, []byte(encoding)
			read, err = codec.Decode([]*commonpb.Payload{forged})
			if name == "program" || sealed(forged) {
				require.Error(t, err, name)
			} else {
				require.NoError(t, err, name)
				require.Same(t, forged, read[0], "what is not sealed is shown as it is")
			}
		}
	})
}
