package codec

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"requisite/internal/secrets/vault"
)

const planted = "planted-personal-data"

var (
	here      = converter.WorkflowSerializationContext{Namespace: "requisite", WorkflowID: "calculate/w_1/a"}
	elsewhere = []converter.SerializationContext{
		converter.WorkflowSerializationContext{Namespace: "requisite", WorkflowID: "calculate/w_2/a"},
		converter.WorkflowSerializationContext{Namespace: "other", WorkflowID: "calculate/w_1/a"},
		converter.WorkflowSerializationContext{Namespace: "requisite\" \"calculate/w_1/a", WorkflowID: ""},
		converter.ActivitySerializationContext{Namespace: "requisite", WorkflowID: "calculate/w_2/a", ActivityType: "LoadFacts"},
		converter.NexusSerializationContext{},
	}
)

func keys(t *testing.T) *vault.Vault {
	v, err := vault.Ephemeral()
	require.NoError(t, err)
	return v
}

func at(v *vault.Vault, of converter.SerializationContext) converter.DataConverter {
	return converter.WithDataConverterSerializationContext(DataConverter(v, nil), of)
}

func failuresAt(v *vault.Vault, of converter.SerializationContext) converter.FailureConverter {
	return converter.WithFailureConverterSerializationContext(FailureConverter(v, nil), of)
}

func sealedHere(t *testing.T, v *vault.Vault) *commonpb.Payload {
	p, err := at(v, here).ToPayload(map[string]string{"name": planted})
	require.NoError(t, err)
	return p
}

func TestPayload_RoundTrip(t *testing.T) {
	v := keys(t)
	for name, of := range map[string]converter.SerializationContext{
		"workflow": here, "activity": converter.ActivitySerializationContext{Namespace: "requisite", WorkflowID: "w", ActivityType: "LoadFacts", IsLocal: true}, "no workflow": nil,
	} {
		t.Run(name, func(t *testing.T) {
			dc := DataConverter(v, nil)
			if of != nil {
				dc = at(v, of)
			}
			p, err := dc.ToPayload(map[string]string{"name": planted})
			require.NoError(t, err)
			raw, err := proto.Marshal(p)
			require.NoError(t, err)
			require.False(t, bytes.Contains(raw, []byte(planted)))
			var back map[string]string
			require.NoError(t, dc.FromPayload(p, &back))
			require.Equal(t, planted, back["name"])
		})
	}
	var back map[string]string
	require.ErrorContains(t, at(keys(t), here).FromPayload(sealedHere(t, v), &back), "REQUISITE_PAYLOAD_KEY_FILE")
}

func TestPayload_TakesNoMoreBytesThanItsTexts(t *testing.T) {
	dc, text := at(keys(t), here), strings.Repeat("<&>", 1000)
	p, err := dc.ToPayload(text)
	require.NoError(t, err)
	require.Less(t, len(p.Data), len(text)+200)
	var back string
	require.NoError(t, dc.FromPayload(p, &back))
	require.Equal(t, text, back)
}

// The activities of a workflow read its payloads, and the workflow reads theirs.
func TestPayload_OpensInTheActivitiesOfItsWorkflow(t *testing.T) {
	v := keys(t)
	var back map[string]string
	step := converter.ActivitySerializationContext{Namespace: here.Namespace, WorkflowID: here.WorkflowID, ActivityType: "LoadFacts"}
	require.NoError(t, at(v, step).FromPayload(sealedHere(t, v), &back))
	require.Equal(t, planted, back["name"])
}

func TestPayload_OpensOnlyInItsWorkflow(t *testing.T) {
	v := keys(t)
	p := sealedHere(t, v)
	var back map[string]string
	for _, of := range elsewhere {
		require.ErrorIs(t, at(v, of).FromPayload(p, &back), ErrElsewhere)
	}
	require.ErrorIs(t, DataConverter(v, nil).FromPayload(p, &back), ErrElsewhere, "without a workflow")
	nowhere, err := DataConverter(v, nil).ToPayload("x")
	require.NoError(t, err)
	require.ErrorIs(t, at(v, here).FromPayload(nowhere, &back), ErrElsewhere)

	for _, of := range elsewhere {
		other, ok := of.(converter.WorkflowSerializationContext)
		if !ok {
			continue
		}
		forged := proto.Clone(p).(*commonpb.Payload)
		forged.Metadata[metadataNamespace], forged.Metadata[metadataWorkflowID] = []byte(other.Namespace), []byte(other.WorkflowID)
		require.ErrorContains(t, at(v, other).FromPayload(forged, &back), "or it was changed", "the metadata alone does not move it")
		_, err := NewReader(v).Decode([]*commonpb.Payload{forged})
		require.ErrorContains(t, err, "or it was changed", "operators are not shown it as another's")
	}
	require.Empty(t, back)
}

func TestPayload_UnencryptedOnesAreRefused(t *testing.T) {
	v := keys(t)
	for name, p := range map[string]*commonpb.Payload{
		"plain":    {Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(`{"name":"x"}`)},
		"no value": {Metadata: map[string][]byte{"encoding": []byte("binary/null")}},
		"nothing":  {},
	} {
		var back map[string]string
		require.ErrorIs(t, at(v, here).FromPayload(p, &back), ErrNotSealed, name)
		require.ErrorIs(t, at(v, here).FromPayloads(&commonpb.Payloads{Payloads: []*commonpb.Payload{sealedHere(t, v), p}}, &back, &back), ErrNotSealed, name)
		require.Empty(t, back)
	}
	var back map[string]string
	require.NoError(t, at(v, here).FromPayloads(nil), "a signal or a schedule without an input")
	require.ErrorContains(t, at(v, here).FromPayload(&commonpb.Payload{Metadata: sealedHere(t, v).Metadata, Data: []byte("x")}, &back), "or it was changed")
}

func TestReader_ReadsPayloadsOfAnyWorkflow(t *testing.T) {
	v := keys(t)
	plain := &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(`1`)}
	nowhere, err := DataConverter(v, nil).ToPayload("x")
	require.NoError(t, err)
	got, err := NewReader(v).Decode([]*commonpb.Payload{sealedHere(t, v), plain, nowhere})
	require.NoError(t, err)
	require.Contains(t, string(got[0].Data), planted)
	require.Same(t, plain, got[1], "search attributes, and what others wrote")
	require.Equal(t, `"x"`, string(got[2].Data))
	_, err = NewReader(v).Encode([]*commonpb.Payload{plain})
	require.Error(t, err)
}

func TestFailure_IsEncrypted(t *testing.T) {
	v := keys(t)
	cause := temporal.NewNonRetryableApplicationError(planted, "SOME_TYPE", nil, planted)
	failure := failuresAt(v, here).ErrorToFailure(cause)
	raw, err := proto.Marshal(failure)
	require.NoError(t, err)
	require.False(t, bytes.Contains(raw, []byte(planted)))

	back := failuresAt(v, here).FailureToError(failure)
	require.ErrorContains(t, back, planted)
	var app *temporal.ApplicationError
	require.ErrorAs(t, back, &app)
	var details string
	require.NoError(t, app.Details(&details))
	require.Equal(t, planted, details)
}

func TestFailure_ForeignOnesAreRefused(t *testing.T) {
	v := keys(t)
	made := failuresAt(v, here).ErrorToFailure(temporal.NewNonRetryableApplicationError(planted, "FACTS_CHANGED", nil))
	info := func() *failurepb.Failure_ApplicationFailureInfo {
		return &failurepb.Failure_ApplicationFailureInfo{ApplicationFailureInfo: &failurepb.ApplicationFailureInfo{Type: "FACTS_CHANGED", NonRetryable: true}}
	}
	wrapped := &failurepb.Failure{Message: "x", FailureInfo: &failurepb.Failure_ServerFailureInfo{ServerFailureInfo: &failurepb.ServerFailureInfo{}},
		Cause: &failurepb.Failure{Message: "x", FailureInfo: info()}}
	refused := func(of converter.SerializationContext, failure *failurepb.Failure) {
		t.Helper()
		var app *temporal.ApplicationError
		require.ErrorAs(t, failuresAt(v, of).FailureToError(failure), &app)
		require.Equal(t, NotSealed, app.Type())
	}
	refused(here, &failurepb.Failure{Message: "x", FailureInfo: info()})
	refused(here, wrapped)
	for _, of := range elsewhere {
		refused(of, proto.Clone(made).(*failurepb.Failure))
	}

	timeout := &failurepb.Failure{Message: "activity StartToClose timeout", FailureInfo: &failurepb.Failure_TimeoutFailureInfo{
		TimeoutFailureInfo: &failurepb.TimeoutFailureInfo{TimeoutType: enumspb.TIMEOUT_TYPE_START_TO_CLOSE}}, Cause: made}
	err := failuresAt(v, here).FailureToError(timeout)
	require.True(t, temporal.IsTimeoutError(err), "Temporal makes timeouts itself, around the last failure")
	require.ErrorContains(t, err, "StartToClose")
}

type counter struct{ count int }

func (c *counter) Inc() { c.count++ }

func TestPayload_RefusedOnesAreCounted(t *testing.T) {
	v, refused := keys(t), &counter{}
	dc := converter.WithDataConverterSerializationContext(DataConverter(v, refused), here)
	var back map[string]string
	require.NoError(t, dc.FromPayload(sealedHere(t, v), &back))
	require.Zero(t, refused.count)
	elsewhere, err := DataConverter(v, nil).ToPayload("x")
	require.NoError(t, err)
	for i, p := range []*commonpb.Payload{
		sealedHere(t, keys(t)), elsewhere, {Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(`{}`)},
	} {
		require.Error(t, dc.FromPayload(p, &back))
		require.Equal(t, i+1, refused.count)
	}
	failures := converter.WithFailureConverterSerializationContext(FailureConverter(v, refused), here)
	others := failuresAt(keys(t), here).ErrorToFailure(temporal.NewApplicationError("m", "T"))
	require.ErrorContains(t, failures.FailureToError(others), "a failure in Temporal was encrypted with a keyset")
	require.Greater(t, refused.count, 3)
}

func TestNeedsOldKey_OnlyForWhatAKeyOfBeforeEncrypted(t *testing.T) {
	set := vault.Keyset{File: filepath.Join(t.TempDir(), "payload.json")}
	require.NoError(t, set.Generate(t.Context()))
	load := func() *vault.Vault {
		v, err := set.Load(t.Context())
		require.NoError(t, err)
		return v
	}
	before := sealedHere(t, load())
	_, err := set.AddKey(t.Context())
	require.NoError(t, err)
	require.False(t, NeedsOldKey(load(), before), "its key still encrypts")
	_, err = set.PromoteNewest(t.Context())
	require.NoError(t, err)
	require.True(t, NeedsOldKey(load(), before))
	require.False(t, NeedsOldKey(load(), sealedHere(t, load())))
	require.False(t, NeedsOldKey(load(), sealedHere(t, keys(t))), "of another keyset, which nobody can read anyway")
	require.False(t, NeedsOldKey(load(), &commonpb.Payload{Data: before.Data}), "not encrypted")
}
