#!/bin/sh
# Runs once, when the volume is empty: creates the roles and databases of Requisite and of Temporal. The role requisite owns
# the schema, and operators use it. requisite_api and requisite_worker are for the programs. requisite_read may read
# everything but secrets; it cannot log in until you allow it. psql reads the passwords itself, because others can see
# arguments and environments.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\set requisite `cat /run/secrets/requisite_db_password`
\set api `cat /run/secrets/requisite_api_db_password`
\set worker `cat /run/secrets/requisite_worker_db_password`
\set temporal `cat /run/secrets/temporal_db_password`
SET log_min_error_statement = panic;
CREATE ROLE requisite LOGIN PASSWORD :'requisite';
CREATE ROLE requisite_api LOGIN PASSWORD :'api';
CREATE ROLE requisite_worker LOGIN PASSWORD :'worker';
CREATE ROLE requisite_read NOLOGIN;
CREATE ROLE temporal LOGIN PASSWORD :'temporal';
CREATE DATABASE requisite OWNER requisite;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
SQL
