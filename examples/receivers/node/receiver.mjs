// A webhook receiver: npm ci && node receiver.mjs
//
// REQUISITE_WEBHOOK_KEYS names a JSON file {"ACCOUNT_ID/KEY_ID": "SHARED_SECRET"}; PORT is 8080 unless set.
//
// The order of the checks is what makes this safe. The clear fields of a body only choose the secret; nothing else is
// done with them until the decryption has shown who wrote them. An id is remembered only after the event has been
// processed, and success is answered only after that, so that an event which could not be processed comes again.
import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { compactDecrypt } from "jose";

const MAX_BODY = 1 << 20;
const MAX_AGE_SECONDS = 5 * 60;
const CLEAR_FIELDS = ["id", "event_type", "timestamp", "account_id", "schema_version", "key_id", "retry_count"];
const OPTIONAL_FIELDS = ["sequence", "replay"]; // in the body and the protected header, or in neither

// What the sender is told. The status is never 410, which would disable the endpoint: after any other refusal the
// event is sent again later.
export class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

// Returns the event of a request once all of it is known to come from the service. `body` is a Buffer, `headers` have
// lower-case names, `now` is Unix seconds, and `secret` finds the key of an account_id and a key_id.
export async function open(body, headers, now, secret) {
  let envelope;
  try {
    envelope = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refusal(400, "the body is not JSON");
  }
  if (![envelope?.account_id, envelope?.key_id, envelope?.data].every((field) => typeof field === "string")) {
    throw new Refusal(400, "the body is not a webhook");
  }
  const key = await secret(envelope.account_id, envelope.key_id); // key ids repeat across accounts

  // One algorithm each, whatever the token says of itself.
  let plaintext, protectedHeader;
  try {
    ({ plaintext, protectedHeader } = await compactDecrypt(envelope.data, key, {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    }));
  } catch {
    throw new Refusal(401, "data does not decrypt with the secret of this account_id and key_id");
  }

  // From here on the header is trusted, and the body as far as it says the same.
  const { kid, iat, ...rest } = protectedHeader;
  const trusted = { ...rest, key_id: kid };
  for (const field of CLEAR_FIELDS) {
    if (trusted[field] === undefined || envelope[field] !== trusted[field]) {
      throw new Refusal(401, `${field} differs from the protected header`);
    }
  }
  for (const field of OPTIONAL_FIELDS) {
    if (envelope[field] !== trusted[field]) throw new Refusal(401, `${field} differs from the protected header`);
  }
  if (headers["webhook-id"] !== trusted.id || headers["webhook-timestamp"] !== String(iat)) {
    throw new Refusal(401, "the request's headers differ from the protected header");
  }
  if (!Number.isInteger(iat) || Math.abs(now - iat) > MAX_AGE_SECONDS) {
    throw new Refusal(401, "iat is more than five minutes away from this machine's clock");
  }
  const present = [...CLEAR_FIELDS, ...OPTIONAL_FIELDS].filter((field) => field in trusted);
  const event = Object.fromEntries(present.map((field) => [field, trusted[field]]));
  const data = JSON.parse(new TextDecoder().decode(plaintext));
  return data.test === true ? { ...event, test: true, data } : { ...event, data };
}

// Where your work goes. When it throws, the event is not remembered, and comes again. Events of a workflow may come in
// any order: what one tells of a record replaces what you have only if its sequence is higher than that of the event you
// have it from. Nothing has happened if test is true: webhook.config.test sent it.
async function handle(event) {
  console.log(JSON.stringify(event));
}

// Reads the file again when it does not know a key: a new one may have been stored since.
let secrets = {};
async function storedSecret(accountId, keyId) {
  const name = `${accountId}/${keyId}`;
  if (!Object.hasOwn(secrets, name)) {
    secrets = JSON.parse(await readFile(process.env.REQUISITE_WEBHOOK_KEYS, "utf8"));
  }
  if (!Object.hasOwn(secrets, name)) {
    throw new Refusal(401, "no secret is stored for this account_id and key_id");
  }
  return Buffer.from(secrets[name], "base64");
}

async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Refusal(413, "the body is larger than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// Holds an id from the start of its processing; true says that it has ended. A real receiver keeps the ids in its
// database, where they survive a restart: a unique column, written in the transaction of the processing.
const done = new Map();

export async function processOnce(event, work) {
  if (done.get(event.id)) return 200;
  if (done.has(event.id)) throw new Refusal(409, "an earlier attempt is still being processed");
  done.set(event.id, false);
  try {
    await work(event);
  } catch (error) {
    done.delete(event.id);
    throw error;
  }
  done.set(event.id, true);
  return 204;
}

async function receive(request) {
  if (request.url !== "/webhooks") throw new Refusal(404, "webhooks go to /webhooks");
  if (request.method !== "POST") throw new Refusal(405, "webhooks are sent with POST");
  const event = await open(await read(request), request.headers, Date.now() / 1000, storedSecret);
  return processOnce(event, handle);
}

function serve() {
  const server = createServer({ requestTimeout: 30_000 }, async (request, response) => {
    try {
      response.writeHead(await receive(request)).end();
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      const refusal = error instanceof Refusal ? error : new Refusal(500, "not processed");
      response.writeHead(refusal.status, { "content-type": "text/plain", connection: "close" }).end(refusal.message + "\n");
    }
  });
  server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`);
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) serve();
