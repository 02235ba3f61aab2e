#!/bin/sh
# Creates the schemas of Temporal's two databases, or updates them. It can be run again safely.
set -eu
SQL_PASSWORD="$(cat /run/secrets/temporal_db_password)"
export SQL_PASSWORD
for part in temporal:temporal temporal_visibility:visibility; do
  tool() {
    temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u temporal --db "${part%%:*}" "$@"
  }
  tool setup-schema -v 0.0 || echo "the schema of ${part%%:*} exists already"
  tool update-schema -d "/etc/temporal/schema/postgresql/v12/${part##*:}/versioned"
done
