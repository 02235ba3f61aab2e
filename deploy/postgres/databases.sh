#!/bin/sh
# Makes what is missing of the roles and databases of Requisite and of Temporal, and gives the roles the passwords of the
# secrets. It runs at each start, so that a first start that was cut off is completed by the next one. The role requisite owns
# the schema, and operators use it. requisite_api and requisite_worker are for the programs. requisite_read may read
# everything but secrets; it cannot log in until you allow it. monitor sees the statistics of the server, and no rows. psql
# reads the passwords itself, because others can see arguments and environments, and the server logs no statement of this
# session. In psql's password file, \ and : have a meaning, so they are escaped.
set -eu
umask 077
printf '*:*:*:*:%s\n' "$(sed 's/[\\:]/\\&/g' /run/secrets/postgres_password)" >/tmp/pgpass
PGPASSFILE=/tmp/pgpass
export PGPASSFILE
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --host postgres --username postgres --dbname postgres <<'SQL'
\set requisite `cat /run/secrets/requisite_db_password`
\set api `cat /run/secrets/requisite_api_db_password`
\set worker `cat /run/secrets/requisite_worker_db_password`
\set temporal `cat /run/secrets/temporal_db_password`
\set monitor `cat /run/secrets/monitor_db_password`
SET log_min_error_statement = panic;
SET log_min_duration_statement = -1;
SELECT 'CREATE ROLE ' || name FROM unnest(ARRAY['requisite', 'requisite_api', 'requisite_worker', 'requisite_read', 'temporal', 'monitor']) AS name WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE requisite LOGIN CREATEDB PASSWORD :'requisite'; -- CREATEDB: backup-check.sh restores into a database of its own
ALTER ROLE requisite_api LOGIN PASSWORD :'api';
ALTER ROLE requisite_worker LOGIN PASSWORD :'worker';
ALTER ROLE temporal LOGIN PASSWORD :'temporal';
ALTER ROLE monitor LOGIN PASSWORD :'monitor';
GRANT pg_monitor TO monitor;
CREATE EXTENSION IF NOT EXISTS pg_stat_statements; -- of all databases: docs/operating/sizes.md
GRANT requisite_api TO requisite; -- for operators who run operations of the API
GRANT pg_read_all_stats TO requisite; -- for starter status, which looks at the transactions of all roles
SELECT 'CREATE DATABASE ' || name || ' OWNER ' || owner FROM (VALUES ('requisite', 'requisite'), ('temporal', 'temporal'), ('temporal_visibility', 'temporal')) AS wanted (name, owner) WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = name) \gexec
SQL
