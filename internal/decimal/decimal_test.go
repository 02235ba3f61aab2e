package decimal

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "50000": "50000", "50000.01": "50000.01", "1e3": "1000", "1.50": "1.5", "1.000": "1",
		"9999999999999.99": "9999999999999.99", "-0.05": "-0.05", "12E-1": "1.2",
	} {
		n, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n.String(), text)
	}
	for _, text := range []string{"0.001", "1e999999999", "1e-999999999", "1e20", "abc", "", "1e", "00000000000000000000000000000000000000000000"} {
		_, err := Parse(text)
		require.ErrorIs(t, err, ErrForm, text)
	}
}

func TestJSONKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := Number(rapid.Int64Range(-1e15, 1e15).Draw(t, "n"))
		data, err := json.Marshal(n)
		require.NoError(t, err)
		var back Number
		require.NoError(t, json.Unmarshal(data, &back))
		require.Equal(t, n, back)
	})
}
