#!/usr/bin/env bash
# Sign a request and send it: ./sign.sh OPERATION BODY
# Needs BASE_URL, API_KEY, SECRET_KEY and AUTH_TOKEN in the environment.
set -euo pipefail

# signature TEXT: standard Base64 of HMAC-SHA256 with the decoded secret key.
signature() {
  local key
  key=$(printf %s "$SECRET_KEY" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  printf %s "$1" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A
}

if [ "$1" = --signature ]; then signature "$2"; exit; fi

path=/$1 body=$2
elements='API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256'
timestamp=$(date +%s)
nonce=$(openssl rand -hex 16)
hash=$(printf %s "$body" | openssl dgst -sha256 -binary | openssl base64 -A)
text=$(printf '%s\n' "$elements" "$API_KEY" POST "$path" "$timestamp" "$nonce" "$hash") # $(…) drops the last newline

curl --silent --show-error "$BASE_URL$path" --data-binary "$body" \
  -H 'Content-Type: application/json' \
  -H "Authorization: Sig1-HMAC-SHA256 $(signature "$text")" \
  -H "X-API-Key: $API_KEY" -H "X-API-Auth-Token: $AUTH_TOKEN" \
  -H "X-API-Signed-Elements: $elements" \
  -H "X-API-Timestamp: $timestamp" -H "X-API-Nonce: $nonce" -H "X-API-Content-SHA256: $hash"
