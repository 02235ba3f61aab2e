import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Client, Receiver, Signer, MemoryProcessed, verifyAndDecrypt, WebhookRefused } from "../src/index.js";

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
    for (const body of [v.body, new TextEncoder().encode(v.body), new TextEncoder().encode(v.body).buffer]) {
      const opened = verifyAndDecrypt(body, v.headers, (account, key) => file.keys[`${account}/${key}`], () => false, v.now);
      const { workflow_id } = v.event?.data ?? {};
      if (v.accepted) assert.deepEqual(await opened, workflow_id === undefined || v.event.test ? v.event : { ...v.event, workflow_id }, v.name);
      else await assert.rejects(opened, WebhookRefused, v.name);
    }
  }
});

test("credential vectors", async () => {
  const file = read("credential-vectors.json"), webhooks = read("webhook-vectors.json");
  const webhook = webhooks.vectors.find((v: { accepted: boolean }) => v.accepted);
  const { account_id, key_id } = JSON.parse(webhook.body);
  const whole = { baseUrl: "https://api.example.com", apiKey: file.api_key, secretKey: file.secret_key, authToken: file.auth_token };
  new Client(whole);
  assert.ok(file.vectors.length >= 90);
  for (const v of file.vectors) {
    const told = (want: string) => (error: Error) => {
      assert.ok(error instanceof TypeError, v.name);
      assert.equal(error.message, want, v.name);
      return true;
    };
    if (v.credential === "shared secret") {
      await assert.rejects(
        verifyAndDecrypt(webhook.body, webhook.headers, () => v.value, () => false, webhook.now),
        told(`the shared secret of ${account_id}/${key_id} ${v.fault}`), v.name,
      );
      continue;
    }
    const field = { "API key": "apiKey", "secret key": "secretKey", "auth token": "authToken" }[v.credential as string] ?? "";
    assert.ok(field, v.credential);
    for (const value of v.value === "" ? ["", undefined, null] : [v.value]) {
      assert.throws(() => new Client({ ...whole, [field]: value }), told(`the ${v.credential} ${v.fault}`), v.name);
    }
  }
  assert.throws(() => new Client({ ...whole, apiKey: Buffer.from(file.api_key) as never }), /the API key is not text/);
});

test("a shared secret that is not sound is told to onError, and not to the sender", async () => {
  const webhook = read("webhook-vectors.json").vectors.find((v: { accepted: boolean }) => v.accepted);
  const errors: unknown[] = [];
  const receiver = new Receiver({ secrets: () => "s3cret\n", processed: new MemoryProcessed(), handle: () => {}, onError: (error) => errors.push(error) });
  const response = await receiver.fetch(new Request("https://hooks.example.com/", { method: "POST", body: webhook.body, headers: webhook.headers }));
  assert.deepEqual([response.status, await response.text()], [500, "not processed\n"]);
  assert.match(String(errors[0]), /ends in a line break/);
});
