package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"requisite/internal/config"
	"requisite/internal/store"
	"requisite/internal/store/db"
	"requisite/internal/store/schema"
)

// checkDatabase refuses a role that row-level security does not bind or that lacks rights,
// and a pooler of transactions. A database that is only read-only is no reason to end: the
// program is not ready until it can be written. It warns of a changed collation library. It comes before all other statements, which a
// pooler of transactions would let fail in ways that do not name it.
func checkDatabase(ctx context.Context, store *store.Store, s *config.Service, program schema.Program, log *slog.Logger) error {
	if err := store.Database.Ready(ctx, program); err != nil && !errors.Is(err, db.LackWrites) {
		return db.Advise(fmt.Errorf("check the database: %w", err))
	}
	why, err := store.Database.Schema().Bypass(ctx)
	switch {
	case err != nil:
		return err
	case why != "" && s.AllowBypass:
		log.Warn("the database role sees the data of every tenant: "+why+"; never use it in production", "setting", config.BypassFlag)
	case why != "":
		return fmt.Errorf("row-level security does not bind the database role: %s; name another role in the database URL, and run `starter migrate --%s-role` with it; --%s is for development alone", why, program, config.BypassFlag)
	}
	// No index of the service depends on them, so they are no reason to end.
	switch outdated, err := store.Database.OutdatedCollations(ctx); {
	case err != nil:
		log.Warn("the program does not know whether a library of Postgres orders texts otherwise than before", "error", err)
	case len(outdated) > 0:
		log.Warn("a library of Postgres orders texts otherwise than before: rebuild the indexes that are not Requisite's, "+
			"docs/operating/postgres.md#when-a-library-of-postgres-has-changed", "outdated", outdated)
	}
	return nil
}

// lackOfStore is the error of a store's readiness without addresses and secrets.
func lackOfStore(err error) error {
	var lack db.Lack
	switch {
	case err == nil:
		return nil
	case errors.As(err, &lack):
		return lack
	}
	return errors.New("no answer from Postgres")
}
