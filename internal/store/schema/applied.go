package schema

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"requisite/internal/store/db"
)

// This file records which migrations a database has applied: the number and the content of each. A
// database of other migrations has other tables, although its version may be the same.

// versionTable has a row for each applied migration.
const versionTable = "goose_db_version"

// recorder records the digest of each migration in the transaction that applies it.
type recorder struct {
	database.Store
	digests map[int64]string
}

// Applied returns goose's table of applied migrations, which records their digests, too.
func Applied() (database.Store, error) {
	base, err := database.NewStore(database.DialectPostgres, versionTable)
	if err != nil {
		return nil, err
	}
	digests, err := digests()
	return recorder{base, digests}, err
}

// CreateVersionTable adds the column for digests.
func (r recorder) CreateVersionTable(ctx context.Context, tx database.DBTxConn) error {
	if err := r.Store.CreateVersionTable(ctx, tx); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `ALTER TABLE `+versionTable+` ADD COLUMN sha256 text COLLATE "C"`)
	return err
}

// Insert adds the digest. Version 0 is the empty database, and has none.
func (r recorder) Insert(ctx context.Context, tx database.DBTxConn, req database.InsertRequest) error {
	if err := r.Store.Insert(ctx, tx, req); err != nil || req.Version == 0 {
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE `+versionTable+` SET sha256 = $1 WHERE version_id = $2`, r.digests[req.Version], req.Version)
	return err
}

// digests returns the SHA-256, in hex, of each migration of this program, by version.
func digests() (map[int64]string, error) {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	found := make(map[int64]string, len(files))
	for _, f := range files {
		version, err := goose.NumericComponent(f.Name())
		if err != nil {
			return nil, err
		}
		content, err := migrations.ReadFile("migrations/" + f.Name())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		found[version] = hex.EncodeToString(sum[:])
	}
	return found, nil
}

// Known refuses a database that has applied another migration than this program has under the same
// number, with a db.Lack. A newer migration is accepted.
func Known(ctx context.Context, q db.Querier) error {
	digests, err := digests()
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	type row struct {
		Version int64
		Digest  string
	}
	// A table without the column is of a program that recorded none.
	applied, err := db.Many[row](ctx, q, `
		SELECT version_id AS version, coalesce(to_jsonb(v) ->> 'sha256', '') AS digest
		FROM `+versionTable+` v WHERE is_applied AND version_id > 0 ORDER BY version_id`)
	if err != nil {
		return db.Advise(fmt.Errorf("read the applied migrations: %w", err))
	}
	for _, a := range applied {
		if own, known := digests[a.Version]; known && own != a.Digest {
			return db.Lack(fmt.Sprintf("migration %d of this database is another one than this release has: it was made by a version that was never released, "+
				"or by changed sources, and its tables differ; use the programs that made it, or a new database: docs/operating/upgrade.md", a.Version))
		}
	}
	return nil
}
