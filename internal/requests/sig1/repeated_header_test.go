package sig1

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/requests/refusal"
)

func TestVerify_RejectsRepeatedHeader(t *testing.T) {
	for _, name := range []string{HeaderAuthorization, HeaderAPIKey, HeaderAuthToken, HeaderSignedElements} {
		r := signed(t)
		r.Header.Add(name, r.Header.Get(name))
		require.Equal(t, refusal.AuthInvalidHeader, code(t, Verify(t.Context(), r, &memory{}, now)), name)
	}
}
