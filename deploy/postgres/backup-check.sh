#!/bin/sh
# Shows that the newest dump in BACKUP_DIRECTORY can be restored, in three steps:
#
#   backup-check.sh restore        restores it into the database requisite_scratch, which SCRATCH_URL names
#   starter decision verify --all  verifies the decisions in it, with SCRATCH_URL as DATABASE_URL
#   backup-check.sh record         records the success in the database of DATABASE_URL, and drops requisite_scratch
#
# DATABASE_URL's role owns the schema and may create databases. After a step that fails, requisite_scratch stays until the next run.
set -eu
if [ -n "${DATABASE_PASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$DATABASE_PASSWORD_FILE")
  export PGPASSWORD
fi
sql() { psql --no-psqlrc --no-password --quiet --set=ON_ERROR_STOP=1 --command='SET client_min_messages = warning' "$@" "$DATABASE_URL"; }
drop='DROP DATABASE IF EXISTS requisite_scratch' # WITH (FORCE) fails while autovacuum works there; without it, that is stopped
case "$1" in
restore)
  newest=$(find "$BACKUP_DIRECTORY" -maxdepth 1 -name 'requisite-*.dump' | sort | tail -n 1)
  [ -n "$newest" ] || { echo "there is no dump in $BACKUP_DIRECTORY" >&2; exit 1; }
  sql --command="$drop" --command="CREATE DATABASE requisite_scratch ENCODING 'UTF8' TEMPLATE template0"
  pg_restore --no-password --no-owner --no-privileges --exit-on-error --dbname="$SCRATCH_URL" "$newest"
  echo "restored $newest"
  ;;
record)
  sql --command="UPDATE public.schedule_success SET at = now() WHERE schedule = 'restore'" --command="$drop"
  echo "the newest dump was restored and verified"
  ;;
*)
  echo "usage: backup-check.sh restore|record" >&2
  exit 2
  ;;
esac
