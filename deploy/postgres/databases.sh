#!/bin/sh
# Runs once, when the volume is empty: roles and databases for Requisite, and for Temporal. The role requisite owns the
# schema, as whom operators work; requisite_api and requisite_worker serve; requisite_read, which nobody logs in as yet,
# reads everything but secrets. psql reads the passwords itself: arguments and environments are there for others to see.
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
