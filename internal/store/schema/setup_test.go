package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"requisite/internal/store/db"
	"requisite/internal/store/pgtest"
	"requisite/internal/store/schema"
)

var server *pgtest.Server

func TestMain(m *testing.M) { pgtest.Main(m, func(s *pgtest.Server) { server = s }) }

// database is one of a test's own, with its schema.
type database struct {
	*db.DB // as the owner of the schema
	schema.Schema
	url string // with every right
}

func open(t *testing.T) database {
	t.Parallel()
	url := server.Database(t)
	conn := pgtest.Connect(t, pgtest.As(url, pgtest.Owner))
	return database{conn, schema.New(conn), url}
}

func (d database) count(t *testing.T, sql string) (n int) {
	require.NoError(t, d.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// only is the error of a call that has one more result.
func only[T any](_ T, err error) error { return err }
