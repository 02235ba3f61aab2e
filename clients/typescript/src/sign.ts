import { toBase64, utf8 } from "./base64.js";
import { check, secretOf } from "./credential.js";

/** A credential, as it is handed out. */
export interface Credential {
  apiKey: string;
  /** Standard Base64. */
  secretKey: string;
  authToken: string;
}

/** What of a request is signed. */
export interface Signed {
  method: string;
  /** Path and query, exactly as they are sent. */
  target: string;
  body: Uint8Array<ArrayBuffer>;
  idempotencyKey?: string | undefined;
  apiVersion?: string | undefined;
  /** Unix seconds. */
  timestamp: number;
  /** 16 to 64 characters of A-Z, a-z, 0-9, _ and -, new with each request. */
  nonce: string;
}

/** Makes a nonce of 128 random bits. */
export function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Signs requests with one credential. */
export class Signer {
  readonly #credential: Credential;
  readonly #secret: Uint8Array<ArrayBuffer>;
  #key: Promise<CryptoKey> | undefined;

  /** Throws a TypeError that names the part of the credential that is malformed, and its fault, but never its value. */
  constructor(credential: Credential) {
    check("API key", credential.apiKey);
    this.#secret = secretOf("secret key", credential.secretKey);
    check("auth token", credential.authToken);
    this.#credential = credential;
  }

  /** The Base64 of the HMAC of a string to sign. */
  async signature(stringToSign: string): Promise<string> {
    this.#key ??= crypto.subtle.importKey("raw", this.#secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return toBase64(await crypto.subtle.sign("HMAC", await this.#key, utf8(stringToSign)));
  }

  /**
   * The headers of a signed request. Verb, path, time, nonce and body are covered, and so are the Idempotency-Key and the
   * version where there are any.
   */
  async headers(request: Signed): Promise<Record<string, string>> {
    const hash = toBase64(await crypto.subtle.digest("SHA-256", request.body));
    const headers: Record<string, string> = {
      "x-api-key": this.#credential.apiKey,
      "x-api-auth-token": this.#credential.authToken,
      "x-api-timestamp": String(request.timestamp),
      "x-api-nonce": request.nonce,
      "x-api-content-sha256": hash,
    };
    const elements = ["API-Key", "HTTP-Verb", "URL-Path", "Timestamp", "Nonce", "Content-SHA256"];
    const values = [this.#credential.apiKey, request.method, request.target, String(request.timestamp), request.nonce, hash];
    const optional: Array<[string, string, string | undefined]> = [
      ["Idempotency-Key", "idempotency-key", request.idempotencyKey],
      ["API-Version", "x-api-version", request.apiVersion],
    ];
    for (const [element, header, value] of optional) {
      if (!value) continue;
      elements.push(element);
      values.push(value);
      headers[header] = value;
    }
    const list = elements.join(";");
    headers["x-api-signed-elements"] = list;
    headers["authorization"] = "Sig1-HMAC-SHA256 " + (await this.signature([list, ...values].join("\n")));
    return headers;
  }
}
