#!/usr/bin/env bash
# Check an OpenAPI description with the rules that Redocly recommends, without warnings, and its examples with
# its schemas: lint.sh openapi.json
set -euo pipefail
description=$(realpath "$1")
cd "$(dirname "$0")"
export REDOCLY_TELEMETRY=off
node_modules/.bin/redocly lint "$description" --config redocly.yaml --max-problems 200 --format json >"$description.redocly" || true
node -e 'const { totals } = JSON.parse(require("fs").readFileSync(process.argv[1])); console.log("Redocly:", totals); process.exit(totals.errors + totals.warnings ? 1 : 0)' "$description.redocly" || {
  cat "$description.redocly"
  exit 1
}
node ajv.mjs "$description"
