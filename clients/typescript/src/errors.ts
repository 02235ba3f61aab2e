import type { Code, Gap, LimitMet, SubCode } from "./generated.js";

/** One thing that is wrong with a request. */
export interface Problem {
  field: string;
  message: string;
}

/** One entry of errors in an answer. */
export interface RefusalEntry {
  code: Code;
  message: string;
  sub_code?: SubCode | undefined;
  entity_type?: string | undefined;
  entity_id?: string | undefined;
  details?: unknown;
  temporal_workflow_id?: string | undefined;
  temporal_run_id?: string | undefined;
  server_time?: string | undefined;
  difference_seconds?: number | undefined;
  received_path?: string | undefined;
}

/**
 * The recorded decision that an answer tells of; undefined where nothing was decided. Refusals can be decisions too. Store
 * both with your application: they prove the decision later.
 */
export interface Decided {
  decisionId: string | undefined;
  decisionDigest: string | undefined;
}

/** The API refused a request. */
export class RequisiteError extends Error implements Decided {
  /** What kind of refusal it is, such as BAD_REQUEST. */
  readonly code: Code;
  /** Which rule of the system, where code is SYSTEM_RULE_VIOLATION. */
  readonly subCode: SubCode | undefined;
  /** The record that it is about, where there is one. */
  readonly entityType: string | undefined;
  readonly entityId: string | undefined;
  /** Depends on code; see problems, gaps and limits. */
  readonly details: unknown;
  /** The run that goes on, of STILL_RUNNING. */
  readonly temporalWorkflowId: string | undefined;
  readonly temporalRunId: string | undefined;
  /** The clock of the service, of AUTH_TIMESTAMP_EXPIRED, and how many seconds it is ahead of the timestamp. */
  readonly serverTime: string | undefined;
  readonly differenceSeconds: number | undefined;
  /** The path that arrived, of AUTH_SIGNATURE_MISMATCH, and the one that was signed. A proxy between may have changed it. */
  readonly receivedPath: string | undefined;
  readonly signedPath: string | undefined;
  readonly httpStatus: number;
  /** Quote it in a report. */
  readonly traceId: string;
  /** Seconds to wait, where the answer says so. */
  readonly retryAfter: number | undefined;
  /** True where an earlier request with the same Idempotency-Key was refused so, and this one did nothing. */
  readonly replayed: boolean;
  readonly decisionId: string | undefined;
  readonly decisionDigest: string | undefined;

  constructor(
    entry: RefusalEntry,
    answer: { httpStatus: number; traceId: string; retryAfter: number | undefined; signedPath?: string | undefined; replayed?: boolean } & Decided,
  ) {
    super([`${entry.code}${entry.sub_code ? "/" + entry.sub_code : ""}: ${entry.message}`, ...lines(entry, answer.signedPath)].join("\n- "));
    this.name = "RequisiteError";
    this.code = entry.code;
    this.subCode = entry.sub_code;
    this.entityType = entry.entity_type;
    this.entityId = entry.entity_id;
    this.details = entry.details;
    this.temporalWorkflowId = entry.temporal_workflow_id;
    this.temporalRunId = entry.temporal_run_id;
    this.serverTime = entry.server_time;
    this.differenceSeconds = entry.difference_seconds;
    this.receivedPath = entry.received_path;
    this.signedPath = answer.signedPath;
    this.httpStatus = answer.httpStatus;
    this.traceId = answer.traceId;
    this.retryAfter = answer.retryAfter;
    this.replayed = answer.replayed ?? false;
    this.decisionId = answer.decisionId;
    this.decisionDigest = answer.decisionDigest;
  }

  /** Of BAD_REQUEST: every problem of the request, at once. */
  get problems(): Problem[] {
    return this.code === "BAD_REQUEST" && Array.isArray(this.details) ? this.details : [];
  }

  /** Of MISSING_REQUIREMENTS: what is not on file, and how to supply it. */
  get gaps(): Gap[] {
    return this.code === "MISSING_REQUIREMENTS" && Array.isArray(this.details) ? this.details : [];
  }

  /** Of TOO_MANY_REQUESTS: the limit that the request has met. */
  get limits(): LimitMet[] {
    return this.code === "TOO_MANY_REQUESTS" && Array.isArray(this.details) ? this.details : [];
  }
}

/** The details in words: each problem with its field, each gap with what to do, and both paths of a signature that does not match. */
function lines({ code, details, received_path }: RefusalEntry, signedPath: string | undefined): string[] {
  if (received_path !== undefined) return [`The client signed the path ${signedPath}, and ${received_path} arrived.`];
  if (code !== "BAD_REQUEST" && code !== "MISSING_REQUIREMENTS") return details === undefined ? [] : [JSON.stringify(details)];
  const listed = (Array.isArray(details) ? details : []) as Array<Partial<Problem> | null>;
  return listed.flatMap((one) => (typeof one?.message === "string" ? [[one.field, one.message].filter(Boolean).join(": ")] : []));
}

/**
 * webhook.key.create answered without the shared secret: an earlier answer carried it, or the sandbox was asked for such an
 * answer. Nobody can decrypt with this key: do not activate it.
 */
export class SecretLost extends Error {
  readonly keyId: string;
  readonly traceId: string;

  constructor(keyId: string, traceId: string) {
    super(`the shared secret of webhook key ${keyId} is lost, because it is shown only once: create another key; this one stays INACTIVE`);
    this.name = "SecretLost";
    this.keyId = keyId;
    this.traceId = traceId;
  }
}

/** There was no answer in the API's envelope: none at all, or one of a proxy between. cause is why there was none. */
export class NoAnswerError extends Error {
  readonly operation: string;
  readonly httpStatus: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(operation: string, httpStatus?: number, retryAfter?: number, options?: ErrorOptions) {
    super(
      httpStatus === undefined
        ? [`${operation} got no answer`, ...causes(options?.cause)].join(": ")
        : `the answer to ${operation} (HTTP ${httpStatus}) is not in the envelope of the API; check the base URL, and proxies between`,
      options,
    );
    this.name = "NoAnswerError";
    this.operation = operation;
    this.httpStatus = httpStatus;
    this.retryAfter = retryAfter;
  }
}

/** The texts of an error and of what caused it, without a password that a URL may have. fetch says why it failed in the cause alone. */
function causes(error: unknown, most = 3): string[] {
  if (!(error instanceof Error) || most === 0) return [];
  const { code } = error as { code?: unknown };
  const text = error.message || (typeof code === "string" ? code : error.name); // of several addresses, only code says why
  return [text.replace(/\/\/[^/\s]*@/g, "//"), ...causes(error.cause, most - 1)];
}
