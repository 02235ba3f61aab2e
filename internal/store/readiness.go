package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"requisite/internal/domain"
	"requisite/internal/id"
	"requisite/internal/store/db"
	"requisite/internal/store/schema"
)

// trialScope is the scope of a tenant that does not exist.
var trialScope = domain.Scope{OrganizationID: id.Nil, Environment: domain.Sandbox}

// trialLockWait is how long a trial waits for a table that a migration has locked. After that, the
// rest of the trial decides, because requests that use other tables are served.
const trialLockWait = 500 * time.Millisecond

// Ready does what a program's requests do, and rolls it back. It checks the rights and the version
// of the schema, and looks for a row to change in a tenant's scope, in several transactions and on
// several connections. The tenant does not exist, so Ready writes nothing and uses no id. Postgres
// still refuses the statement if it would refuse a write. The error is a db.Lack, or the error of
// the connection. Ready works even when tenants hold all their connections.
func (s Database) Ready(ctx context.Context, p schema.Program) error {
	checked := false
	return s.db.Try(ctx, trialScope, func(ctx context.Context, tx pgx.Tx) error {
		if !checked {
			checked = true
			missing, err := schema.Missing(ctx, tx, p, "")
			if err != nil {
				return err
			}
			if len(missing) > 0 {
				return lacksRights(missing, p)
			}
			// A newer version is accepted: each release works with the schema of the next.
			applied, newest, err := schema.Versions(ctx, tx)
			if err != nil {
				return err
			}
			if err := schema.Known(ctx, tx); err != nil {
				return err
			}
			if applied < newest {
				return db.Lack(fmt.Sprintf("the schema has version %d, and this release needs %d; run `starter migrate`", applied, newest))
			}
		}
		return tryToWrite(ctx, tx)
	})
}

// RoleReady is the part of Ready about rights, for another role than that of the connection.
func (s Database) RoleReady(ctx context.Context, p schema.Program, role string) error {
	missing, err := schema.Missing(ctx, s.db, p, role)
	if err == nil && len(missing) > 0 {
		err = lacksRights(missing, p)
	}
	return err
}

// StillReady is Ready without checks of what seldom changes while a program runs: the rights of its
// role, and poolers on the way to Postgres. It takes four round trips, and Ready takes seventeen.
func (s Database) StillReady(ctx context.Context) error {
	return s.db.TryOnce(ctx, trialScope, tryToWrite)
}

func tryToWrite(ctx context.Context, tx pgx.Tx) error {
	// Two statements, not one batch: preparing the second one already takes its locks.
	if _, err := tx.Exec(ctx, `SELECT set_config('lock_timeout', $1, true)`, fmt.Sprint(trialLockWait.Milliseconds())); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE business SET updated_at = updated_at WHERE id = $1`, id.Nil)
	if db.LockTimedOut(err) {
		return nil
	}
	return err
}

// listed is how many missing rights a message names.
const listed = 3

func lacksRights(missing []string, p schema.Program) error {
	named, more := missing, ""
	if len(missing) > listed {
		named, more = missing[:listed], fmt.Sprintf(" and %d more", len(missing)-listed)
	}
	return db.Lack(fmt.Sprintf("the database role lacks rights: %s%s; run `starter migrate` with this role as --%s-role", strings.Join(named, ", "), more, p))
}
