#!/bin/sh
# Builds the programs of a release into a directory: deploy/image/programs.sh DIRECTORY
#
# With KMS=yes they are those of kms/, which support key management services.
#
# The same sources, VERSION, REVISION, KMS, version of Go and platform give the same bytes, in whatever directory they are built:
# paths, cgo, the state of a repository and what the environment says about processors do not get into the programs. Data for
# debuggers, which the linker would drop, is not made.
set -eu
out=$1
cd "$(dirname "$0")/../.."
mkdir -p "$out"
out=$(realpath "$out")
starter=./starter/starter
if [ -n "${KMS:-}" ]; then cd kms && starter=./starter; fi
export CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off GOFLAGS="-trimpath -buildvcs=false -mod=readonly -gcflags=all=-dwarf=false" GOAMD64=v1 GOARM64=v8.0
go build -ldflags="-s -w -X requisite/internal/telemetry.linked=${VERSION:-} -X requisite/internal/telemetry.linkedRevision=${REVISION:-}" -o "$out/" ./api ./worker "$starter"
