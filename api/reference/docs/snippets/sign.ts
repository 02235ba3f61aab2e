// Sign a request and send it. Save it as sign.ts. As a program: sign OPERATION BODY [IDEMPOTENCY_KEY], compiled with tsc, or with Node 22.18 and later as it is.
// Needs BASE_URL, API_KEY, SECRET_KEY and AUTH_TOKEN in the environment.
import { createHash, createHmac, randomBytes } from "node:crypto";
import { pathToFileURL } from "node:url";

const setting = (name: string): string => process.env[name] ?? "";

export function signature(text: string): string {
  return createHmac("sha256", Buffer.from(setting("SECRET_KEY"), "base64")).update(text).digest("base64");
}

export async function send(operation: string, body: string, idempotencyKey?: string): Promise<string> {
  const path = `/${operation}`;
  const elements = "API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256" + (idempotencyKey ? ";Idempotency-Key" : "");
  const more: Record<string, string> = idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {};
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString("hex");
  const hash = createHash("sha256").update(body).digest("base64");
  const text = [elements, setting("API_KEY"), "POST", path, timestamp, nonce, hash, ...Object.values(more)].join("\n");
  const answer = await fetch(setting("BASE_URL") + path, {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json",
      Authorization: `Sig1-HMAC-SHA256 ${signature(text)}`,
      "X-API-Key": setting("API_KEY"),
      "X-API-Auth-Token": setting("AUTH_TOKEN"),
      "X-API-Signed-Elements": elements,
      "X-API-Timestamp": timestamp,
      "X-API-Nonce": nonce,
      "X-API-Content-SHA256": hash,
      ...more,
    },
  });
  return answer.text();
}

// call sends a body as JSON and reads the answer: meta, and data or errors.
export async function call(operation: string, body: object, idempotencyKey?: string): Promise<any> {
  return JSON.parse(await send(operation, JSON.stringify(body), idempotencyKey));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [operation = "", argument = "", idempotencyKey] = process.argv.slice(2);
  console.log(operation === "--signature" ? signature(argument) : await send(operation, argument, idempotencyKey));
}
