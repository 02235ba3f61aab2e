#!/bin/sh
# Builds the image of the commit that is checked out, with its labels: deploy/image/build.sh TAG [OPTION OF docker build]...
#
# Times are those of the commit, or SOURCE_DATE_EPOCH. The same commit gives the same digest with BuildKit 0.13 or newer, a base image
# that is named by its digest, and a builder that rewrites the times of files:
#
#   build.sh TAG --build-arg GO_IMAGE=golang:1.26.11-bookworm@sha256:… --output type=oci,dest=requisite.tar,rewrite-timestamp=true
set -eu
tag=$1
shift
cd "$(dirname "$0")/../.."
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
VERSION=${VERSION:-$(git describe --always --dirty)}
REVISION=${REVISION:-$(git describe --always --dirty --abbrev=40 --exclude='*')} # the commit, with -dirty if files were changed
# A remote may have credentials in its address.
SOURCE=${SOURCE:-$(git config --get remote.origin.url | sed 's|://[^/@]*@|://|' || true)}
exec docker build --tag "$tag" \
  --build-arg VERSION="$VERSION" --build-arg REVISION="$REVISION" --build-arg SOURCE="$SOURCE" \
  --build-arg SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" --build-arg CREATED="$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" \
  "$@" .
