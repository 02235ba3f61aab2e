package db_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"requisite/internal/store/db"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"55P03": true, "40P01": true, "40001": true, // a lock, a deadlock, a conflict
		"08006": true, "53300": true, "57P01": true, // connection, resources, shutdown
		"23505": false, "42501": false, "22P02": false,
	} {
		require.Equal(t, want, db.Unreachable(fmt.Errorf("read: %w", &pgconn.PgError{Code: code})), code)
	}
	for want, list := range map[bool][]error{
		true:  {pgconn.ErrConnClosed, io.ErrUnexpectedEOF, &pgconn.ConnectError{}, &net.OpError{Op: "read", Err: errors.New("reset")}},
		false: {errors.New("a bug"), io.EOF},
	} {
		for _, err := range list {
			require.Equal(t, want, db.Unreachable(fmt.Errorf("read: %w", err)), "%v", err)
		}
	}
}
