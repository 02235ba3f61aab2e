package kms

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestURIs(t *testing.T) {
	key, err := Open(t.Context(), "")
	require.NoError(t, err)
	require.Nil(t, key)
	for _, uri := range []string{"arn:aws:kms:eu-west-1:1:key/2", "aws-kms://", "hcvault://x", "https://kms.example", "://x"} {
		_, err := Open(t.Context(), uri)
		require.ErrorContains(t, err, "must be the URI of a key, as aws-kms://")
	}
	for _, scheme := range []string{"aws-kms", "gcp-kms"} {
		_, err := Open(t.Context(), scheme+"://key")
		require.ErrorContains(t, err, scheme+":// is not in this program")
	}
}
