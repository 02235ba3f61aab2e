package local

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMonthsBefore_StaysWithinTheMonth(t *testing.T) {
	for _, c := range []struct {
		day  string
		n    int
		want string
	}{
		{"2026-11-20", 2, "2026-09-20"}, {"2026-05-31", 1, "2026-04-30"}, {"2024-03-31", 1, "2024-02-29"},
		{"2026-01-15", 1, "2025-12-15"}, {"2026-01-15", 25, "2023-12-15"}, {"2026-01-31", 0, "2026-01-31"},
	} {
		day, err := time.Parse(time.DateOnly, c.day)
		require.NoError(t, err)
		require.Equal(t, c.want, monthsBefore(day, c.n).Format(time.DateOnly), "%d months before %s", c.n, c.day)
	}
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	require.Equal(t, `"2026-09-20" {{months}}`, string(fillDates([]byte(`"{{months_ago 2}}" {{months}}`), day)))
}
