package local

import (
	"strings"
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
		{"2026-11-30", -3, "2027-02-28"},
	} {
		day, err := time.Parse(time.DateOnly, c.day)
		require.NoError(t, err)
		require.Equal(t, c.want, monthsBefore(day, c.n).Format(time.DateOnly), "%d months before %s", c.n, c.day)
	}
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	require.Equal(t, `"2026-09-20" {{months}} "2027-01-20"`, string(fillDates([]byte(`"{{months_ago 2}}" {{months}} "{{months_ahead 2}}"`), day)))
}

func TestDemonstratedDocument_SaysWhoseItIsAndUntilWhen(t *testing.T) {
	line := func(d demonstratedDocument) string {
		d.Code, d.Name = "ID", "Proof"
		return strings.Join(strings.Fields(d.line()), " ")
	}
	require.Equal(t, "ID Proof", line(demonstratedDocument{EntityType: "Business", EntityName: "Ltd", Status: "PENDING"}))
	require.Equal(t, "ID Proof of Ida, due on 2026-12-01", line(demonstratedDocument{EntityType: "Person", EntityName: "Ida", Status: "PENDING", DueOn: "2026-12-01"}))
	require.Equal(t, "ID Proof, COMPLETED until 2027-01-31", line(demonstratedDocument{Status: "COMPLETED", ValidUntil: "2027-01-31"}))
}
