export * from "./client.js";
export * from "./errors.js";
export type { Ask, GapOptions, Question } from "./gaps.js";
export * from "./generated.js";
export { Signer, type Credential, type Signed } from "./sign.js";
export * from "./webhook.js";
