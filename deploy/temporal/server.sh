#!/bin/sh
# Starts Temporal with the database password from the secret.
set -eu
POSTGRES_PWD="$(cat /run/secrets/temporal_db_password)"
export POSTGRES_PWD
exec /etc/temporal/entrypoint.sh
