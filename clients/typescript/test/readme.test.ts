// Runs the code of README.md. The program of the quickstart is run against a service elsewhere.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer as serverOf, type RequestListener } from "node:http";
import { mock, test } from "node:test";
import { Client, MemoryProcessed, Receiver, RequisiteError, verifyAndDecrypt, WebhookRefused, type Secrets, type Seen, type Event } from "../src/index.js";

const root = new URL("../../", import.meta.url);

test("this file has the code of README.md", () => {
  const flat = (code: string) => ("\n" + code).replace(/\n\s*/g, "\n");
  const here = flat(readFileSync(new URL("test/readme.test.ts", root), "utf8"));
  const blocks = [...readFileSync(new URL("README.md", root), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)];
  assert.equal(blocks.length, 4);
  for (const [, code] of blocks) assert.ok(here.includes(flat(code ?? "")), `this file does not run\n${code}`);
});

const credential = { apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "token" };

/** Serves one listener while a test runs, and returns what was printed. */
async function serving(listener: RequestListener, run: (baseUrl: string) => Promise<void>): Promise<unknown[][]> {
  const server = serverOf(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const printed: unknown[][] = [];
  const said = [mock.method(console, "log", (...words: unknown[]) => printed.push(words)), mock.method(console, "error", (...words: unknown[]) => printed.push(words))];
  try {
    await run(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
  } finally {
    for (const one of said) one.mock.restore();
    server.close();
    server.closeAllConnections();
  }
  return printed;
}

test("use", async () => {
  const bodies: string[] = [];
  const printed = await serving(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    const data = request.url === "/workflow.list" ? { workflows: [{ workflow_id: "w_1", state: "STARTED" }], next: null } : {};
    response.end(JSON.stringify({ meta: { status: "SUCCESS", trace_id: "trc_1", version: "v" }, data }));
  }, async (baseUrl) => {
    const { apiKey, secretKey, authToken } = credential, account_id = "sb_1", business_id = "b_1", { signal } = new AbortController();
    const client = new Client({ baseUrl, apiKey, secretKey, authToken });
    for await (const w of client.all("workflow.list", { account_id })) console.log(w.workflow_id, w.state);
    await client.call("business.update", { business_id, business: { website: null } }, { idempotencyKey: "order-4711", signal });
  });
  assert.deepEqual(printed, [["w_1", "STARTED"]]);
  assert.equal(bodies[1], '{"business_id":"b_1","business":{"website":null}}');
});

test("errors", async () => {
  const refusal = { code: "MISSING_REQUIREMENTS", message: "m", entity_type: "Workflow", entity_id: "w_1", details: [{ message: "State it." }] };
  const printed = await serving((_, response) => {
    response.writeHead(400, { "requisite-decision-id": "dec_1" }).end(JSON.stringify({ meta: { status: "ERROR", trace_id: "trc_1", version: "v" }, errors: [refusal] }));
  }, async (baseUrl) => {
    const client = new Client({ baseUrl, ...credential }), workflow_id = "w_1";
    try {
      await client.call("workflow.requiredDocument.calculate", { workflow_id });
    } catch (error) {
      if (!(error instanceof RequisiteError)) throw error;
      console.error(error.code, error.subCode, error.entityType, error.entityId, error.httpStatus, error.traceId, error.decisionId);
    }
  });
  assert.deepEqual(printed, [["MISSING_REQUIREMENTS", undefined, "Workflow", "w_1", 400, "trc_1", "dec_1"]]);
});

test("webhooks", async () => {
  const load: Secrets = () => undefined;
  let listener: RequestListener | undefined, port = 0;
  const createServer = (one: RequestListener) => ({ listen: (at: number) => { [listener, port] = [one, at]; } });
  const receiver = new Receiver({
    secrets: (accountId, keyId) => load(accountId, keyId), // Base64, or undefined
    processed: new MemoryProcessed(), // in production, a table of your database
    handle: async (event) => console.log(event.event_type, event.data),
  });
  createServer(receiver.listener).listen(8080);
  assert.equal(port, 8080);
  const body = '{"account_id":"sb_1","key_id":"whk_1","data":"a.b.c.d.e"}';
  await serving(listener as RequestListener, async (url) => {
    assert.equal((await fetch(url, { method: "POST", body })).status, 401);
  });

  async function receive(headers: Headers, seen: Seen, process: (event: Event) => Promise<void>): Promise<number> {
    try {
      const event = await verifyAndDecrypt(body, headers, load, (eventId) => seen(eventId));
      if (event) await process(event); // store event.id in the same transaction; undefined is a repeat
      return 200;
    } catch (error) {
      return error instanceof WebhookRefused ? error.status : 500;
    }
  }
  assert.equal(await receive(new Headers(), () => false, async () => {}), 401);
});
