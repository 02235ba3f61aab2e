import assert from "node:assert/strict";
import { createCipheriv, randomBytes } from "node:crypto";
import { test } from "node:test";
import { Client, MemoryProcessed, NoAnswerError, Receiver, RequisiteError, Signer, type Webhook } from "../src/index.js";

const DONE = { meta: { status: "SUCCESS", trace_id: "trc_1", version: "v", later: 1 }, data: { business_id: "b_1", later: [{}] } };
const refusal = (entry: object) => ({ meta: { status: "ERROR", trace_id: "trc_2", version: "v" }, errors: [{ message: "m", ...entry }] });
const UNAVAILABLE = refusal({ code: "UNAVAILABLE" });

interface Seen { url: string; body: string; headers: Record<string, string> }

/** A client whose requests are answered one after the other. */
function client(...answers: Array<() => Response>): { client: Client; seen: Seen[] } {
  const seen: Seen[] = [];
  const made = new Client({
    baseUrl: "https://api.example.com/v1", apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "token", retry: { attempts: 4, wait: 0, maxWait: 2000 },
    fetch: async (url, init) => {
      seen.push({ url: String(url), body: new TextDecoder().decode(init?.body as Uint8Array), headers: init?.headers as Record<string, string> });
      const next = answers[seen.length - 1];
      assert.ok(next, `request ${seen.length} was not expected`);
      return next();
    },
  });
  return { client: made, seen };
}

const answer = (status: number, body: object | string, headers: Record<string, string> = {}) => () =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

test("a request is repeated with its key and a new nonce", async () => {
  const broken = () => { throw new TypeError("connection reset"); };
  const { client: c, seen } = client(answer(503, UNAVAILABLE, { "retry-after": "0" }), broken, answer(502, "<html>"), answer(200, DONE));
  const { data, meta } = await c.call("business.create", { account_id: "sb_1", business: { legal_name: "A", email: null } });
  assert.equal(data.business_id, "b_1");
  assert.equal(meta.trace_id, "trc_1");
  assert.equal(seen.length, 4);
  assert.equal(new Set(seen.map((s) => s.headers["x-api-nonce"])).size, 4);
  assert.equal(new Set(seen.map((s) => s.headers["idempotency-key"])).size, 1);
  for (const s of seen) {
    assert.equal(s.url, "https://api.example.com/v1/business.create");
    assert.equal(s.body, '{"account_id":"sb_1","business":{"legal_name":"A","email":null}}');
    assert.match(s.headers["x-api-signed-elements"] ?? "", /;Idempotency-Key$/);
  }
});

test("a key that cannot be one is not sent", async () => {
  for (const idempotencyKey of ["", " ", "a ", "\n", "é", "k".repeat(256)]) {
    const { client: c, seen } = client();
    await assert.rejects(c.call("business.create", { account_id: "sb_1", business: { legal_name: "A" } }, { idempotencyKey }), TypeError);
    assert.equal(seen.length, 0);
  }
  const { client: c, seen } = client(answer(200, DONE));
  await c.call("business.create", { account_id: "sb_1", business: { legal_name: "A" } }, { idempotencyKey: "order 7, " + "k".repeat(246) });
  assert.equal(seen.length, 1);
});

test("repeating is bounded", async () => {
  const four = Array.from({ length: 4 }, () => answer(503, UNAVAILABLE));
  const { client: c, seen } = client(...four);
  await assert.rejects(c.call("meta.checkVersion", {}), (e: RequisiteError) => e.code === "UNAVAILABLE" && e.traceId === "trc_2" && e.httpStatus === 503);
  assert.equal(seen.length, 4);
  assert.equal(seen[0]?.headers["idempotency-key"], undefined);
  const long = client(answer(429, refusal({ code: "TOO_MANY_REQUESTS" }), { "retry-after": "3" }));
  await assert.rejects(long.client.call("meta.checkVersion", {}), (e: RequisiteError) => e.retryAfter === 3);
  const aborted = client(answer(503, UNAVAILABLE, { "retry-after": "1" }));
  await assert.rejects(aborted.client.call("meta.checkVersion", {}, { signal: AbortSignal.timeout(20) }), RequisiteError);
  assert.equal(aborted.seen.length, 1, "Retry-After is waited for");
});

test("a refusal is typed and not repeated", async () => {
  const { client: c, seen } = client(
    answer(400, refusal({ code: "BAD_REQUEST", details: [{ field: "a.b", message: "wrong" }, { field: "", message: "odd" }] })),
    answer(400, refusal({ code: "SYSTEM_RULE_VIOLATION", sub_code: "WORKFLOW_ENDED", entity_type: "Workflow", entity_id: "w_1" })),
    answer(400, refusal({ code: "MISSING_REQUIREMENTS", details: [{ code: "FIELDS_REQUIRED", entity_id: "p_1", message: "State it." }] })),
    answer(302, "", { location: "/elsewhere" }),
  );
  const start = () => c.call("workflow.start", { workflow_id: "w_1" }, { idempotencyKey: "mine" });
  await assert.rejects(start(), (e: RequisiteError) => e.problems[0]?.field === "a.b" && e.gaps.length === 0 && e.message === "BAD_REQUEST: m\n- a.b: wrong\n- odd");
  await assert.rejects(start(), (e: RequisiteError) => e.subCode === "WORKFLOW_ENDED" && e.entityId === "w_1");
  await assert.rejects(start(), (e: RequisiteError) => e.gaps[0]?.entity_id === "p_1" && e.message === "MISSING_REQUIREMENTS: m\n- State it.");
  await assert.rejects(start(), (e: NoAnswerError) => e instanceof NoAnswerError && e.httpStatus === 302);
  assert.equal(seen[0]?.headers["idempotency-key"], "mine");
});

test("all pages are read", async () => {
  const page = (ids: string[], next: string | null) => answer(200, { ...DONE, data: { workflows: ids.map((workflow_id) => ({ workflow_id })), next } });
  const { client: c, seen } = client(page(["w_1", "w_2"], "m1"), page(["w_3"], null));
  const ids: string[] = [];
  for await (const w of c.all("workflow.list", { account_id: "sb_1", page: { limit: 2 } })) ids.push(w.workflow_id);
  assert.deepEqual(ids, ["w_1", "w_2", "w_3"]);
  assert.deepEqual(JSON.parse(seen[1]?.body ?? "").page, { limit: 2, after: "m1" });
});

test("a feed ends when it has caught up", async () => {
  const page = (ids: string[], next: string, caught_up: boolean) =>
    answer(200, { ...DONE, data: { events: ids.map((event_id) => ({ event_id })), next, caught_up } });
  const { client: c } = client(page([], "m1", false), page(["wh_1"], "m2", true));
  const ids: string[] = [];
  for await (const e of c.all("webhook.event.list", { account_id: "sb_1", order: "OLDEST_FIRST" })) ids.push(e.event_id);
  assert.deepEqual(ids, ["wh_1"]);
});

test("a credential that cannot be one is told at once", () => {
  assert.throws(() => new Signer({ apiKey: "sb_k", secretKey: "not Base64", authToken: "t" }), /Base64/);
  assert.throws(() => new Signer({ apiKey: "", secretKey: "c2VjcmV0", authToken: "t" }), /API key/);
});

const SECRET = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM=";

function sealed(): Request {
  const iat = Math.floor(Date.now() / 1000);
  const clear = { id: "wh_1", event_type: "WORKFLOW_COMPLETED", timestamp: "2025-11-21T10:15:29.417Z", account_id: "sb_1", schema_version: "2025-11-21", retry_count: 0 };
  const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM", kid: "whk_1", ...clear, iat })).toString("base64url");
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(SECRET, "base64"), nonce).setAAD(Buffer.from(header));
  const text = Buffer.concat([cipher.update('{"version":"1.0","state":"ENDED","later":1}'), cipher.final()]);
  const data = [header, "", nonce.toString("base64url"), text.toString("base64url"), cipher.getAuthTag().toString("base64url")].join(".");
  return new Request("https://hooks.example.com/", {
    method: "POST", body: JSON.stringify({ ...clear, key_id: "whk_1", data }), headers: { "webhook-id": "wh_1", "webhook-timestamp": String(iat) },
  });
}

test("a receiver outlives what onError throws", async () => {
  for (const onError of [() => { throw new Error("log is full"); }, async () => { throw new Error("log is full"); }]) {
    const receiver = new Receiver({ secrets: () => SECRET, processed: new MemoryProcessed(), handle: () => { throw new Error("not today"); }, onError });
    assert.equal((await receiver.fetch(sealed())).status, 500);
    const answered: number[] = [];
    const request = sealed();
    const body = new Uint8Array(await request.arrayBuffer());
    await receiver.listener(
      Object.assign((async function* () { yield body; })(), { method: "POST", headers: Object.fromEntries(request.headers) }),
      { writeHead: (status) => answered.push(status), end: () => undefined },
    );
    assert.deepEqual(answered, [500], "a promise that is rejected here would end the process");
  }
});

test("a receiver processes an event once", async () => {
  const handled: Webhook[] = [], errors: unknown[] = [];
  let fails = true;
  const processed = new MemoryProcessed();
  const receiver = new Receiver({
    secrets: () => SECRET, processed, onError: (e) => errors.push(e),
    handle: (event) => {
      handled.push(event);
      if (fails) throw new Error("not today");
    },
  });
  const status = async (request = sealed()) => (await receiver.fetch(request)).status;
  assert.equal(await status(), 500);
  assert.equal(errors.length, 1);
  fails = false;
  assert.equal(await status(), 204);
  assert.equal(await status(), 204);
  assert.equal(handled.length, 2, "a failed event comes again, a processed one is dropped");
  assert.deepEqual(handled[1]?.data, { version: "1.0", state: "ENDED", later: 1 });
  assert.equal(processed.claim("wh_2"), "CLAIMED");
  assert.equal(processed.claim("wh_2"), "IN_PROCESS");
  assert.equal(await status(new Request("https://h/", { method: "POST", body: "{}" })), 400);
  assert.equal(await status(new Request("https://h/")), 405);
  assert.equal(await status(new Request("https://h/", { method: "POST", body: " ".repeat(2 << 20) })), 413);
});
