#!/bin/sh
# Runs once, when the volume is empty: an owner and a database for Requisite, and for Temporal.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set requisite="$(cat /run/secrets/requisite_db_password)" --set temporal="$(cat /run/secrets/temporal_db_password)" <<'SQL'
CREATE ROLE requisite LOGIN PASSWORD :'requisite';
CREATE ROLE temporal LOGIN PASSWORD :'temporal';
CREATE DATABASE requisite OWNER requisite;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
SQL
