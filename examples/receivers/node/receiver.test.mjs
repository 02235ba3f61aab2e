import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open, processOnce, Refusal } from "./receiver.mjs";

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

test("an event is done only when it has been processed", async () => {
  const event = { id: "wh_1" };
  const fail = () => Promise.reject(new Error("the database is away"));
  await assert.rejects(processOnce(event, fail), /the database is away/);
  const again = () => assert.rejects(processOnce(event, fail), { status: 409 });
  assert.equal(await processOnce(event, again), 204);
  assert.equal(await processOnce(event, fail), 200);
});
