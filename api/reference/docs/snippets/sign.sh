#!/usr/bin/env bash
# Sign a request and send it: ./sign.sh OPERATION BODY [IDEMPOTENCY_KEY]
# Save it as sign.sh and make it executable: chmod +x sign.sh
# Needs BASE_URL, API_KEY, SECRET_KEY and AUTH_TOKEN in the environment. In the sandbox, SANDBOX_TODAY may name the day of the call.
# Prints the answer, and exits with 22 if it is a refusal.
set -euo pipefail

# sha256: the hash of what comes in.
sha256() { openssl dgst -sha256 -binary; }

# signature TEXT: standard Base64 of HMAC-SHA256 with the decoded secret key. openssl takes a key as an argument alone, and
# arguments show in ps: so this is HMAC by its definition, with the key in pipes.
signature() {
  local hex byte inner='' outer='' i
  hex=$(printf %s "$SECRET_KEY" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  if [ ${#hex} -gt 128 ]; then # a key longer than a block is its hash
    hex=$(printf %s "$SECRET_KEY" | openssl base64 -d -A | sha256 | od -An -v -tx1 | tr -d ' \n')
  fi
  for ((i = 0; i < 128; i += 2)); do
    byte=$((16#0${hex:i:2}))
    printf -v inner '%s\\x%02x' "$inner" $((byte ^ 0x36))
    printf -v outer '%s\\x%02x' "$outer" $((byte ^ 0x5c))
  done
  { printf %b "$inner"; printf %s "$1"; } | sha256 | { printf %b "$outer"; cat; } | sha256 | openssl base64 -A
}

: "${SECRET_KEY:?}"
if [ "$1" = --signature ]; then signature "$2"; exit; fi

path=/$1 body=$2 key=${3-}
elements="API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256${key:+;Idempotency-Key}"
timestamp=$(date +%s)
nonce=$(openssl rand -hex 16)
sum=$(printf %s "$body" | sha256 | openssl base64 -A)
text=$(printf '%s\n' "$elements" "$API_KEY" POST "$path" "$timestamp" "$nonce" "$sum" ${key:+"$key"}) # $(…) drops the last newline

curl --silent --show-error --fail-with-body "$BASE_URL$path" --data-binary "$body" \
  -H 'Content-Type: application/json' \
  -H "Authorization: Sig1-HMAC-SHA256 $(signature "$text")" \
  -H "X-API-Key: $API_KEY" -H @<(printf 'X-API-Auth-Token: %s\n' "$AUTH_TOKEN") \
  -H "X-API-Signed-Elements: $elements" \
  -H "X-API-Timestamp: $timestamp" -H "X-API-Nonce: $nonce" -H "X-API-Content-SHA256: $sum" \
  ${key:+-H "Idempotency-Key: $key"} ${SANDBOX_TODAY:+-H "X-Sandbox-Today: $SANDBOX_TODAY"}
