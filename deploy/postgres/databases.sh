#!/bin/sh
# Runs once, when the volume is empty: roles and databases for Requisite, and for Temporal. The role requisite owns the
# schema, requisite_app serves, and requisite_read, which nobody logs in as yet, reads everything but secrets.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set requisite="$(cat /run/secrets/requisite_db_password)" --set app="$(cat /run/secrets/requisite_app_db_password)" --set temporal="$(cat /run/secrets/temporal_db_password)" <<'SQL'
CREATE ROLE requisite LOGIN PASSWORD :'requisite';
CREATE ROLE requisite_app LOGIN PASSWORD :'app';
CREATE ROLE requisite_read NOLOGIN;
CREATE ROLE temporal LOGIN PASSWORD :'temporal';
CREATE DATABASE requisite OWNER requisite;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
SQL
