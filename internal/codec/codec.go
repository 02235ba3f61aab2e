// Package codec keeps personal data out of plain Temporal histories: every
// payload is encrypted before it leaves the process, and the texts of failures
// and summaries with it. Ids and search attributes are never encrypted, and so
// never hold anything personal.
package codec

import (
	"errors"
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"requisite/internal/vault"
)

// encoding marks an encrypted payload in its metadata.
const encoding = "binary/requisite-sealed"

// bound ties sealed payloads to this use of the keyset.
const bound = "temporal-payload/1"

type payloads struct{ vault *vault.Vault }

// New makes a payload codec over a keyset. Payloads that it did not encode are
// decoded to themselves, so that what was written without it can be read.
func New(keys *vault.Vault) converter.PayloadCodec { return payloads{keys} }

func (c payloads) Encode(plain []*commonpb.Payload) ([]*commonpb.Payload, error) {
	sealed := make([]*commonpb.Payload, len(plain))
	for i, p := range plain {
		data, err := proto.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encode a payload: %w", err)
		}
		if data, err = c.vault.Seal(data, bound); err != nil {
			return nil, err
		}
		sealed[i] = &commonpb.Payload{Metadata: map[string][]byte{converter.MetadataEncoding: []byte(encoding)}, Data: data}
	}
	return sealed, nil
}

func (c payloads) Decode(sealed []*commonpb.Payload) ([]*commonpb.Payload, error) {
	plain := make([]*commonpb.Payload, len(sealed))
	for i, p := range sealed {
		if string(p.GetMetadata()[converter.MetadataEncoding]) != encoding {
			plain[i] = p
			continue
		}
		data, err := c.vault.Open(p.Data, bound)
		if err != nil {
			return nil, errors.New("a Temporal payload was encrypted with a keyset that REQUISITE_PAYLOAD_KEY_FILE does not hold")
		}
		plain[i] = &commonpb.Payload{}
		if err := proto.Unmarshal(data, plain[i]); err != nil {
			return nil, fmt.Errorf("decode a payload: %w", err)
		}
	}
	return plain, nil
}

// DataConverter encrypts all that workflows and activities exchange.
func DataConverter(keys *vault.Vault) converter.DataConverter {
	return converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), New(keys))
}

// FailureConverter encrypts messages and stack traces of failures too.
func FailureConverter(keys *vault.Vault) converter.FailureConverter {
	return temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{
		DataConverter:          DataConverter(keys),
		EncodeCommonAttributes: true,
	})
}
