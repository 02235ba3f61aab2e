#!/usr/bin/env bash
# Generate clients from an OpenAPI description, and compile a strict program for each: run.sh openapi.json DIRECTORY
# What is generated is written to the directory.
set -euo pipefail
description=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
cp "$here"/*.ts "$here/tsconfig.json" "$2"
cd "$2"
ln -s "$here/node_modules" node_modules
export CI=true DO_NOT_TRACK=1
node_modules/.bin/openapi-typescript "$description" --output openapi.ts
node_modules/.bin/openapi-ts --input "$description" --output hey
node_modules/.bin/orval --input "$description" --output orval/api.ts --client fetch
# The generators need the library of TypeScript 5, which newer ones do not have.
for compiler in typescript typescript-7; do
  node "node_modules/$compiler/bin/tsc" --project .
done
