// Package codec encrypts payloads, and the texts of failures and summaries, before
// Temporal stores them. It binds each to its namespace and workflow id, and rejects
// anything that the service did not write. Ids and search attributes are never encrypted,
// so they must not contain personal data.
package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	commonpb "go.temporal.io/api/common/v1"
	failurepb "go.temporal.io/api/failure/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"requisite/internal/secrets/vault"
)

// encoding marks an encrypted payload in its metadata.
const encoding = "binary/requisite-sealed"

// Metadata with a payload's binding, for readers that do not know it. It is not secret,
// and a payload does not decrypt with a changed binding.
const (
	metadataNamespace  = "requisite-namespace"
	metadataWorkflowID = "requisite-workflow-id"
)

// binding is the workflow to which a payload is bound. The zero binding is for payloads that belong
// to no workflow.
type binding struct{ namespace, workflowID string }

// data is the associated data that binds a payload to this use of the keyset and to a workflow.
func (b binding) data() string {
	return fmt.Sprintf("temporal-payload/2 %q %q", b.namespace, b.workflowID)
}

// bindingOf is the binding that a payload names itself.
func bindingOf(p *commonpb.Payload) binding {
	return binding{namespace: string(p.GetMetadata()[metadataNamespace]), workflowID: string(p.GetMetadata()[metadataWorkflowID])}
}

func sealed(p *commonpb.Payload) bool {
	return string(p.GetMetadata()[converter.MetadataEncoding]) == encoding
}

// NeedsOldKey reports whether only an old key, which no longer encrypts, opens a payload.
func NeedsOldKey(keys *vault.Vault, p *commonpb.Payload) bool {
	return sealed(p) && keys.NeedsOldKey(p.GetData())
}

// LacksKey reports whether no key of a keyset opens a payload.
func LacksKey(keys *vault.Vault, p *commonpb.Payload) bool {
	return sealed(p) && keys.LacksKey(p.GetData())
}

func seal(v *vault.Vault, p *commonpb.Payload, to binding) (*commonpb.Payload, error) {
	data, err := proto.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("encode a payload: %w", err)
	}
	if data, err = v.Seal(data, to.data()); err != nil {
		return nil, err
	}
	return &commonpb.Payload{Data: data, Metadata: map[string][]byte{
		converter.MetadataEncoding: []byte(encoding),
		metadataNamespace:          []byte(to.namespace),
		metadataWorkflowID:         []byte(to.workflowID),
	}}, nil
}

// ErrCannotOpen reports a payload whose key is lost, or that was changed.
var ErrCannotOpen = errors.New("a Temporal payload was encrypted with a keyset that REQUISITE_PAYLOAD_KEY_FILE does not hold, or it was changed")

func open(v *vault.Vault, p *commonpb.Payload, to binding) (*commonpb.Payload, error) {
	data, err := v.Open(p.Data, to.data())
	if err != nil {
		return nil, ErrCannotOpen
	}
	plain := &commonpb.Payload{}
	if err := proto.Unmarshal(data, plain); err != nil {
		return nil, fmt.Errorf("decode a payload: %w", err)
	}
	return plain, nil
}

func each(payloads []*commonpb.Payload, convert func(*commonpb.Payload) (*commonpb.Payload, error)) ([]*commonpb.Payload, error) {
	converted := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		var err error
		if converted[i], err = convert(p); err != nil {
			return nil, err
		}
	}
	return converted, nil
}

// Errors for payloads that a program must not accept.
var (
	ErrNotSealed = errors.New("a Temporal payload is not encrypted: the service reads only what it wrote itself")
	ErrElsewhere = errors.New("a Temporal payload belongs to another workflow or namespace than the one where it was found")
)

// payloads is the codec of programs. It decrypts only payloads that are bound
// to the workflow that the SDK is working on.
type payloads struct {
	vault       *vault.Vault
	to          binding
	undecodable Counter
}

// Counter counts payloads that were refused. The SDK compares codecs, so it must be
// comparable; a pointer is.
type Counter interface{ Inc() }

func (c payloads) Encode(plain []*commonpb.Payload) ([]*commonpb.Payload, error) {
	return each(plain, func(p *commonpb.Payload) (*commonpb.Payload, error) { return seal(c.vault, p, c.to) })
}

func (c payloads) Decode(found []*commonpb.Payload) ([]*commonpb.Payload, error) {
	return each(found, func(p *commonpb.Payload) (*commonpb.Payload, error) {
		plain, err := c.decode(p)
		if err != nil && c.undecodable != nil {
			c.undecodable.Inc()
		}
		return plain, err
	})
}

func (c payloads) decode(p *commonpb.Payload) (*commonpb.Payload, error) {
	switch {
	case !sealed(p):
		return nil, ErrNotSealed
	case bindingOf(p) != c.to:
		return nil, ErrElsewhere
	}
	return open(c.vault, p, c.to)
}

// WithSerializationContext is called by the SDK before it converts anything that
// belongs to a workflow, activities of the workflow included.
func (c payloads) WithSerializationContext(of converter.SerializationContext) converter.PayloadCodec {
	c.to = binding{}
	switch of := of.(type) {
	case converter.WorkflowSerializationContext:
		c.to = binding{namespace: of.Namespace, workflowID: of.WorkflowID}
	case converter.ActivitySerializationContext:
		c.to = binding{namespace: of.Namespace, workflowID: of.WorkflowID}
	}
	return c
}

// reader is the codec of operators.
type reader struct {
	vault *vault.Vault
	log   *slog.Logger // of keys that are missing; may be nil
}

// NewReader makes a codec for operators. It decrypts the payloads of any workflow, each
// with the binding in its metadata, and passes on payloads that are not encrypted. It
// does not encrypt.
func NewReader(keys *vault.Vault) converter.PayloadCodec { return reader{keys, nil} }

func (reader) Encode([]*commonpb.Payload) ([]*commonpb.Payload, error) {
	return nil, errors.New("only the programs of the service encrypt payloads")
}

func (r reader) Decode(found []*commonpb.Payload) ([]*commonpb.Payload, error) {
	r.logMissingKeys(found)
	return each(found, func(p *commonpb.Payload) (*commonpb.Payload, error) {
		if !sealed(p) {
			return p, nil
		}
		return open(r.vault, p, bindingOf(p))
	})
}

// logMissingKeys logs the id of each key that the keyset lacks for some payloads. Operators see no reason: a UI says only
// that they should sign in.
func (r reader) logMissingKeys(found []*commonpb.Payload) {
	if r.log == nil {
		return
	}
	var missing []uint32
	for _, p := range found {
		if id, ok := vault.KeyID(p.GetData()); ok && LacksKey(r.vault, p) {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	for _, id := range slices.Compact(missing) {
		r.log.Warn("a payload was encrypted with a key that this endpoint does not have: restart it after a rotation, or restore its keyset",
			"key_id", id, "primary_key_id", r.vault.PrimaryID())
	}
}

// DataConverter encrypts all data of workflows and activities, and refuses data that was
// not encrypted for them. undecodable, which may be nil, counts the payloads that it
// refuses.
func DataConverter(keys *vault.Vault, undecodable Counter) converter.DataConverter {
	plain := converter.NewCompositeDataConverter(converter.NewNilPayloadConverter(), converter.NewByteSlicePayloadConverter(),
		converter.NewProtoJSONPayloadConverter(), converter.NewProtoPayloadConverter(), shortJSON{converter.NewJSONPayloadConverter()})
	return converter.NewCodecDataConverter(plain, payloads{vault: keys, undecodable: undecodable})
}

// shortJSON is the SDK's converter to JSON, without the escapes of <, > and &. With the escapes, a
// payload could be six times as long as the limits of its values allow.
type shortJSON struct {
	*converter.JSONPayloadConverter
}

func (j shortJSON) ToPayload(value any) (*commonpb.Payload, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("%w: %w", converter.ErrUnableToEncode, err)
	}
	return &commonpb.Payload{
		Metadata: map[string][]byte{converter.MetadataEncoding: []byte(j.Encoding())},
		Data:     bytes.TrimSuffix(text.Bytes(), []byte("\n")),
	}, nil
}

// FailureConverter encrypts messages and stack traces of failures. It refuses failures of
// others, except for Temporal's own: timeouts, cancellations, terminations. undecodable
// counts as in DataConverter.
func FailureConverter(keys *vault.Vault, undecodable Counter) converter.FailureConverter {
	return newFailures(DataConverter(keys, undecodable))
}

// failures adds the binding to the SDK's converter, which does not know it.
type failures struct {
	converter.FailureConverter
	data converter.DataConverter
}

func newFailures(data converter.DataConverter) failures {
	return failures{data: data, FailureConverter: temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{
		DataConverter:          data,
		EncodeCommonAttributes: true,
	})}
}

func (f failures) WithSerializationContext(of converter.SerializationContext) converter.FailureConverter {
	return newFailures(converter.WithDataConverterSerializationContext(f.data, of))
}

// NotSealed is the type of the error that replaces a failure that the service did not
// make.
const NotSealed = "NOT_SEALED"

func (f failures) FailureToError(failure *failurepb.Failure) error {
	for part := failure; part != nil; part = part.GetCause() {
		if part.GetApplicationFailureInfo() != nil && !f.isOurs(part) {
			return temporal.NewNonRetryableApplicationError(
				"a failure in Temporal was encrypted with a keyset that REQUISITE_PAYLOAD_KEY_FILE does not hold, or somebody else wrote it",
				NotSealed, nil)
		}
	}
	return f.FailureConverter.FailureToError(failure)
}

// isOurs reports whether the service encrypted a failure's message for this workflow.
func (f failures) isOurs(failure *failurepb.Failure) bool {
	var common any
	return failure.GetEncodedAttributes() != nil && f.data.FromPayload(failure.GetEncodedAttributes(), &common) == nil
}
