package rational

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawNumber draws numbers of every size, those around the edges of a machine's
// word among them.
func drawNumber(t *rapid.T, label string) Number {
	part := rapid.OneOf(
		rapid.Int64Range(-20, 20), rapid.Int64(), rapid.Int64Range(0, 1e15),
		rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 32, 100, 1e18}),
	)
	r := new(big.Rat).SetInt64(part.Draw(t, label+" numerator"))
	if den := part.Draw(t, label+" denominator"); den != 0 {
		r.Quo(r, new(big.Rat).SetInt64(den))
	}
	if rapid.IntRange(0, 3).Draw(t, label+" size") == 0 {
		r.Mul(r, r)
	}
	n, err := compact(r)
	require.NoError(t, err)
	return n
}

func TestArithmetic_AgreesWithMathBig(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, m := drawNumber(t, "n"), drawNumber(t, "m")
		a, b := n.Rat(), m.Rat()
		same := func(name string, got Number, err error, want *big.Rat) {
			if errorsTooLarge(want) {
				require.ErrorIs(t, err, ErrTooLarge, name)
				return
			}
			require.NoError(t, err, name)
			require.Zero(t, got.Rat().Cmp(want), "%s of %s and %s is %s, not %s", name, n, m, got, want)
			again, err := compact(want)
			require.NoError(t, err)
			require.True(t, got.Equal(again), "%s of %s and %s has one form", name, n, m)
			num, den := got.Bits()
			require.Equal(t, []int{want.Num().BitLen(), want.Denom().BitLen()}, []int{num, den})
		}
		sum, err := n.Add(m)
		same("sum", sum, err, new(big.Rat).Add(a, b))
		difference, err := n.Sub(m)
		same("difference", difference, err, new(big.Rat).Sub(a, b))
		product, err := n.Mul(m)
		same("product", product, err, new(big.Rat).Mul(a, b))
		same("negation", n.Neg(), nil, new(big.Rat).Neg(a))
		if m.Sign() != 0 {
			quotient, err := n.Quo(m)
			same("quotient", quotient, err, new(big.Rat).Quo(a, b))
		}
		if n.IsInt() && m.IsInt() && m.Sign() != 0 {
			rest, err := n.Rem(m)
			same("remainder", rest, err, new(big.Rat).SetInt(new(big.Int).Rem(a.Num(), b.Num())))
		}
		require.Equal(t, a.Cmp(b), n.Cmp(m), "%s and %s", n, m)
		require.Equal(t, a.Cmp(b) == 0, n.Equal(m))
		require.Equal(t, a.Sign(), n.Sign())
		require.Equal(t, a.IsInt(), n.IsInt())
		back, ok := new(big.Rat).SetString(n.String())
		require.True(t, ok)
		require.Zero(t, back.Cmp(a), "%s is written as %s", a, n)
	})
}

func errorsTooLarge(r *big.Rat) bool {
	return r.Num().BitLen() > MaxBits || r.Denom().BitLen() > MaxBits
}

func TestArithmetic_ReturnsErrors(t *testing.T) {
	t.Parallel()
	_, err := Int(1).Quo(Number{})
	require.ErrorIs(t, err, ErrDivisionByZero)
	_, err = Number{}.Quo(Number{})
	require.ErrorIs(t, err, ErrDivisionByZero)
	_, err = Int(1).Rem(Number{})
	require.ErrorIs(t, err, ErrDivisionByZero)
	_, err = Int(1).Rem(Hundredths(50))
	require.ErrorIs(t, err, ErrNotWhole)
	n := Int(math.MaxInt64)
	for range 3 {
		n, err = n.Mul(n)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, n.Rat().Num().BitLen(), MaxBits)
	_, err = n.Mul(n)
	require.ErrorIs(t, err, ErrTooLarge)
	_, err = Int(1).Quo(n)
	require.NoError(t, err)
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.1": "0.1", "00.10": "0.1", ".5": "0.5", "-12": "-12", "1.5e3": "1500", "1E-2": "0.01", "1e+2": "100",
		"12345678901234567.89": "12345678901234567.89", "-9223372036854775808": "-9223372036854775808",
	} {
		n, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n.String(), text)
	}
	for _, text := range []string{"", "-", ".", "1.", "1/3", "0x10", "1_000", "Inf", "NaN", "1e", "1e+", "1e1.5", "+1", "--1", " 1", "1e41", "1e-41", "1e99999999999999999999", strings.Repeat("9", 41)} {
		_, err := Parse(text)
		require.ErrorIs(t, err, ErrForm, text)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ n, m, want string }{
		{"62000.5", "1", "62000.5"}, {"1", "8", "0.125"}, {"-1", "3", "about -0.333333"}, {"12000.01", "12", "about 1000.000833"},
		{"1", "1000000000", "just over 0"}, {"-1", "1000000000", "just under 0"},
		{"1000000000001", "1000000000", "just over 1000"}, {"999999999999", "1000000000", "just under 1000"},
		{"1", "256", "0.00390625"}, {"1", "512", "about 0.001953"},
	} {
		n, err := Parse(c.n)
		require.NoError(t, err)
		m, err := Parse(c.m)
		require.NoError(t, err)
		quotient, err := n.Quo(m)
		require.NoError(t, err)
		require.Equal(t, c.want, quotient.Words())
	}
}

func TestJSON_IsExact(t *testing.T) {
	t.Parallel()
	third, err := Int(1).Quo(Int(3))
	require.NoError(t, err)
	text, err := json.Marshal(map[string]any{"a": Hundredths(999999999999999), "b": third})
	require.NoError(t, err)
	require.Equal(t, `{"a":9999999999999.99,"b":"1/3"}`, string(text))
	var back struct{ A *Number }
	require.NoError(t, json.Unmarshal([]byte(`{"a":12345678901234567.89}`), &back))
	require.Equal(t, "12345678901234567.89", back.A.String())
	require.Error(t, json.Unmarshal([]byte(`{"a":"1"}`), &back))
}
