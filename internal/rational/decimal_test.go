package rational

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "50000": "50000", "50000.01": "50000.01", "1e3": "1000", "1.50": "1.5", "1.000": "1",
		"9999999999999.99": "9999999999999.99", "-0.05": "-0.05", "12E-1": "1.2",
	} {
		n, err := ParseDecimal(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n.String(), text)
	}
	for _, text := range []string{"0.001", "1e999999999", "1e-999999999", "1e20", "abc", "", "1e", "00000000000000000000000000000000000000000000"} {
		_, err := ParseDecimal(text)
		require.ErrorIs(t, err, ErrDecimal, text)
	}
}

func TestDecimal_JSONKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := Decimal(rapid.Int64Range(-1e15, 1e15).Draw(t, "n"))
		data, err := json.Marshal(n)
		require.NoError(t, err)
		var back Decimal
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, n, back)
	})
}

// FuzzParseDecimal: what is read is exactly what was written, and is read again from
// its own JSON.
func FuzzParseDecimal(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "50000.01", "1.000", "12E-1", "999999999999999.99", "-999999999999999.99", "1000000000000000",
		"0.001", "1e999999999", "1e-999999999", "", "1e", ".5",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseDecimal(text)
		if err != nil {
			require.ErrorIs(t, err, ErrDecimal)
			return
		}
		want, ok := new(big.Rat).SetString(text)
		require.True(t, ok)
		require.Zero(t, want.Cmp(big.NewRat(int64(n), 100)))
		require.Zero(t, want.Cmp(n.Exact().Rat()))
		data, err := json.Marshal(n)
		require.NoError(t, err)
		var back Decimal
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, n, back)
	})
}
