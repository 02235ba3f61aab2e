#!/bin/sh
# Builds the programs of a release into a directory: deploy/image/programs.sh DIRECTORY
#
# The same sources, VERSION, REVISION, TAGS, version of Go and platform give the same bytes, in whatever directory they are built:
# paths, cgo, the state of a repository and what the environment says about processors do not get into the programs.
set -eu
out=$1
cd "$(dirname "$0")/../.."
mkdir -p "$out"
export CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off GOFLAGS="-trimpath -buildvcs=false -mod=readonly" GOAMD64=v1 GOARM64=v8.0
# Where neither says what was built, because files were changed or there is no commit, a hash tells builds apart, with one name for
# all programs.
sources=
case ${VERSION:-}:${REVISION:-} in *-dirty* | *+dirty* | *:)
  sources=$(find . \( -name .git -o -name .stack -o -name node_modules \) -prune -o -type f -print | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum | sha256sum | cut -c1-12)
  ;;
esac
go build -tags "${TAGS:-}" -ldflags="-s -w -X requisite/internal/telemetry.linked=${VERSION:-} -X requisite/internal/telemetry.linkedRevision=${REVISION:-} -X requisite/internal/telemetry.linkedSources=${sources}" -o "$out/" ./api ./worker ./starter
