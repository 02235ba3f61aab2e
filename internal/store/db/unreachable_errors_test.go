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

// TestAdvise_NamesTheFullDisk: where the driver tries TLS first, its refusal stands before what the server then says.
func TestAdvise_NamesTheFullDisk(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"tls error: server refused TLS connection": "speaks no TLS",
		"tls error: server refused TLS connection; 127.0.0.1:2: ValidateConnect failed: read only connection; 127.0.0.1:3: dial error": "promote one",
		"tls error: server refused TLS connection\nserver error: FATAL: could not write init file (SQLSTATE XX000)":                    "disk of Postgres is full",
		"tls error: server refused TLS connection\nserver error: FATAL: the database system is starting (SQLSTATE 57P03)":              "recovers from a crash",
		"ERROR: could not extend file: No space left on device (SQLSTATE 53100)":                                                       "disk of Postgres is full",
	} {
		advised := db.Advise(errors.New(text))
		require.Contains(t, advised.Error(), want)
		require.Equal(t, advised, db.Advise(advised), "it is advised once")
	}
}
