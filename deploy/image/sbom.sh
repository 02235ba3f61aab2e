#!/bin/sh
# Writes a bill of materials for each program of a directory, from what Go recorded in it: deploy/image/sbom.sh PROGRAMS DIRECTORY
#
# The files are CycloneDX, in JSON: Go itself, and each Go module with its version, its hash and its package URL. They have no
# time and no number of their own, so that the same programs give the same files.
set -eu
programs=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
tool=$(mktemp -d)
trap 'rm -r "$tool"' EXIT
# The files name the tool by its hash, so it is built like the programs. `go tool` would not pass -trimpath on, and the hash would
# depend on where Go keeps its modules.
export CGO_ENABLED=0 GOTOOLCHAIN=local GOWORK=off GOFLAGS="-trimpath -buildvcs=false -mod=readonly" GOAMD64=v1 GOARM64=v8.0
go -C "$(dirname "$0")/tool" build -o "$tool/cyclonedx-gomod" github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod
for program in "$programs"/*; do
  "$tool/cyclonedx-gomod" bin -json -std -noserial -notimestamp \
    ${VERSION:+-version "$VERSION"} -output "$out/$(basename "$program").cdx.json" "$program"
done
