import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Signer, verifyAndDecrypt, WebhookRefused } from "../src/index.js";

const docs = new URL("../../../../docs/", import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, docs), "utf8"));

test("signature vectors", async () => {
  const file = read("signature-vectors.json");
  const signer = new Signer({ apiKey: file.api_key, secretKey: file.secret_key, authToken: file.auth_token });
  assert.ok(file.vectors.length >= 6);
  for (const v of file.vectors) {
    assert.equal("Sig1-HMAC-SHA256 " + (await signer.signature(v.string_to_sign)), v.headers.authorization, v.name);
    if (v.nonce === "") continue; // of the API key alone, which this module never does
    const headers = await signer.headers({
      method: v.method, target: v.target, body: new TextEncoder().encode(v.body), timestamp: Number(v.timestamp), nonce: v.nonce,
      idempotencyKey: v.idempotency_key, apiVersion: v.api_version,
    });
    assert.deepEqual(headers, v.headers, v.name);
  }
});

test("webhook vectors", async () => {
  const file = read("webhook-vectors.json");
  assert.ok(file.vectors.length >= 47);
  for (const v of file.vectors) {
    const opened = verifyAndDecrypt(v.body, v.headers, (account, key) => file.keys[`${account}/${key}`], () => false, v.now);
    if (v.accepted) assert.deepEqual(await opened, v.event, v.name);
    else await assert.rejects(opened, WebhookRefused, v.name);
  }
});
