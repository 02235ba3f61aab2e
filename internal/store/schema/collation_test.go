package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
)

// TestTexts_SortByTheirBytes: an index whose order comes from a library lets doubles in once the library orders otherwise. The
// keys of indexes, expressions among them, are attributes like the columns of tables and views.
func TestTexts_SortByTheirBytes(t *testing.T) {
	d := open(t)
	others, err := db.Column[string](t.Context(), d, `
		SELECT format('%s.%s', c.relname, a.attname) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped AND a.attcollation NOT IN (0, '"C"'::regcollation)
		UNION ALL
		SELECT DISTINCT format('a key of %s', i.indexrelid::regclass) FROM pg_index i, unnest(i.indcollation::oid[]) AS k (of)
		WHERE i.indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace) AND k.of NOT IN (0, '"C"'::regcollation)
		UNION ALL
		SELECT t.typname FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'd' AND t.typcollation NOT IN (0, '"C"'::regcollation)
		ORDER BY 1`)
	require.NoError(t, err)
	require.Empty(t, others, `write COLLATE "C" behind the type of the column`)
	require.NotZero(t, d.count(t, `SELECT count(*) FROM pg_index WHERE indexrelid = 'outcome_pkey'::regclass AND '"C"'::regcollation = ANY (indcollation)`))
}
