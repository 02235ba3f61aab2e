import { fromBase64url, utf8 } from "./base64.js";
import { sharedSecretOf } from "./credential.js";
import type { Contents, EventFields } from "./generated.js";

const MAX_BODY = 1 << 20;
const MAX_AGE_SECONDS = 5 * 60;

// An enum, because a comparison with the name of an event must rule it out. No value of it exists.
declare const enum Later {
  _ = "",
}

/** The type of an event that this module does not know: a later version of the service may send some. It is text. */
export type LaterEventType = Later;

/**
 * An event, as a receiver gets it and the feed answers it. Comparing event_type with the name of an event gives data its type:
 * event.event_type === "WORKFLOW_COMPLETED". Event<"WORKFLOW_COMPLETED"> is an event of one type.
 */
export type Event<Type extends keyof Contents | LaterEventType = keyof Contents | LaterEventType> =
  Type extends unknown ? EventOf<Type> : never;

interface EventOf<Type> extends EventFields {
  event_type: Type;
  /** The decrypted content. webhook.event.list leaves it out, unless include_data is true. */
  data: Type extends keyof Contents ? Contents[Type] : Record<string, unknown>;
}

/** Why a request is not taken for a webhook. The status is never 410, which would disable the endpoint. */
export class WebhookRefused extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.name = "WebhookRefused";
    this.status = status;
  }
}

/**
 * Finds the shared secret of a key, in Base64 as webhook.key.create answered it, by account and key together: key ids
 * repeat across accounts. undefined for a key that is not stored.
 */
export type Secrets = (accountId: string, keyId: string) => string | undefined | Promise<string | undefined>;

/** Says whether an event was processed. Store its id in the transaction that processes it, in a unique column. */
export type Seen = (eventId: string) => boolean | Promise<boolean>;

/** A body as it arrived, before anything has parsed it. */
export type WebhookBody = Uint8Array | ArrayBuffer | string;

/** The headers of a request, as fetch has them, or by name, as node:http has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

type Kind = "string" | "number" | "boolean";

// Clear fields stand in the body and, authenticated, in the token's header. The optional ones are in both or in neither.
const CLEAR: Record<string, Kind> = {
  id: "string", event_type: "string", timestamp: "string", account_id: "string", schema_version: "string", key_id: "string", retry_count: "number",
};
const OPTIONAL: Record<string, Kind> = { sequence: "number", replay: "boolean" };

type Fields = Record<string, unknown>;

/**
 * Verifies and decrypts a webhook. The result is undefined for an event that was seen: answer 2xx. It throws a
 * WebhookRefused for a request that does not come from the service or is more than five minutes old, and a TypeError for a
 * body that was parsed. now is Unix seconds. A Receiver does the same, and processes the event.
 */
export async function verifyAndDecrypt(
  body: WebhookBody, headers: WebhookHeaders, secrets: Secrets, seen: Seen, now = Date.now() / 1000,
): Promise<Event | undefined> {
  const event = await open(body, headers, secrets, now);
  return (await seen(event.id)) ? undefined : event;
}

/** Finds a header, whatever the case of its name. */
function find(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : undefined;
}

const HOW = "pass the raw body, from before a framework parses it: with Express, put the receiver before express.json(), or use express.raw({ type: \"application/json\" })";

/** Somebody has parsed or read the body before: an error of the program, not of the sender. */
class NotRaw extends TypeError {}

/** The bytes of a body. */
function raw(body: unknown): Uint8Array {
  if (typeof body === "string") return utf8(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new NotRaw("the body is neither text nor bytes; " + HOW);
}

async function open(given: WebhookBody, headers: WebhookHeaders, secrets: Secrets, now: number): Promise<Event> {
  const body = raw(given);
  if (body.length === 0) throw new WebhookRefused(400, "the body is empty; if something has read the request before, pass on the raw body");
  const envelope = object(body);
  const { account_id: accountId, key_id: keyId, data: token } = envelope ?? {};
  if (!envelope || typeof accountId !== "string" || typeof keyId !== "string" || typeof token !== "string") {
    throw new WebhookRefused(400, "the body is not a webhook");
  }
  const secret = await secrets(accountId, keyId);
  if (secret === undefined) throw new WebhookRefused(401, "no secret is stored for this account_id and key_id");
  const [protectedHeader, content] = await decrypt(token, sharedSecretOf(`shared secret of ${accountId}/${keyId}`, secret));

  // From here on the header is trusted, and the body as far as it says the same.
  const trusted: Fields = { ...protectedHeader, key_id: protectedHeader["kid"] };
  const event: Fields = {};
  for (const [field, kind] of Object.entries({ ...CLEAR, ...OPTIONAL })) {
    if (field in OPTIONAL && !Object.hasOwn(trusted, field) && !Object.hasOwn(envelope, field)) continue;
    if (typeof trusted[field] !== kind || envelope[field] !== trusted[field]) {
      throw new WebhookRefused(401, `${field} differs from the protected header`);
    }
    event[field] = trusted[field];
  }
  const iat = trusted["iat"];
  if (!Number.isInteger(iat) || find(headers, "webhook-id") !== trusted["id"] || find(headers, "webhook-timestamp") !== String(iat)) {
    throw new WebhookRefused(401, "the request's headers differ from the protected header");
  }
  if (Math.abs(now - (iat as number)) > MAX_AGE_SECONDS) {
    throw new WebhookRefused(401, "iat is more than five minutes away from this machine's clock");
  }
  event["data"] = content;
  if (content["test"] === true) event["test"] = true; // and its records do not exist
  else if (content["workflow_id"] !== undefined) event["workflow_id"] = content["workflow_id"];
  return event as unknown as Event;
}

/** Reads one JSON object; undefined for anything else. */
function object(text: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** Opens a compact JWE (RFC 7516) with dir and A256GCM, and nothing else, whatever it says of itself. */
async function decrypt(token: string, secret: Uint8Array<ArrayBuffer>): Promise<[Fields, Fields]> {
  const malformed = new WebhookRefused(400, "data is not a compact JWE with dir and A256GCM");
  const parts = token.split(".");
  const [encodedHeader, encryptedKey] = parts;
  const [headerBytes, , nonce, ciphertext, tag] = parts.map(fromBase64url);
  if (parts.length !== 5 || encodedHeader === undefined || encryptedKey !== "" || !headerBytes || !nonce || !ciphertext || !tag) throw malformed;
  const header = object(headerBytes);
  if (header?.["alg"] !== "dir" || header["enc"] !== "A256GCM" || "crit" in header || "zip" in header) throw malformed;
  if (nonce.length !== 12 || tag.length !== 16) throw malformed;
  const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["decrypt"]);
  const sealed = new Uint8Array(ciphertext.length + tag.length);
  sealed.set(ciphertext);
  sealed.set(tag, ciphertext.length);
  let plaintext: ArrayBuffer;
  try {
    plaintext = await crypto.subtle.decrypt({ name: "AES-GCM", iv: nonce, additionalData: utf8(encodedHeader), tagLength: 128 }, key, sealed);
  } catch {
    throw new WebhookRefused(401, "data does not decrypt with the secret of this account_id and key_id");
  }
  const content = object(new Uint8Array(plaintext));
  if (!content) throw new WebhookRefused(400, "the content is not a JSON object");
  return [header, content];
}

/** What Processed says of an event. */
export type Claim = "CLAIMED" | "IN_PROCESS" | "DONE";

/**
 * For how many milliseconds a claim in a database is to hold. An attempt ends after 30 seconds: whoever claimed an event a
 * minute ago and has not said done is gone.
 */
export const CLAIM_LASTS = 60_000;

/**
 * Remembers which events were processed, so that none is processed twice. Keep it in a database, for good if you can: a
 * delivery that has failed can be sent again weeks later.
 *
 * A process may end between claim and done. Its claim must lapse, after CLAIM_LASTS, or the event would be refused until
 * its delivery has failed. What handle did by then is done again, unless handle marks the event as done itself, in the
 * transaction of its work; done then finds that it is.
 */
export interface Processed {
  /** Takes an event for processing, if nobody has, or if a claim has lapsed. */
  claim(eventId: string): Claim | Promise<Claim>;
  /** Remembers that a claimed event was processed. */
  done(eventId: string): void | Promise<void>;
  /** Forgets a claimed event whose processing failed. */
  release(eventId: string): void | Promise<void>;
}

/** Lasts as long as the process: for tests and trials. */
export class MemoryProcessed implements Processed {
  readonly #events = new Map<string, boolean>();

  claim(eventId: string): Claim {
    const done = this.#events.get(eventId);
    if (done !== undefined) return done ? "DONE" : "IN_PROCESS";
    this.#events.set(eventId, false);
    return "CLAIMED";
  }

  done(eventId: string): void {
    this.#events.set(eventId, true);
  }

  release(eventId: string): void {
    this.#events.delete(eventId);
  }
}

/** What a receiver needs. */
export interface ReceiverOptions {
  secrets: Secrets;
  processed: Processed;
  /**
   * Processes an event. After an exception the event comes again. An attempt ends after 30 seconds: if the work takes
   * long, store the event and return.
   */
  handle: (event: Event) => void | Promise<void>;
  /** Gives handle the events of webhook.config.test too. They have test: true. Otherwise they are answered 2xx, and dropped. */
  tests?: boolean | undefined;
  /** Is told of errors that are not the sender's. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A request of node:http, as far as it is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** What a framework has made of the body. */
  body?: unknown;
  /** The body as it arrived, where a framework keeps it beside the parsed one. */
  rawBody?: unknown;
}

/** A response of node:http, as far as it is used. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text?: string): unknown;
}

/** Takes webhooks over HTTP. Put it behind TLS, at the path of your endpoint's URL. */
export class Receiver {
  readonly #options: ReceiverOptions;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /** Answers a request as fetch describes it: for frameworks that use Request and Response. */
  async fetch(request: Request): Promise<Response> {
    const { status, reason } = await this.#answer(request.method, request.headers, () => {
      if (request.bodyUsed) throw new NotRaw("the body of the request was read before; give the receiver the request first, or a clone()");
      return whole(request.body ?? []);
    });
    return new Response(reason === "" ? null : reason + "\n", { status, headers: { "content-type": "text/plain" } });
  }

  /**
   * Answers a request of node:http: createServer(receiver.listener). It takes rawBody, or else body, where a framework has
   * read the request.
   */
  readonly listener = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const { status, reason } = await this.#answer(request.method ?? "", request.headers, async () => {
      const read = request.rawBody ?? request.body;
      if (typeof read === "string" || read instanceof Uint8Array) return whole([raw(read)]);
      const body = await whole(request); // frameworks set a body of their own even where they have read nothing
      return body.length === 0 && read !== undefined ? raw(read) : body;
    });
    response.writeHead(status, reason === "" ? {} : { "content-type": "text/plain", connection: "close" });
    response.end(reason === "" ? undefined : reason + "\n");
  };

  async #answer(method: string, headers: WebhookHeaders, body: () => Promise<Uint8Array>): Promise<{ status: number; reason: string }> {
    try {
      if (method !== "POST") throw new WebhookRefused(405, "webhooks are sent with POST");
      await this.#receive(await body(), headers);
      return { status: 204, reason: "" };
    } catch (error) {
      if (error instanceof WebhookRefused) return { status: error.status, reason: error.message };
      try {
        // An async function is a function without a result here: what it throws would end the process.
        await (this.#options.onError?.(error) as unknown);
      } catch {
        // Nobody is left to tell; the sender is told below.
      }
      return { status: 500, reason: error instanceof NotRaw ? error.message : "not processed" };
    }
  }

  async #receive(body: Uint8Array, headers: WebhookHeaders): Promise<void> {
    const { secrets, processed, handle, tests } = this.#options;
    const event = await open(body, headers, secrets, Date.now() / 1000);
    if (event.test && !tests) return;
    const claim = await processed.claim(event.id);
    if (claim === "DONE") return;
    if (claim === "IN_PROCESS") throw new WebhookRefused(409, "an earlier attempt is still being processed");
    try {
      await handle(event);
    } catch (error) {
      await processed.release(event.id);
      throw error;
    }
    await processed.done(event.id);
  }
}

async function whole(body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | Uint8Array[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const add = (chunk: Uint8Array) => {
    if (typeof chunk === "string") throw new NotRaw("the request gives text and not bytes, because of its setEncoding(); " + HOW);
    size += chunk.length;
    if (size > MAX_BODY) throw new WebhookRefused(413, "the body is larger than 1 MiB");
    chunks.push(chunk);
  };
  if ("getReader" in body) {
    const reader = body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) add(part.value);
  } else {
    for await (const chunk of body) add(chunk);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
