#!/bin/sh
# Copies what Postgres writes to ARCHIVE_DIRECTORY (by default /archive), so that any point in time can be restored:
#
#   archive.sh wal PATH NAME   is the archive_command: it copies a segment of the write-ahead log
#   archive.sh base            makes a base backup, from which recovery begins. Then it deletes base backups older than
#                              ARCHIVE_KEEP_DAYS (by default 14), and the segments before the oldest one left
#   archive.sh recover [TIME]  replaces the data of the stopped server, in PGDATA, by those of TIME, such as "2026-11-26 12:00:00Z";
#                              without one, by the newest. The data that it replaces stay beside, in a directory ending in .left-TIME.
#                              When it failed, run it again
#   archive.sh restore NAME PATH
#                              is the restore_command of a recovery. A status above 125 ends it: what is lost in the middle must not
#                              look like the end
#
# The server's own user runs it. Everything is compressed: most of a segment that archive_timeout ends is empty.
set -eu
umask 077
archive=${ARCHIVE_DIRECTORY:-/archive}
now() { date -u +%Y%m%dT%H%M%SZ; }
case "${1:-}" in
wal)
  kept=$archive/$3.gz
  # Postgres repeats what a crash interrupted. Another segment of this name is one of another server.
  if [ -e "$kept" ]; then
    gzip --decompress --stdout "$kept" | cmp -s - "$2" || { echo "archive: $kept has other content" >&2; exit 1; }
    exit
  fi
  gzip --fast --stdout "$2" >"$kept.part"
  sync "$kept.part"
  mv "$kept.part" "$kept"
  sync "$archive"
  ;;
base)
  new=$archive/base.part
  rm -rf "$new"
  pg_basebackup --no-password --pgdata="$new" --format=tar --gzip --wal-method=none --checkpoint=fast
  made=$archive/base-$(now) # the time of its end: recovery to any later time may begin with it
  mv "$new" "$made"
  find "$archive" -maxdepth 1 \( -name 'base-*' -o -name 'abandoned-*' \) -mtime "+${ARCHIVE_KEEP_DAYS:-14}" | while read -r old; do
    mv "$old" "$new" # so that what a crash leaves of it is no base backup
    rm -r "$new"
  done
  oldest=$(find "$archive" -maxdepth 1 -name 'base-*' | sort | head -n 1)
  first=$(tar --extract --gzip --to-stdout --file="$oldest/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p')
  pg_archivecleanup -x .gz "$archive" "$first"
  echo "$made"
  ;;
restore)
  kept=$archive/$2.gz
  if [ -e "$kept" ]; then
    gzip --decompress --stdout "$kept" >"$3" || { echo "archive: $kept is damaged" >&2; exit 200; }
    exit
  fi
  case $2 in *.*) exit 1 ;; esac # a history of a timeline that nothing began
  last=$(find "$archive" -maxdepth 1 -name "$(echo "$2" | cut -c 1-8)????????????????.gz" | sort | tail -n 1)
  if [ "$(basename "$last" .gz)" \> "$2" ]; then
    echo "archive: $kept is missing, and later segments are there" >&2
    exit 200
  fi
  exit 1
  ;;
recover)
  until=$(now) target=
  if [ -n "${2:-}" ]; then
    if [ "$(date -u --date="$2" +%Y%m%dT%H%M%SZ)" \> "$until" ]; then
      echo "$2 has not come yet" >&2
      exit 1
    fi
    until=$(date -u --date="$2" +%Y%m%dT%H%M%SZ)
    target=$(date -u --date="$2" '+%Y-%m-%d %H:%M:%S.%6N+00') # an abbreviation such as Z is unknown at a server's start
  fi
  base=$(find "$archive" -maxdepth 1 -name 'base-*' | sort | while read -r b; do [ "$(basename "$b")" \> "base-$until" ] || echo "$b"; done | tail -n 1)
  [ -n "$base" ] || { echo "there is no base backup from before ${2:-now} in $archive" >&2; exit 1; }
  if [ -e "$PGDATA/postmaster.pid" ]; then
    echo "the server runs: stop it. If it crashed, delete $PGDATA/postmaster.pid" >&2
    exit 1
  fi
  # The mark names the data that were there before a recovery. It is in PGDATA until the recovery is done, so that another try
  # begins with them again.
  mark=$PGDATA/recovery-began
  [ -e "$PGDATA" ] || [ ! -e "$PGDATA.new/recovery-began" ] || mv "$PGDATA.new" "$PGDATA"
  if [ -e "$mark" ]; then
    left=$(cat "$mark")
    find "$PGDATA" -mindepth 1 -maxdepth 1 ! -path "$mark" -exec rm -r {} +
  else
    # What the server wrote last is not in the archive yet: whole segments go there, or a later recovery would end before them.
    for ready in "$PGDATA"/pg_wal/archive_status/*.ready; do
      [ -e "$ready" ] || continue
      name=$(basename "$ready" .ready)
      /bin/sh "$0" wal "$PGDATA/pg_wal/$name" "$name"
    done
    left=$PGDATA.left-$(now)
    new=$PGDATA.new
    rm -rf "$new"
    mkdir -p "$(dirname "$PGDATA")"
    mkdir -m 700 "$new"
    echo "$left" >"$new/recovery-began"
    sync
    [ ! -d "$PGDATA" ] || mv "$PGDATA" "$left"
    mv "$new" "$PGDATA"
  fi
  tar --extract --gzip --file="$base/base.tar.gz" --directory="$PGDATA"
  # After a crash, the last segment is not whole.
  [ ! -d "$left/pg_wal" ] || find "$left/pg_wal" -maxdepth 1 -type f -name '????????????????????????' -exec cp {} "$PGDATA/pg_wal/" \;
  touch "$PGDATA/recovery.signal"
  # Nobody connects meanwhile. Without hot_standby the server is not ready before it has recovered.
  pg_ctl start --wait --timeout=604800 --pgdata="$PGDATA" --options="-c listen_addresses='' -c unix_socket_directories='$PGDATA' \
    -c hot_standby=off -c archive_mode=on -c archive_command='/bin/sh $0 wal %p %f' \
    -c restore_command='/bin/sh $0 restore %f %p' -c recovery_target_time='$target' -c recovery_target_action=promote"
  until pg_isready --quiet --host="$PGDATA"; do
    pg_ctl status --pgdata="$PGDATA" >/dev/null
    sleep 1
  done
  pg_ctl stop --wait --timeout=604800 --pgdata="$PGDATA"
  rm "$mark"
  echo "recovered from $base"
  # A base backup of what is left behind does not lead to what is written from now on.
  if [ -n "$target" ]; then
    find "$archive" -maxdepth 1 -name 'base-*' | while read -r b; do
      [ ! "$(basename "$b")" \> "base-$until" ] || mv "$b" "$archive/abandoned-$(basename "$b")"
    done
  fi
  echo "start the server, and make a base backup: archive.sh base"
  [ ! -d "$left" ] || echo "delete $left when you do not need it"
  ;;
*)
  echo "usage: archive.sh wal PATH NAME | base | recover [TIME] | restore NAME PATH" >&2
  exit 2
  ;;
esac
