package rational

import (
	"encoding/json"
	"math/big"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var plainForm = regexp.MustCompile(`^-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// FuzzParse: a number is read as math/big reads it, and every way to write it
// says the same number.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", ".5", "00.10", "1.5e3", "1E-2", "-9223372036854775808", "9999999999999999999999999999999999999999",
		"99999999999999999999999999999999999999999", "1e40", "-1e-40", "1e41", "1.", "1/3", "0x10", "1_000", "Inf", "1e+-5", "1e99999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if err != nil {
			require.ErrorIs(t, err, ErrForm)
			return
		}
		require.Regexp(t, plainForm, text)
		require.LessOrEqual(t, len(text), maxLength)
		want, ok := new(big.Rat).SetString(text)
		require.True(t, ok)
		require.Zero(t, n.Rat().Cmp(want))
		again, err := compact(want)
		require.NoError(t, err)
		require.True(t, n.Equal(again), "one number has one form")

		written, ok := new(big.Rat).SetString(n.String())
		require.True(t, ok, n.String())
		require.Zero(t, written.Cmp(want))
		data, err := json.Marshal(n)
		require.NoError(t, err)
		require.Equal(t, n.String(), string(data))
		require.NotEmpty(t, n.Words())
	})
}
