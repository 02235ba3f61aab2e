import { utf8 } from "./base64.js";
import { NoAnswerError, RequisiteError, SecretLost, type Decided, type RefusalEntry } from "./errors.js";
import { OPERATIONS, type Empty, type EventListRequest, type KeyCreateData, type Meta, type Operations, type Pages } from "./generated.js";
import { fillGaps, type Ask, type GapOptions } from "./gaps.js";
import { newNonce, Signer, type Credential } from "./sign.js";
import type { Event } from "./webhook.js";

/** How a request is repeated that got no answer, or one that says to try again. */
export interface Retry {
  /** How often a request is sent at most, the first time included. */
  attempts: number;
  /** The longest wait before the second attempt, in milliseconds; it doubles with each one. */
  wait: number;
  /** The longest wait, in milliseconds. An answer whose Retry-After asks for more is thrown instead. */
  maxWait: number;
  /** The longest time from the first attempt to the beginning of the last one, in milliseconds. */
  total: number;
}

/** What a client needs. */
export interface ClientOptions extends Credential {
  /** The address of the API, such as https://requisite.example.com. */
  baseUrl: string;
  /** Five attempts, from half a second to half a minute apart, for five minutes, unless set. { attempts: 1 } is none. */
  retry?: { [Limit in keyof Retry]?: Retry[Limit] | undefined } | undefined;
  /** How long one attempt may take, in milliseconds; a minute unless set. */
  timeout?: number | undefined;
  /** Sent as X-API-Version. */
  apiVersion?: string | undefined;
  /** Used instead of the global fetch. What it rejects counts as a fault of the network, except for an error of the program, such as a ReferenceError. */
  fetch?: typeof fetch | undefined;
}

/** Of one call. */
export interface CallOptions {
  /**
   * Makes a request safe to repeat across calls and processes: 1 to 255 printable ASCII characters. Without it, each call
   * of an operation that writes gets a new one.
   */
  idempotencyKey?: string | undefined;
  /** Ends the call, its waits included, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** A W3C trace to go on with. */
  traceparent?: string | undefined;
  /**
   * Asks for an answer that is hard to meet by chance, such as RATE_LIMITED. Only credentials of the sandbox may. It is sent
   * with each retry.
   */
  sandboxAnswer?: string | undefined;
  /**
   * A day, such as 2027-06-01, that is the account's today for this call: the day of the clock, or up to five years later. Only
   * credentials of the sandbox may. A repeat with the same idempotencyKey must name the same day.
   */
  sandboxToday?: string | undefined;
}

/** What an operation answered. Fields that this module does not know are there as well. */
export interface Answer<Data> extends Decided {
  data: Data;
  meta: Meta;
  /** The trace_id of meta: quote it in a report. */
  traceId: string;
  /** True where an earlier request with the same Idempotency-Key did the work, and this one did none. */
  replayed: boolean;
}

/** Sent as User-Agent. */
const USER_AGENT = "requisite-client-typescript/1.0.0";

/** The most seconds that a call corrects its clock by: a day. */
const MAX_CORRECTION = 86_400;

type Envelope = { meta?: Meta; data?: unknown; errors?: RefusalEntry[] };

/** Calls the API with one credential. */
export class Client {
  readonly #options: ClientOptions;
  readonly #base: URL;
  readonly #signer: Signer;
  readonly #retry: Retry;

  constructor(options: ClientOptions) {
    this.#options = options;
    // Without a scheme that has hosts, URL would take text for a path. Its own error would repeat the text.
    if (!/^https?:\/\/[^\s]+$/.test(options.baseUrl) || !URL.canParse(options.baseUrl)) {
      throw new TypeError("the base URL must be the address of the API, such as https://requisite.example.com");
    }
    this.#base = new URL(options.baseUrl.replace(/\/*$/, "/"));
    this.#signer = new Signer(options);
    checkHeader("an API version", options.apiVersion || undefined);
    const { attempts = 5, wait = 500, maxWait = 30_000, total = 300_000 } = options.retry ?? {};
    this.#retry = { attempts, wait, maxWait, total };
  }

  /**
   * Calls an operation. A refusal is thrown as a RequisiteError, a key without its secret as a SecretLost. What got no answer, 409 REQUEST_IN_PROGRESS, 429 and 5xx are
   * repeated, each time signed anew; what writes carries the same Idempotency-Key, so that it cannot take effect twice. A call whose
   * timestamp is refused is repeated once with the clock of the service, over TLS or to a loopback address, if they differ by at most a day.
   */
  async call<Name extends keyof Operations>(
    operation: Name,
    request: Operations[Name]["request"],
    options: CallOptions = {},
  ): Promise<Answer<Operations[Name]["data"]>> {
    const answer = await this.callUntyped(operation, request, options);
    return answer as Answer<Operations[Name]["data"]>;
  }

  /** Is call for an operation that this module does not know. */
  async callUntyped(operation: string, request: object, options: CallOptions = {}): Promise<Answer<unknown>> {
    checkHeader("an idempotency key", options.idempotencyKey);
    checkHeader("a traceparent", options.traceparent || undefined);
    checkHeader("an answer of the sandbox", options.sandboxAnswer);
    checkHeader("a day of the sandbox", options.sandboxToday);
    const body = utf8(JSON.stringify(request));
    const known = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation as keyof Operations] : undefined;
    const idempotencyKey = options.idempotencyKey ?? (known === undefined || known.writes ? newNonce() : undefined);
    const began = Date.now();
    let correction = 0; // seconds that the clock is behind, for this call
    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted();
      try {
        return await this.#send(operation, body, { ...options, idempotencyKey }, correction);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (correction === 0 && (correction = this.#correction(error)) !== 0) {
          attempt--;
          continue;
        }
        if (attempt >= this.#retry.attempts || !repeatable(error)) throw error;
        const asked = ((error as NoAnswerError).retryAfter ?? 0) * 1000;
        const bound = Math.min(this.#retry.wait * 2 ** (attempt - 1), this.#retry.maxWait);
        const wait = Math.max(asked, bound / 2 + (Math.random() * bound) / 2);
        if (wait > this.#retry.maxWait || Date.now() - began + wait > this.#retry.total) throw error;
        await pause(wait, options.signal);
      }
    }
  }

  /** Goes through the elements of all pages. request.page.limit is how many come at once. */
  async *all<Name extends keyof Pages & keyof Operations>(
    operation: Name,
    request: Operations[Name]["request"],
    options: CallOptions = {},
  ): AsyncGenerator<Pages[Name], void, undefined> {
    const field = OPERATIONS[operation].items as string;
    let next: string | null | undefined;
    let page: object = (request as { page?: object }).page ?? {};
    do {
      const { data } = await this.callUntyped(operation, { ...request, page }, options);
      yield* (data as Record<string, unknown>)[field] as Pages[Name][];
      const answer = data as { next?: string | null; caught_up?: boolean };
      next = answer.caught_up ? null : answer.next; // the next of a feed is never null
      page = { ...page, after: next };
    } while (next != null);
  }

  /**
   * Goes through the events of an account with their data, in the order of the feed, until none is left. Each is what a Receiver gives
   * its handler: one handler takes both. To go on later, read pages with webhook.event.list and store next.
   */
  events(request: Omit<EventListRequest, "order" | "include_data">, options: CallOptions = {}): AsyncGenerator<Event, void, undefined> {
    return this.all("webhook.event.list", { ...request, order: "OLDEST_FIRST", include_data: true }, options);
  }

  /**
   * Calculates the required documents of a workflow. If facts are missing, it asks for them, puts them on record, and calculates
   * again, until nothing is missing. A refusal whose gaps stay the same is thrown.
   * A RequisiteError for an answer that was refused has refusedAnswers.
   *
   * Call it again after any error: it continues from what is on record. All persons of a business are put on record at once, and a
   * sales info record is replaced in one step, by one that also holds what it held. The same answers have the same Idempotency-Key,
   * so no record is created twice. Each of its calls gets the options, such as sandboxToday.
   */
  async fillGaps(workflowId: string, ask: Ask, options: GapOptions = {}): Promise<Answer<Empty>> {
    return fillGaps(this, workflowId, ask, options);
  }

  /**
   * The seconds by which a refused timestamp differs from the clock of the service. 0 if they must not be trusted: with signatures of
   * tomorrow, who answers in its place could act tomorrow.
   */
  #correction(error: unknown): number {
    if (!(error instanceof RequisiteError) || error.code !== "AUTH_TIMESTAMP_EXPIRED") return 0;
    const { protocol, hostname } = this.#base, seconds = error.differenceSeconds;
    if (protocol !== "https:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return 0;
    return Number.isInteger(seconds) && Math.abs(seconds as number) <= MAX_CORRECTION ? (seconds as number) : 0;
  }

  async #send(operation: string, body: Uint8Array<ArrayBuffer>, options: CallOptions, correction: number): Promise<Answer<unknown>> {
    const url = new URL(this.#base.pathname + operation, this.#base);
    const target = url.pathname + url.search;
    const headers = await this.#signer.headers({
      method: "POST",
      target,
      body,
      idempotencyKey: options.idempotencyKey,
      apiVersion: this.#options.apiVersion,
      timestamp: Math.floor(Date.now() / 1000) + correction,
      nonce: newNonce(),
    });
    headers["content-type"] = "application/json";
    headers["user-agent"] = USER_AGENT;
    if (options.traceparent) headers["traceparent"] = options.traceparent;
    if (options.sandboxAnswer !== undefined) headers["x-sandbox-answer"] = options.sandboxAnswer;
    if (options.sandboxToday !== undefined) headers["x-sandbox-today"] = options.sandboxToday;
    const timeout = AbortSignal.timeout(this.#options.timeout ?? 60_000);
    const sending = this.#options.fetch ?? fetch;
    const response = await arrived(operation, sending(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual", // a signature is for one path
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
    }));
    const text = await arrived(operation, response.text());
    const retryAfter = seconds(response.headers.get("retry-after"));
    let envelope: Envelope | null = null;
    try {
      envelope = JSON.parse(text) as Envelope | null;
    } catch {
      // It is none: see below.
    }
    const refused = envelope?.errors?.[0];
    const replayed = response.headers.get("idempotent-replayed") === "true";
    const decided: Decided = {
      decisionId: response.headers.get("requisite-decision-id") ?? undefined,
      decisionDigest: response.headers.get("requisite-decision-digest") ?? undefined,
    };
    if (envelope?.meta && refused) {
      const sent = { operation, signedPath: target, replayed };
      throw new RequisiteError(refused, { httpStatus: response.status, traceId: envelope.meta.trace_id, retryAfter, ...sent, ...decided });
    }
    if (!envelope?.meta || response.status !== 200) throw new NoAnswerError(operation, response.status, retryAfter);
    const { data, meta } = envelope, traceId = meta.trace_id;
    if (operation === "webhook.key.create") {
      const made = data as KeyCreateData;
      if (!made.shared_secret) throw new SecretLost(made.key_id, traceId);
    }
    return { data, meta, traceId, replayed, ...decided };
  }
}

/** Such a request would fail each time, as if the network did; without its key, one that is repeated could take effect twice. */
function checkHeader(name: string, value: string | undefined): void {
  if (value === undefined || /^[!-~]([ -~]{0,253}[!-~])?$/.test(value)) return;
  throw new TypeError(`${name} has 1 to 255 printable ASCII characters, without spaces around them`);
}

/** Waits for a part of an answer. What fetch throws at once, rather than rejects, is no fault of the network. */
async function arrived<Part>(operation: string, part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (error) {
    if (ofTheProgram(error)) throw error;
    throw new NoAnswerError(operation, undefined, undefined, { cause: error });
  }
}

/** Says whether a fetch of the caller's own has an error in its program. The network's errors are TypeErrors too: their texts tell them apart. */
function ofTheProgram(error: unknown): boolean {
  if (error instanceof TypeError) return /\bis (not|undefined|null)\b|^Cannot /.test(error.message);
  return error instanceof ReferenceError || error instanceof RangeError || error instanceof SyntaxError;
}

/** Says whether the same request may succeed later. */
function repeatable(error: unknown): boolean {
  if (error instanceof RequisiteError) {
    return error.code === "REQUEST_IN_PROGRESS" || error.code === "TOO_MANY_REQUESTS" || error.httpStatus >= 500;
  }
  return error instanceof NoAnswerError && (error.httpStatus === undefined || error.httpStatus === 429 || error.httpStatus >= 500);
}

/** Reads Retry-After, in seconds or as a date. */
function seconds(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^[0-9]+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** Waits, at most until the signal. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}
