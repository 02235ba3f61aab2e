// Plays the scenario of e2e/guide against a running service, which the environment names.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, MemoryProcessed, Receiver, RequisiteError, SecretLost, type Operations, type Pages } from "../src/index.js";

interface Step {
  call?: string;
  all?: string;
  await?: string | string[];
  request: object;
  save?: Record<string, string>;
  secret?: boolean;
  count?: number;
  refused?: { code: string; sub_code?: string; field?: string; gaps?: number };
  sandbox_answer?: string;
  lost?: string;
  warns?: string;
}

const env = (name: string) => {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
};
const scenario = JSON.parse(readFileSync(env("REQUISITE_SCENARIO"), "utf8"));
const variables: Record<string, unknown> = scenario.variables;
const client = new Client({
  baseUrl: env("REQUISITE_BASE_URL"), apiKey: env("REQUISITE_API_KEY"), secretKey: env("REQUISITE_SECRET_KEY"), authToken: env("REQUISITE_AUTH_TOKEN"),
});

const secrets = new Map<string, string>();
const received = new Set<string>();
const unexpected: unknown[] = [];
let arrived = () => {};
const receiver = new Receiver({
  secrets: (account, key) => secrets.get(`${account}/${key}`),
  processed: new MemoryProcessed(),
  handle: (event) => {
    assert.equal(event.data["version"], "1.0");
    received.add(event.event_type + (event.test ? " as a test" : ""));
    arrived();
  },
  tests: true,
  onError: (error) => unexpected.push(error),
});
const server = createServer((request, response) => {
  if (request.url === "/webhooks") void receiver.listener(request, response);
  else response.writeHead(request.url === "/working" ? 204 : 500).end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
variables["receiver_url"] = `${address}/webhooks`;
variables["failing_url"] = `${address}/failing`;
variables["working_url"] = `${address}/working`;

function filled(value: unknown): unknown {
  if (typeof value === "string" && value.startsWith("$")) return variables[value.slice(1)];
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]));
  return value;
}

function at(data: unknown, path: string): unknown {
  let found = data;
  for (const name of path.split(".")) found = (found as Record<string, unknown>)[name];
  assert.notEqual(found, undefined, `there is no ${path}`);
  return found;
}

async function received_all(types: string[]): Promise<void> {
  for (;;) { // without limit: the test stops this program
    const missing = types.filter((type) => !received.has(type));
    if (missing.length === 0) return;
    console.error(`waits for ${missing}`);
    await new Promise<void>((resolve) => (arrived = resolve));
  }
}

async function play(step: Step): Promise<{ data: unknown; warnings?: Array<{ code: string }> }> {
  const request = filled(step.request);
  if (step.all !== undefined) {
    const items: unknown[] = [];
    const operation = step.all as keyof Pages & keyof Operations;
    for await (const item of client.all(operation, request as Operations[typeof operation]["request"])) items.push(item);
    return { data: items };
  }
  const operation = step.call as keyof Operations;
  const { data, meta } = await client.call(operation, request as never, step.sandbox_answer === undefined ? {} : { sandboxAnswer: step.sandbox_answer });
  return { data, warnings: meta.warnings ?? [] };
}

const operations: string[] = [];
for (const step of scenario.steps as Step[]) {
  if (step.await !== undefined) {
    await received_all(filled(step.await) as string[]);
    continue;
  }
  const name = step.call ?? step.all ?? "";
  if (step.refused) {
    const { code, sub_code, field, gaps } = step.refused;
    await assert.rejects(play(step), (error: RequisiteError) => {
      assert.ok(error instanceof RequisiteError, String(error));
      assert.deepEqual([error.code, error.subCode, error.gaps.length, error.problems[0]?.field], [code, sub_code, gaps ?? 0, field], name);
      return error.traceId.startsWith("trc_");
    });
    continue;
  }
  if (step.lost !== undefined) {
    const error = await play(step).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof SecretLost, name);
    variables[step.lost] = error.keyId;
    continue;
  }
  const { data, warnings } = await play(step);
  if (step.warns !== undefined) assert.deepEqual(warnings?.map((w) => w.code), [step.warns], name);
  operations.push(name);
  if (step.count !== undefined) assert.equal((data as unknown[]).length, step.count, name);
  for (const [variable, path] of Object.entries(step.save ?? {})) variables[variable] = at(data, path);
  if (step.secret) secrets.set(`${variables["account_id"]}/${at(data, "key_id")}`, at(data, "shared_secret") as string);
}
server.close();
server.closeAllConnections();
assert.deepEqual(unexpected, []);
writeFileSync(env("REQUISITE_SUMMARY"), JSON.stringify({ operations, events: [...received] }));
