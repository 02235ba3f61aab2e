package schema_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
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

// connect opens a connection beside the pool.
func (d database) connect(t *testing.T, url string) *pgx.Conn {
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func (d database) count(t *testing.T, sql string) (n int) {
	require.NoError(t, d.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

// only is the error of a call that has one more result.
func only[T any](_ T, err error) error { return err }
