#!/bin/sh
# Collects the license and the notices of Go itself and of each module that the programs of a directory were linked from:
# deploy/image/notices.sh PROGRAMS DIRECTORY
#
# The programs of kms/ need KMS=yes, as their build does.
#
# The texts keep their names and their places within the module; the file modules lists all modules. A module without a license
# ends the script, unless it is known.
set -eu
programs=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
cd "$(dirname "$0")/../.."
export GOTOOLCHAIN=local GOWORK=off GOFLAGS=-mod=readonly
license='licen[cs]e*'
copy() { # the directory of a module, and where its texts go
  mkdir -p "$2"
  (cd "$1" && find . $3 -type f \( -iname "$license" -o -iname 'copying*' -o -iname 'notice*' -o -iname 'patents*' \) ! -name '*.go' ! -path '*/testdata/*') |
    while read -r file; do install -D -m 644 "$1/$file" "$2/$file"; done
}
install -m 644 LICENSE "$out/LICENSE"
cd "./${KMS:+kms}" # the module that the programs are built of
copy "$(go env GOROOT)" "$out/go" '-maxdepth 1'
go version -m "$programs"/* | awk '$1 == "dep" && $2 !~ /^requisite(\/|$)/ {print $2 "@" $3}' | LC_ALL=C sort -u >"$out/modules"
[ -s "$out/modules" ] || { echo "the programs in $programs name no module" >&2; exit 1; }
while read -r module; do
  copy "$(go list -m -f '{{.Dir}}' "${module%@*}")" "$out/$module" ''
  case $module in
    github.com/nexus-rpc/nexus-proto-annotations@v0.1.0)
      echo 'This version has no license file. go.temporal.io/api, which is by the same authors and under the MIT license, requires it.' >"$out/$module/NOTICE" ;;
    *)
      find "$out/$module" -maxdepth 1 \( -iname "$license" -o -iname 'copying*' \) | grep -q . || { echo "$module has no license" >&2; exit 1; } ;;
  esac
done <"$out/modules"
