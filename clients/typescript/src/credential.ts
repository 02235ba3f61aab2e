import { fromBase64 } from "./base64.js";

/**
 * What is wrong with a credential; undefined for a sound one. It never repeats the value. A credential is refused rather than
 * trimmed: a secret that its owner did not write so was damaged on its way, and the next program may not trim it.
 */
export function faultOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return "is not set";
  if (typeof value !== "string") return "is not text";
  if (/[\r\n]$/.test(value)) return "ends in a line break; trim what you read from a file";
  if (/^[ \t]|[ \t]$/.test(value)) return "begins or ends with a blank; trim it";
  if (/[\x00-\x1f\x7f]/.test(value)) return "contains a control character";
  if (/[^\x00-\x7f]/.test(value)) return "contains a character that is not ASCII";
  if (value.includes(" ")) return "contains a blank";
  return undefined;
}

/** Throws a TypeError for a credential that cannot be one. */
export function check(name: string, value: unknown): void {
  const fault = faultOf(value);
  if (fault) throw new TypeError(`the ${name} ${fault}`);
}

/** Decodes a secret in standard Base64. */
export function secretOf(name: string, value: string): Uint8Array<ArrayBuffer> {
  check(name, value);
  const secret = fromBase64(value);
  if (!secret?.length) throw new TypeError(`the ${name} is not standard Base64`);
  return secret;
}

/** Decodes the shared secret of a webhook key. */
export function sharedSecretOf(name: string, value: string): Uint8Array<ArrayBuffer> {
  check(name, value);
  const secret = fromBase64(value);
  if (secret?.length !== 32) throw new TypeError(`the ${name} is not 32 bytes in standard Base64`);
  return secret;
}
