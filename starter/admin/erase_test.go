package admin

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

func TestErase_RetriesDeadlocksAndSerializationFailures(t *testing.T) {
	deadlock := fmt.Errorf("lock a business: %w", &pgconn.PgError{Code: "40P01", Message: "deadlock detected"})
	serialization := &pgconn.PgError{Code: "40001", Message: "could not serialize access"}
	fault := errors.New("no connection")
	for name, c := range map[string]struct {
		failures []error
		tries    int
		err      error
	}{
		"no failure":         {nil, 1, nil},
		"two failures":       {[]error{deadlock, serialization}, 3, nil},
		"a failure too many": {[]error{deadlock, deadlock, deadlock, deadlock, deadlock, deadlock}, eraseTries, deadlock},
		"another fault":      {[]error{deadlock, fault}, 2, fault},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			tries := 0
			erased, err := retryBusy(t.Context(), &out, 0, func() (int, error) {
				tries++
				if tries <= len(c.failures) {
					return 0, c.failures[tries-1]
				}
				return 7, nil
			})
			require.Equal(t, c.tries, tries)
			require.ErrorIs(t, err, c.err)
			if c.err == nil {
				require.Equal(t, 7, erased)
			}
			require.Equal(t, min(tries-1, len(c.failures)), strings.Count(out.String(), "Trying again.\n"))
			if len(c.failures) > 0 {
				require.Contains(t, out.String(), "Another transaction stopped try 1 of 5 (lock a business: ")
			}
			if c.tries == eraseTries {
				require.ErrorContains(t, err, "nothing was erased: other transactions stopped each of 5 tries; run this again: ")
			}
		})
	}
}
