import assert from "node:assert/strict";
import { createCipheriv, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { mock, test } from "node:test";
import { inspect } from "node:util";
import { Client, MemoryProcessed, NoAnswerError, OPERATIONS, Receiver, RequisiteError, SecretLost, verifyAndDecrypt, type ClientOptions, type Operations, type Pages, type Event, type WebhookHeaders, type WebhookRefused } from "../src/index.js";

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

test("an answer for work of an earlier request says so", async () => {
  const replayed = { "idempotent-replayed": "true" };
  const { client: c, seen } = client(answer(200, DONE), answer(200, DONE, replayed), answer(400, refusal({ code: "SYSTEM_RULE_VIOLATION" }), replayed));
  const create = () => c.call("business.create", { account_id: "sb_1", business: { legal_name: "A" } }, { idempotencyKey: "k" });
  assert.equal((await create()).replayed, false);
  assert.equal((await create()).replayed, true);
  await assert.rejects(create(), (e: RequisiteError) => e.replayed);
  assert.equal(seen[0]?.headers["user-agent"], "requisite-client-typescript/1.0.0");
});

test("an error says why there is no answer", async () => {
  const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  for (const [thrown, text] of [
    [new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") }), "fetch failed: connect ECONNREFUSED 127.0.0.1:1"],
    [new TypeError("fetch failed", { cause: refused }), "fetch failed: ECONNREFUSED"],
    [new TypeError("no way to https://user:hunter2@api.example.com/v1"), "no way to https://api.example.com/v1"],
    ["away", ""],
  ] as const) {
    const { client: c } = client(...Array.from({ length: 4 }, () => () => { throw thrown; }));
    await assert.rejects(c.call("workflow.start", { workflow_id: "w_1" }), (e: NoAnswerError) => {
      assert.equal(e.message, "workflow.start got no answer" + (text && ": " + text));
      return e.cause === thrown;
    });
  }
});

test("repeating is bounded", async () => {
  const four = Array.from({ length: 4 }, () => answer(503, UNAVAILABLE));
  const { client: c, seen } = client(...four);
  await assert.rejects(c.call("meta.checkVersion", {}), (e: RequisiteError) => e.code === "UNAVAILABLE" && e.traceId === "trc_2" && e.httpStatus === 503);
  assert.equal(seen.length, 4);
  assert.equal(seen[0]?.headers["idempotency-key"], undefined);
  const long = client(answer(429, refusal({ code: "TOO_MANY_REQUESTS" }), { "retry-after": "3" }));
  await assert.rejects(long.client.call("meta.checkVersion", {}), (e: RequisiteError) => e.retryAfter === 3);
});

/** Sends one request on a clock that waits make go on. Returns when each attempt came, in milliseconds, and how it ended. */
async function inTime(retry: ClientOptions["retry"], next: (attempt: number) => Response, options: { signal?: AbortSignal; waiting?: () => void } = {}) {
  let now = 1_800_000_000_000;
  const began = now, at: number[] = [], nonces = new Set<string>();
  const timer = mock.method(globalThis, "setTimeout", ((end: () => void, milliseconds: number) => {
    now += milliseconds;
    queueMicrotask(options.waiting ?? end);
  }) as typeof setTimeout);
  const clock = mock.method(Date, "now", () => now);
  const c = new Client({
    baseUrl: "https://api.example.com", apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "token", retry,
    fetch: async (_, init) => {
      at.push(now - began);
      nonces.add((init?.headers as Record<string, string>)["x-api-nonce"] ?? "");
      return next(at.length);
    },
  });
  try {
    const end: unknown = await c.call("meta.checkVersion", {}, options.signal ? { signal: options.signal } : {}).catch((error: unknown) => error);
    assert.equal(nonces.size, at.length);
    return { at, end };
  } finally {
    timer.mock.restore();
    clock.mock.restore();
  }
}

test("each wait is twice as long, and partly random", async () => {
  const { at } = await inTime({}, (attempt) => {
    if (attempt === 2) throw new TypeError("connection reset");
    return answer(503, UNAVAILABLE)();
  });
  assert.equal(at.length, 5);
  for (const [i, longest] of [500, 1000, 2000, 4000].entries()) {
    const wait = Math.round((at[i + 1] ?? 0) - (at[i] ?? 0));
    assert.ok(wait >= longest / 2 && wait <= longest, `wait ${i + 1} is ${wait}`);
  }
});

test("Retry-After is waited for", async () => {
  const { at, end } = await inTime({}, (attempt) => {
    if (attempt === 1) return answer(429, refusal({ code: "TOO_MANY_REQUESTS" }), { "retry-after": "7" })();
    if (attempt === 2) return answer(503, "busy", { "retry-after": new Date(Date.now() + 9000).toUTCString() })();
    return answer(200, DONE)();
  });
  assert.deepEqual(at, [0, 7000, 16000]);
  assert.ok(!(end instanceof Error));
});

test("retries end with their total, and can be turned off", async () => {
  const busy = () => answer(503, UNAVAILABLE, { "retry-after": "10" })();
  assert.deepEqual((await inTime({ attempts: 100, total: 35_000 }, busy)).at, [0, 10_000, 20_000, 30_000]);
  assert.deepEqual((await inTime({ attempts: 1 }, busy)).at, [0]);
});

test("retries end with their signal, and its reason", async () => {
  const busy = () => answer(503, UNAVAILABLE, { "retry-after": "10" })();
  const stop = new AbortController();
  const { at, end } = await inTime({}, busy, { signal: stop.signal, waiting: () => stop.abort() });
  assert.deepEqual([at.length, (end as Error).name], [1, "AbortError"]);
  assert.deepEqual((await inTime({}, busy, { signal: AbortSignal.abort() })).at, [], "nothing is sent afterwards");
  const now = new AbortController();
  const during = await inTime({}, () => (now.abort(new Error("closed")), busy()), { signal: now.signal, waiting: () => assert.fail("it waits") });
  assert.equal((during.end as Error).message, "closed");
});

test("a fault of the program is neither a fault of the network nor repeated", async () => {
  const options = { baseUrl: "https://api.example.com", apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "t", retry: { attempts: 3, wait: 0 } };
  const missing = undefined as unknown as { member: string };
  const faults: Array<[kind: new (text: string) => Error, fetch: () => unknown]> = [
    [TypeError, async () => missing.member],
    [TypeError, async () => (missing as unknown as () => void)()],
    [TypeError, () => { throw new TypeError("not a promise"); }],
    [TypeError, async () => undefined],
    [ReferenceError, async () => { throw new ReferenceError("later is not defined"); }],
    [RangeError, async () => { throw new RangeError("Invalid array length"); }],
  ];
  for (const [kind, fault] of faults) {
    let calls = 0;
    const c = new Client({ ...options, fetch: (() => { calls++; return fault(); }) as unknown as typeof fetch });
    await assert.rejects(c.call("workflow.start", { workflow_id: "w_1" }), kind, String(fault));
    assert.equal(calls, 1, String(fault));
  }
  const any = mock.method(AbortSignal, "any", () => { throw new TypeError("AbortSignal.any is not a function"); });
  try {
    await assert.rejects(new Client(options).call("workflow.start", { workflow_id: "w_1" }, { signal: new AbortController().signal }), TypeError);
    assert.equal(any.mock.callCount(), 1);
  } finally {
    any.mock.restore();
  }
  for (const [name, wrong] of Object.entries({ traceparent: "00-1\n", sandboxAnswer: "\n", sandboxToday: "\n" })) {
    const { client: c, seen } = client();
    await assert.rejects(c.call("workflow.start", { workflow_id: "w_1" }, { [name]: wrong }), TypeError, name);
    assert.equal(seen.length, 0);
  }
  assert.throws(() => new Client({ ...options, apiVersion: "2025-03-24\n" }), /an API version has 1 to 255 printable ASCII/);
});

test("a clock that is wrong is corrected for one call, over TLS or to a loopback address, by a day at most", async () => {
  const cases: Array<[baseUrl: string, difference: unknown, corrected: boolean]> = [
    ["https://api.example.com", 86_400, true], ["https://api.example.com", -86_400, true], ["https://api.example.com", 86_401, false],
    ["https://api.example.com", -86_401, false], ["https://api.example.com", "3600", false], ["https://api.example.com", undefined, false],
    ["http://api.example.com", 3600, false], ["http://127.0.0.1.example.com", 3600, false], ["http://localhost.example.com", 3600, false],
    ["http://127.0.0.1:8080", 3600, true], ["http://localhost:8080/v1", 3600, true], ["http://[::1]:8080", 3600, true],
  ];
  const clock = mock.method(Date, "now", () => 1_800_000_000_000);
  try {
    for (const [baseUrl, difference_seconds, corrected] of cases) {
      for (const attempts of [1, 2]) {
        const seen: Array<Record<string, string>> = [];
        const expired = answer(401, refusal({ code: "AUTH_TIMESTAMP_EXPIRED", server_time: "2027-01-15T09:00:00.000Z", difference_seconds }));
        const answers = [expired, ...(attempts === 2 ? [answer(503, UNAVAILABLE)] : []), answer(200, DONE), expired, expired];
        const c = new Client({
          baseUrl, apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "t", retry: { attempts, wait: 0 },
          fetch: async (_, init) => {
            seen.push(init?.headers as Record<string, string>);
            return (answers[seen.length - 1] as () => Response)();
          },
        });
        const start = () => c.call("workflow.start", { workflow_id: "w_1" });
        const told = `${baseUrl} ${difference_seconds} ${attempts}`;
        const refused = (e: RequisiteError) => e.code === "AUTH_TIMESTAMP_EXPIRED" && e.differenceSeconds === difference_seconds && e.serverTime === "2027-01-15T09:00:00.000Z";
        if (!corrected) {
          await assert.rejects(start(), refused, told);
          assert.equal(seen.length, 1, told);
          continue;
        }
        await start();
        await assert.rejects(start(), refused, "the next call begins with its own clock, and corrects it once");
        const ahead = seen.map((headers) => Number(headers["x-api-timestamp"]) - 1_800_000_000);
        const by = difference_seconds as number;
        assert.deepEqual(ahead, [0, ...(attempts === 2 ? [by] : []), by, 0, by], told);
        assert.equal(new Set(seen.map((headers) => headers["x-api-nonce"])).size, seen.length);
        assert.equal(new Set(seen.map((headers) => headers["idempotency-key"])).size, 2);
      }
    }
  } finally {
    clock.mock.restore();
  }
});

test("a signature that does not match names both paths", async () => {
  const { client: c } = client(answer(401, refusal({ code: "AUTH_SIGNATURE_MISMATCH", received_path: "/workflow.start" })));
  await assert.rejects(c.call("workflow.start", { workflow_id: "w_1" }), (e: RequisiteError) =>
    e.receivedPath === "/workflow.start" && e.signedPath === "/v1/workflow.start" &&
    e.message === "AUTH_SIGNATURE_MISMATCH: m\n- The client signed the path /v1/workflow.start, and /workflow.start arrived.");
});

test("what is undefined of the retries is as if it were left out", async () => {
  const { at } = await inTime({ attempts: undefined, wait: undefined, maxWait: undefined, total: undefined }, () => answer(503, UNAVAILABLE)());
  assert.equal(at.length, 5);
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

test("a lost secret is an error", async () => {
  const key = { key_id: "whk_20261120_01", status: "INACTIVE", created_at: "2026-11-20T09:30:00.000Z" };
  const shown = answer(200, { meta: { ...DONE.meta, warnings: [{ code: "SECRET_ALREADY_SHOWN", message: "m" }] }, data: key });
  const broken = () => { throw new TypeError("connection reset"); };
  const { client: c, seen } = client(broken, shown, answer(200, { ...DONE, data: { ...key, shared_secret: SECRET } }));
  await assert.rejects(c.call("webhook.key.create", { account_id: "sb_1" }), (e: SecretLost) => {
    assert.ok(e instanceof SecretLost);
    assert.match(e.message, /whk_20261120_01 is lost.*create another key; this one stays INACTIVE/);
    return e.keyId === "whk_20261120_01" && e.traceId === "trc_1";
  });
  assert.equal(new Set(seen.map((s) => s.headers["idempotency-key"])).size, 1);
  assert.equal((await c.call("webhook.key.create", { account_id: "sb_1" })).data.shared_secret, SECRET);
});

test("a call of the sandbox asks for an answer and a day, with each retry", async () => {
  const { client: c, seen } = client(answer(503, UNAVAILABLE), answer(200, DONE), answer(200, { ...DONE, data: { workflows: [], next: null } }), answer(200, DONE));
  await c.call("workflow.start", { workflow_id: "w_1" }, { sandboxAnswer: "UNAVAILABLE", sandboxToday: "2027-06-01" });
  for await (const _ of c.all("workflow.list", { account_id: "sb_1" }, { sandboxAnswer: "RATE_LIMITED", sandboxToday: "2027-06-02" }));
  await c.call("workflow.start", { workflow_id: "w_1" });
  assert.deepEqual(seen.map((s) => s.headers["x-sandbox-answer"]), ["UNAVAILABLE", "UNAVAILABLE", "RATE_LIMITED", undefined]);
  assert.deepEqual(seen.map((s) => s.headers["x-sandbox-today"]), ["2027-06-01", "2027-06-01", "2027-06-02", undefined]);
  assert.ok(seen.every((s) => !s.headers["x-api-signed-elements"]?.includes("Sandbox")));
});

test("decisions are members of answers and refusals", async () => {
  const decided = { "requisite-decision-id": "dec_1", "requisite-decision-digest": "abc" };
  const { client: c } = client(answer(200, DONE, decided), answer(400, refusal({ code: "MISSING_REQUIREMENTS", details: [] }), decided), answer(200, DONE));
  const calculate = () => c.call("workflow.requiredDocument.calculate", { workflow_id: "w_1" });
  const { decisionId, decisionDigest, traceId } = await calculate();
  assert.deepEqual([decisionId, decisionDigest, traceId], ["dec_1", "abc", "trc_1"]);
  await assert.rejects(calculate(), (e: RequisiteError) => e.decisionId === "dec_1" && e.decisionDigest === "abc" && e.traceId === "trc_2");
  const plain = await c.call("workflow.start", { workflow_id: "w_1" });
  assert.deepEqual([plain.decisionId, plain.decisionDigest], [undefined, undefined]);
});

test("all pages are read", async () => {
  const page = (ids: string[], next: string | null) => answer(200, { ...DONE, data: { workflows: ids.map((workflow_id) => ({ workflow_id })), next } });
  const { client: c, seen } = client(page(["w_1", "w_2"], "m1"), page(["w_3"], null));
  const ids: string[] = [];
  for await (const w of c.all("workflow.list", { account_id: "sb_1", page: { limit: 2 } })) ids.push(w.workflow_id);
  assert.deepEqual(ids, ["w_1", "w_2", "w_3"]);
  assert.deepEqual(JSON.parse(seen[1]?.body ?? "").page, { limit: 2, after: "m1" });
});

test("every list with pages has an iterator", async () => {
  let lists = 0;
  for (const [operation, { items }] of Object.entries(OPERATIONS)) {
    if (items === undefined) continue;
    const page = (count: number, next: string | null) => answer(200, { ...DONE, data: { [items]: Array(count).fill({}), next } });
    const { client: c, seen } = client(page(2, "m1"), page(1, null));
    const name = operation as keyof Pages & keyof Operations;
    let count = 0;
    for await (const _ of c.all(name, {} as Operations[typeof name]["request"])) count++;
    assert.deepEqual([count, JSON.parse(seen[1]?.body ?? "").page], [3, { after: "m1" }], operation);
    lists++;
  }
  assert.ok(lists >= 5);
});

test("a feed ends when it has caught up", async () => {
  const page = (ids: string[], next: string, caught_up: boolean) =>
    answer(200, { ...DONE, data: { events: ids.map((id) => ({ id, data: {} })), next, caught_up } });
  const { client: c, seen } = client(page([], "m1", false), page(["wh_1"], "m2", true), page(["wh_1", "wh_2"], "m2", true));
  const ids: string[] = [];
  for await (const e of c.all("webhook.event.list", { account_id: "sb_1", order: "OLDEST_FIRST" })) ids.push(e.id);
  assert.deepEqual(ids, ["wh_1"]);
  const handle = (event: Event) => { ids.push(event.id + JSON.stringify(event.data)); };
  void new Receiver({ secrets: () => SECRET, processed: new MemoryProcessed(), handle }); // one handler takes both
  for await (const event of c.events({ account_id: "sb_1", filters: { workflow_id: "w_1" } })) handle(event);
  assert.deepEqual(ids.slice(1), ["wh_1{}", "wh_2{}"]);
  assert.deepEqual(JSON.parse(seen[2]?.body ?? ""), {
    account_id: "sb_1", filters: { workflow_id: "w_1" }, order: "OLDEST_FIRST", include_data: true, page: {},
  });
});

test("a base URL that is none is told at once, without its text", () => {
  const credential = { apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "t" };
  for (const baseUrl of ["", "api.example.com", "ftp://api.example.com", "https://", "https://user:hunter2@", "https://api.example.com\n", " https://api.example.com"]) {
    assert.throws(() => new Client({ ...credential, baseUrl }), (error: Error) => {
      assert.equal(error.message, "the base URL must be the address of the API, such as https://requisite.example.com");
      return !inspect(error, { showHidden: true }).includes("hunter2");
    }, baseUrl);
  }
});

const SECRET = "+9bSQ4sROs7wz6Z0gYpeF97a6q5stt73M/v6yMYgzgM=";

function sealed(content = '{"version":"1.0","state":"ENDED","later":1}'): Request {
  const iat = Math.floor(Date.now() / 1000);
  const clear = { id: "wh_1", event_type: "WORKFLOW_COMPLETED", timestamp: "2025-11-21T10:15:29.417Z", account_id: "sb_1", schema_version: "2025-11-21", retry_count: 0 };
  const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM", kid: "whk_1", ...clear, iat })).toString("base64url");
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(SECRET, "base64"), nonce).setAAD(Buffer.from(header));
  const text = Buffer.concat([cipher.update(content), cipher.final()]);
  const data = [header, "", nonce.toString("base64url"), text.toString("base64url"), cipher.getAuthTag().toString("base64url")].join(".");
  return new Request("https://hooks.example.com/", {
    method: "POST", body: JSON.stringify({ ...clear, key_id: "whk_1", data }), headers: { "webhook-id": "wh_1", "webhook-timestamp": String(iat) },
  });
}

test("a repeat is dropped", async () => {
  const request = sealed();
  const body = new Uint8Array(await request.arrayBuffer());
  const processed = new Set<string>();
  const open = (headers: WebhookHeaders) => verifyAndDecrypt(body, headers, () => SECRET, (id) => processed.has(id));
  const byName = { "Webhook-Id": "wh_1", "WEBHOOK-TIMESTAMP": request.headers.get("webhook-timestamp") ?? "", other: ["a", "b"] };
  for (const headers of [request.headers, byName, Object.fromEntries(request.headers)]) assert.equal((await open(headers))?.id, "wh_1");
  processed.add("wh_1");
  assert.equal(await open(request.headers), undefined);
  await assert.rejects(open({}), (e: WebhookRefused) => e.status === 401, "a request is verified first");
  await assert.rejects(verifyAndDecrypt(body, request.headers, () => SECRET, () => Promise.reject(new Error("away"))), /away/);
});

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
  const handled: Event[] = [], errors: unknown[] = [];
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

test("a receiver gives tests to a handler that asks for them", async () => {
  const content = '{"version":"1.0","workflow_id":"w_1","state":"ENDED","test":true}';
  const handled: Event[] = [];
  for (const tests of [undefined, false, true]) {
    const receiver = new Receiver({ secrets: () => SECRET, processed: new MemoryProcessed(), handle: (event) => { handled.push(event); }, tests });
    assert.equal((await receiver.fetch(sealed(content))).status, 204);
  }
  assert.deepEqual(handled.map((event) => [event.test, event.workflow_id]), [[true, undefined]], "the workflow of a test does not exist");
  const real = await verifyAndDecrypt(await sealed().text(), sealed().headers, () => SECRET, () => false);
  assert.equal("test" in (real ?? {}), false);
});

test("a body that a framework has read", async () => {
  const errors: unknown[] = [];
  const receiver = new Receiver({ secrets: () => SECRET, processed: new MemoryProcessed(), handle: () => {}, onError: (e) => errors.push(e) });
  const frameworks: Record<string, (text: string) => { body?: unknown; rawBody?: unknown }> = {
    "nothing has read it": () => ({}),
    "a parser has left it": () => ({ body: {} }),
    "as text": (text) => ({ body: text }),
    "as bytes": (text) => ({ body: Buffer.from(text) }),
    "parsed, with the raw body": (text) => ({ body: JSON.parse(text), rawBody: Buffer.from(text) }),
    "parsed": (text) => ({ body: JSON.parse(text) }),
    "decoded": () => ({}),
  };
  for (const [name, read] of Object.entries(frameworks)) {
    const server = createServer(async (request, response) => {
      if (name === "decoded") request.setEncoding("utf8");
      if (name.startsWith("nothing") || name.endsWith("left it") || name === "decoded") return receiver.listener(Object.assign(request, read("")), response);
      let text = "";
      for await (const chunk of request) text += chunk;
      return receiver.listener(Object.assign(request, read(text)), response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const sent = sealed();
      const answer = await fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}`, { method: "POST", body: await sent.text(), headers: sent.headers });
      if (name !== "parsed" && name !== "decoded") {
        assert.equal(answer.status, 204, name);
        continue;
      }
      assert.equal(answer.status, 500);
      assert.match(await answer.text(), /pass the raw body.*express\.raw/);
      assert.match(String(errors.pop()), /TypeError.*pass the raw body/);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }
  const parsed = { id: "wh_1" } as never;
  await assert.rejects(verifyAndDecrypt(parsed, {}, () => SECRET, () => false), /pass the raw body/);
  await assert.rejects(verifyAndDecrypt("", {}, () => SECRET, () => false), (e: WebhookRefused) => e.status === 400 && /the body is empty.*raw body/.test(e.message));
  const used = sealed();
  await used.json();
  const answered = await receiver.fetch(used);
  assert.equal(answered.status, 500);
  assert.match(await answered.text(), /was read before/);
});

const GAPS = [
  { code: "FIELDS_REQUIRED", entity_type: "Workflow", entity_id: "w_1", message: "m", related_endpoints: ["workflow.update"],
    missing: [{ field: "custom.first_sale", value_type: "DATE", label: "first sale", ask: "The day." }] },
  { code: "FIELDS_REQUIRED", entity_type: "BusinessSalesInfo", entity_id: "bsi_1", business_id: "b_1", delete_first: "bsi_1", message: "m",
    related_endpoints: ["business.salesInfo.delete", "business.salesInfo.create"],
    missing: [{ field: "sales_amount", value_type: "AMOUNT", type: "HIGHEST_TICKET_SALE", currency: "USD" }],
    present: [{ field: "sales_amount", value_type: "AMOUNT", type: "AVERAGE_MONTHLY_CREDIT_SALES", currency: "USD", value: 60000 }] },
  { code: "FIELDS_REQUIRED", entity_type: "Person", entity_id: "b_1", business_id: "b_1", message: "m", related_endpoints: ["person.create"],
    missing: [{ field: "first_name", value_type: "TEXT" }, { field: "citizenship", value_type: "TEXT" }] },
  { code: "CALCULATED_PRICING_REQUIRED", entity_type: "Workflow", entity_id: "w_1", message: "m", related_endpoints: ["workflow.pricing.calculate"], missing: [],
    pricing_missing: [{ code: "FIELDS_REQUIRED", entity_type: "Workflow", entity_id: "w_1", message: "m", related_endpoints: ["workflow.update"],
      missing: [{ field: "custom.first_sale", value_type: "DATE" }, { field: "custom.sells", value_type: "BOOLEAN" }] }] },
];

test("gaps are asked for, filled and calculated", async () => {
  const gaps = answer(400, refusal({ code: "MISSING_REQUIREMENTS", details: GAPS }));
  const empty = answer(200, { ...DONE, data: {} }, {});
  const decided = answer(200, { ...DONE, data: {} }, { "requisite-decision-id": "dec_1" });
  const { client: c, seen } = client(gaps, ...Array.from({ length: 4 }, () => empty), decided);
  const asked: string[] = [];
  const { decisionId } = await c.fillGaps("w_1", async ({ field, type, person, label, ask, gap }) => {
    asked.push([field, type, person, label, ask, gap.entity_type].join());
    return { persons: 2, sales_amount: 98.5, first_name: "Ida", citizenship: "NO", "custom.sells": false }[field] ?? "2026-01-02";
  });
  assert.equal(decisionId, "dec_1");
  assert.deepEqual(asked, [
    "custom.first_sale,,0,first sale,The day.,Workflow", "custom.sells,,0,,,Workflow", "sales_amount,HIGHEST_TICKET_SALE,0,,,BusinessSalesInfo",
    "persons,,0,number of persons,How many persons does the business have?,Person",
    "first_name,,0,,,Person", "citizenship,,0,,,Person", "first_name,,1,,,Person", "citizenship,,1,,,Person",
  ]);
  const amounts = '[{"type":"AVERAGE_MONTHLY_CREDIT_SALES","value":60000,"currency":"USD"},{"type":"HIGHEST_TICKET_SALE","value":98.5,"currency":"USD"}]';
  const ida = '{"first_name":"Ida","citizenship":"NO"}';
  assert.deepEqual(seen.slice(1).map((s) => [s.url.split("/").at(-1), s.body]), [
    ["workflow.update", '{"workflow_id":"w_1","workflow":{"custom":{"first_sale":"2026-01-02","sells":false}}}'],
    ["business.salesInfo.create", `{"business_id":"b_1","replaces":"bsi_1","sales_info":{"sales_amount":${amounts}}}`],
    ["person.create", `{"business_id":"b_1","persons":[${ida},${ida}]}`], ["workflow.pricing.calculate", '{"workflow_id":"w_1"}'],
    ["workflow.requiredDocument.calculate", '{"workflow_id":"w_1"}'],
  ]);
});

test("each call of fillGaps names the day, also where the persons need several, and a key belongs to one day", async () => {
  const gaps = answer(400, refusal({ code: "MISSING_REQUIREMENTS", details: GAPS }));
  const empty = answer(200, { ...DONE, data: {} }), made = answer(200, { ...DONE, data: { person_ids: ["p_0", "p_1"] } });
  const keys: Array<Array<string | undefined>> = [];
  for (const sandboxToday of ["2027-06-01", "2027-06-02", "2027-06-02"]) {
    const { client: c, seen } = client(gaps, empty, empty, made, empty, empty, empty, empty);
    await c.fillGaps("w_1", ({ field }) => ({ persons: 2, citizenship: "x".repeat(40_000) })[field] ?? null, { sandboxToday });
    assert.deepEqual(seen.map((s) => s.headers["x-sandbox-today"]), Array.from({ length: 8 }, () => sandboxToday));
    keys.push(seen.filter((s) => s.url.endsWith(".create")).map((s) => s.headers["idempotency-key"]));
  }
  assert.deepEqual(keys[1], keys[2]);
  assert.equal(new Set(keys.flat()).size, 4);
});

test("a fact that pricing asks for only when another is on record is asked for, too", async () => {
  const gap = (field: string) => ({
    code: "FIELDS_REQUIRED", entity_type: "Workflow", entity_id: "w_1", message: "m", related_endpoints: ["workflow.update"],
    missing: [{ field: "custom." + field, value_type: "TEXT" }],
  });
  const refused = (...details: object[]) => answer(400, refusal({ code: "MISSING_REQUIREMENTS", details }));
  const score = (field: string) => refused({
    code: "CALCULATED_PRICING_REQUIRED", entity_type: "Workflow", entity_id: "w_1", message: "m", related_endpoints: ["workflow.pricing.calculate"],
    missing: [], pricing_missing: [gap(field)],
  });
  const empty = answer(200, { ...DONE, data: {} });
  const { client: c, seen } = client(score("form"), empty, refused(gap("shares")), score("shares"), empty, empty, empty);
  await c.fillGaps("w_1", ({ field }) => field);
  assert.equal(seen.length, 7);
  assert.equal(seen[4]?.body, '{"workflow_id":"w_1","workflow":{"custom":{"shares":"custom.shares"}}}');
});

test("a refusal says which answers it is about", async () => {
  const empty = answer(200, { ...DONE, data: {} }, {});
  for (const [operation, before, fields, told] of [
    ["workflow.update", 0, ["workflow.custom.first_sale", "workflow_id"], ["custom.first_sale of Workflow w_1"]],
    ["business.salesInfo.create", 1, ["sales_info.sales_amount[1].value"], ["sales_amount HIGHEST_TICKET_SALE of BusinessSalesInfo bsi_1"]],
    ["person.create", 2, ["persons[1].citizenship", "persons[0].first_name"], ["citizenship of persons[1]", "first_name of persons[0]"]],
  ] as [string, number, string[], string[]][]) {
    const details = fields.map((field) => ({ field, code: "WRONG_FORMAT", message: "m" }));
    const gaps = answer(400, refusal({ code: "MISSING_REQUIREMENTS", details: GAPS }));
    const { client: c } = client(gaps, ...Array.from({ length: before }, () => empty), answer(400, refusal({ code: "BAD_REQUEST", details })));
    await assert.rejects(c.fillGaps("w_1", () => 2), (e: RequisiteError) => {
      assert.equal(e.operation, operation);
      assert.deepEqual(e.refusedAnswers.map(({ problem }) => problem.code), told.map(() => "WRONG_FORMAT"));
      assert.equal(e.message.split("\n- ").slice(-told.length).join(), told.map((of) => `${operation} refused the answer for ${of}`).join());
      return true;
    });
  }
});

test("gaps that stay are thrown, and nothing is written if ask throws", async () => {
  const gaps = answer(400, refusal({ code: "MISSING_REQUIREMENTS", details: GAPS.slice(2, 3) }));
  const stays = client(gaps, answer(200, { ...DONE, data: {} }), gaps);
  await assert.rejects(stays.client.fillGaps("w_1", () => 0), (e: RequisiteError) => e.gaps.length === 1);
  assert.equal(stays.seen[1]?.body, '{"business_id":"b_1","business":{"no_persons_attested":true}}');
  const thrown = client(gaps);
  await assert.rejects(thrown.client.fillGaps("w_1", ({ person }) => { if (person === 1) throw new Error("the form is closed"); return 2; }), /the form is closed/);
  assert.equal(thrown.seen.length, 1);
});

test("an attempt ends with its timeout although the answer goes on, and is repeated", async () => {
  const keys: Array<string | undefined> = [], connections = new Set<unknown>();
  const server = createServer((request, response) => {
    connections.add(request.socket);
    if (request.url === "/business.get") return void response.end(JSON.stringify(DONE));
    response.writeHead(200);
    const timer = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const credential = { apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "token" };
    const c = new Client({
      baseUrl, ...credential, timeout: 300, retry: { attempts: 2, wait: 0 },
      fetch: (url, init) => { // counts what is sent: a slow server may not have read it when its time is over
        keys.push((init?.headers as Record<string, string>)["idempotency-key"]);
        return fetch(url, init);
      },
    });
    await assert.rejects(c.call("workflow.start", { workflow_id: "w_1" }), (e: NoAnswerError) => e instanceof NoAnswerError && (e.cause as Error).name === "TimeoutError");
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
    connections.clear();
    const patient = new Client({ baseUrl, ...credential });
    for (let i = 0; i < 60; i++) await patient.call("business.get", { business_id: "b_1" });
    assert.ok(connections.size < 30, "connections are kept; fetch may open another before it has put one back");
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
