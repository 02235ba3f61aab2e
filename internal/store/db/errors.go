package db

import (
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATE codes that callers handle.
const (
	codeLockNotAvailable = "55P03"
	codeDeadlock         = "40P01"
	codeSerialization    = "40001"
	codeQueryCanceled    = "57014"
	codeReadOnly         = "25006"
	codeAdminShutdown    = "57P01"
	codeCrashShutdown    = "57P02"
	codeCannotConnectNow = "57P03"
	codeNoSuchPrepared   = "26000"
	codePreparedTwice    = "42P05"
	codeNoRight          = "42501"

	codeTooManyConnections = "53300"

	classSystemError = "58"
)

// Violates reports whether an error is the violation of a constraint with the given name.
func Violates(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.ConstraintName == constraint
}

func LockTimedOut(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeLockNotAvailable
}

// Busy reports an error that only says that another transaction was in the way. The same
// transaction may succeed a moment later.
func Busy(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == codeLockNotAvailable || pg.Code == codeDeadlock || pg.Code == codeSerialization)
}

// StatementTimedOut reports whether a statement exceeded its timeout, in Postgres or in this
// process.
func StatementTimedOut(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeQueryCanceled
}

// Unreachable reports an error after which the same request may succeed. Postgres could not be
// reached, shut down, ran out of a resource, lost the connection, or timed out waiting for a lock.
// The request itself is correct. Nothing was written, unless the connection broke during a commit:
// repeating a write safely needs an idempotency key.
func Unreachable(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		if Busy(err) {
			return true
		}
		switch pg.Code[:2] { // connection, resources, operator intervention, the server's disk
		case "08", "53", "57", classSystemError:
			return true
		}
		return pg.Code == codeReadOnly // the server became a standby in a failover
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}
