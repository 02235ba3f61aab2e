#!/bin/sh
# Starts Temporal with the database password from the secret. Temporal puts it into a file of YAML, between double quotes.
set -eu
POSTGRES_PWD="$(sed 's/["\\]/\\&/g' /run/secrets/temporal_db_password)"
export POSTGRES_PWD
exec /etc/temporal/entrypoint.sh
