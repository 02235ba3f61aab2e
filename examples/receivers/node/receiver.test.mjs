import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open, Refusal } from "./receiver.mjs";

const { keys, vectors } = JSON.parse(readFileSync(new URL("../../../docs/webhook-vectors.json", import.meta.url)));

async function secret(accountId, keyId) {
  const found = keys[`${accountId}/${keyId}`];
  if (!found) throw new Refusal(401, "unknown key");
  return Buffer.from(found, "base64");
}

assert.notEqual(vectors.length, 0);
for (const { name, accepted, now, headers, body, event } of vectors) {
  test(name, async () => {
    const opened = open(Buffer.from(body), headers, now, secret);
    if (accepted) assert.deepEqual(await opened, event);
    else await assert.rejects(opened, Refusal);
  });
}
