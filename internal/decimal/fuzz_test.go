package decimal

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParse: what is read is exactly what was written, and is read again from
// its own JSON.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "50000.01", "1.000", "12E-1", "999999999999999.99", "-999999999999999.99", "1000000000000000",
		"0.001", "1e999999999", "1e-999999999", "", "1e", ".5",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if err != nil {
			require.ErrorIs(t, err, ErrForm)
			return
		}
		want, ok := new(big.Rat).SetString(text)
		require.True(t, ok)
		require.Zero(t, want.Cmp(big.NewRat(int64(n), 100)))
		require.Zero(t, want.Cmp(n.Exact().Rat()))
		data, err := json.Marshal(n)
		require.NoError(t, err)
		var back Number
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, n, back)
	})
}
