#!/bin/sh
# Dumps the database of DATABASE_URL into BACKUP_DIRECTORY, and records that the backup succeeded. Then it deletes dumps that
# are older than BACKUP_KEEP_DAYS: a backup that fails deletes nothing. The URL's role owns the schema. A file whose name
# ends in .dump is whole.
set -eu
umask 077
if [ -n "${DATABASE_PASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$DATABASE_PASSWORD_FILE")
  export PGPASSWORD
fi
dump=$BACKUP_DIRECTORY/requisite-$(date -u +%Y%m%dT%H%M%SZ).dump
trap 'rm -f "$dump.part"' EXIT
pg_dump --enable-row-security --no-password --format=custom --file="$dump.part" "$DATABASE_URL"
pg_restore --list "$dump.part" >/dev/null
mv "$dump.part" "$dump"
psql --no-psqlrc --no-password --quiet --command="UPDATE public.schedule_success SET at = now() WHERE schedule = 'backup'" "$DATABASE_URL"
find "$BACKUP_DIRECTORY" -maxdepth 1 -name 'requisite-*.dump*' -mtime "+$BACKUP_KEEP_DAYS" -delete
echo "$dump"
