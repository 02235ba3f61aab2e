package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.temporal.io/server/common/log"
	v12 "go.temporal.io/server/schema/postgresql/v12"
	"go.temporal.io/server/tools/common/schema"
	sqltool "go.temporal.io/server/tools/sql"
)

// storeSchema is one of Temporal's databases, and the schema that it must have, which is embedded in the server.
type storeSchema struct {
	database string
	path     string
	version  string
}

func storeSchemas() []storeSchema {
	return []storeSchema{
		{database: storeDatabase, path: "postgresql/v12/temporal", version: v12.Version},
		{database: visibilityDatabase, path: "postgresql/v12/visibility", version: v12.VisibilityVersion},
	}
}

// createMissing creates the databases of Temporal that do not exist.
func createMissing(ctx context.Context, d *database, logger log.Logger, progress func(string)) error {
	admin, err := d.connect(ctx, d.name())
	if err != nil {
		return err
	}
	defer admin.Close(context.WithoutCancel(ctx))
	for _, s := range storeSchemas() {
		var exists bool
		err := admin.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", s.database).Scan(&exists)
		if err == nil && !exists {
			progress("creating the database " + s.database)
			err = s.create(ctx, d, admin, logger)
		}
		if err != nil {
			return fmt.Errorf("create the database %s: %w", s.database, explain(err))
		}
	}
	return nil
}

// upgradeOutdated upgrades databases of an earlier version of Temporal to this version's schema, and changes no others. An
// interrupted upgrade is resumed.
func upgradeOutdated(d *database, logger log.Logger, progress func(string)) error {
	for _, s := range storeSchemas() {
		if err := s.upgrade(d, logger, progress); err != nil {
			return fmt.Errorf("upgrade the database %s: %w", s.database, explain(err))
		}
	}
	return nil
}

// create creates the database under another name and renames it when it is complete, so that a database with the final name
// is never incomplete, however the process ends.
func (s storeSchema) create(ctx context.Context, d *database, admin *pgx.Conn, logger log.Logger) error {
	unfinished := s.database + "_unfinished"
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + quote(unfinished),
		"CREATE DATABASE " + quote(unfinished),
	} {
		if _, err := admin.Exec(ctx, statement); err != nil {
			return err
		}
	}
	if err := s.fill(d, unfinished, logger); err != nil {
		return err
	}
	_, err := admin.Exec(ctx, "ALTER DATABASE "+quote(unfinished)+" RENAME TO "+quote(s.database))
	return err
}

// fill creates the tables. The schema's version is recorded under the final name of the database.
func (s storeSchema) fill(d *database, name string, logger log.Logger) error {
	conn, err := sqltool.NewConnection(d.sqlConfig(name), logger)
	if err != nil {
		return err
	}
	defer conn.Close()
	setup := &schema.SetupConfig{SchemaName: s.path, InitialVersion: s.version}
	if err := schema.NewSetupSchemaTask(conn, setup, logger).Run(); err != nil {
		return err
	}
	return conn.Exec("UPDATE schema_version SET db_name = $1", s.database)
}

func (s storeSchema) upgrade(d *database, logger log.Logger, progress func(string)) error {
	conn, err := sqltool.NewConnection(d.sqlConfig(s.database), logger)
	if err != nil {
		return err
	}
	defer conn.Close()
	found, err := conn.ReadSchemaVersion()
	if err != nil {
		return fmt.Errorf("it exists and is not one of Temporal's databases: %w", err)
	}
	if found == s.version {
		return nil
	}
	progress(fmt.Sprintf("upgrading the database %s from version %s to %s", s.database, found, s.version))
	update := &schema.UpdateConfig{SchemaName: s.path, TargetVersion: s.version}
	return schema.NewUpdateSchemaTask(conn, update, logger).Run()
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// explain adds advice to errors that an operator can fix.
func explain(err error) error {
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		return err
	}
	switch pgErr.Code {
	case "42501":
		return fmt.Errorf("%w; grant the role CREATEDB, or create the database for it, with the extension btree_gin", err)
	case "0A000", "58P01":
		return fmt.Errorf("%w; install PostgreSQL's contrib modules (Fedora: postgresql-contrib)", err)
	default:
		return err
	}
}
