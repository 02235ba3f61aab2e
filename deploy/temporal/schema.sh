#!/bin/sh
# Makes Temporal's two databases' schemas, or brings them up to date. Running it again does no harm.
set -eu
SQL_PASSWORD="$(cat /run/secrets/temporal_db_password)"
export SQL_PASSWORD
for part in temporal:temporal temporal_visibility:visibility; do
  tool() {
    temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u temporal --db "${part%%:*}" "$@"
  }
  tool setup-schema -v 0.0 || echo "the schema of ${part%%:*} is there already"
  tool update-schema -d "/etc/temporal/schema/postgresql/v12/${part##*:}/versioned"
done
