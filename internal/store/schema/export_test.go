package schema

import "github.com/jackc/pgx/v5"

// Migrating is migrating, for tests.
func (s Schema) Migrating() *pgx.ConnConfig { return s.migrating() }
