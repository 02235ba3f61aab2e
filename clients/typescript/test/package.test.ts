import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const tool = (...path: string[]) => join(root, "node_modules", ...path);
let dir = "", tarball = "";

/** Runs a program of Node.js, and returns what it printed. What it prints is the error of one that fails. */
function run(cwd: string, ...command: string[]): string {
  try {
    return execFileSync(process.execPath, command, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
  }
}

/** A directory with the package installed, as npm init and npm install leave it, and with files. */
function project(name: string, type: string, files: Record<string, string>): string {
  const at = join(dir, name), installed = join(at, "node_modules", "requisite-client");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  for (const [file, text] of Object.entries({ "package.json": JSON.stringify({ name, type }), ...files })) writeFileSync(join(at, file), text);
  return at;
}

before(() => {
  dir = mkdtempSync(join(tmpdir(), "requisite-client-"));
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", dir], { cwd: root, encoding: "utf8" });
  tarball = join(dir, packed.trim().split("\n").at(-1) as string);
});

after(() => rmSync(dir, { recursive: true, force: true }));

test("every way of importing the package finds its types", () => {
  run(dir, tool("@arethetypeswrong", "cli", "dist", "index.js"), tarball, "--no-emoji");
  run(dir, tool("publint", "src", "cli.js"), "run", tarball, "--strict");
});

const USE = `
const client = new Client({ baseUrl: "https://api.example.com", apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "t" });
if (typeof client.call !== "function" || !(new SecretLost("whk_1", "trc_1") instanceof Error)) throw new Error("it is another module");
console.log("used");
`;

test("a program may import the package, and require it", () => {
  const at = project("use", "module", {
    "imports.mjs": `import { Client, SecretLost } from "requisite-client";${USE}`,
    "requires.cjs": `const { Client, SecretLost } = require("requisite-client");${USE}`,
  });
  assert.equal(run(at, "imports.mjs"), "used\n");
  // As before Node.js 20.19, and in Jest: a module that is no CommonJS cannot be required.
  const old = process.allowedNodeEnvironmentFlags.has("--no-experimental-require-module") ? ["--no-experimental-require-module"] : [];
  assert.equal(run(at, ...old, "requires.cjs"), "used\n");
});

/** A form, whose fields may be left empty. */
const FORM = `
import { Client, MemoryProcessed, Receiver, type CallOptions, type ClientOptions, type Operations } from "requisite-client";

interface Form {
  website?: string; email: string | undefined; line1: string | undefined; persons: undefined | Array<{ first_name: string; last_name: string; email?: string | undefined }>;
  key: string | undefined; signal: AbortSignal | undefined; attempts: number | undefined; limit: number | undefined;
}

export async function save(form: Form, account_id: string, seen: ((error: unknown) => void) | undefined): Promise<string> {
  const client = new Client({
    baseUrl: "https://api.example.com", apiKey: "sb_k", secretKey: "c2VjcmV0", authToken: "t", retry: { attempts: form.attempts, total: undefined },
    timeout: undefined, apiVersion: undefined, fetch: undefined,
  });
  const business = { legal_name: "A", website: form.website, email: form.email, address: { line1: form.line1 } };
  const options = { idempotencyKey: form.key, signal: form.signal, traceparent: undefined, sandboxAnswer: undefined };
  const { data } = await client.call("business.create", { account_id, business, persons: form.persons, sales_info: undefined }, options);
  for await (const one of client.all("workflow.list", { account_id, page: { limit: form.limit, after: undefined }, filters: undefined })) console.log(one.state);
  await client.fillGaps(data.business_id, () => 1, { signal: form.signal });
  new Receiver({ secrets: () => undefined, processed: new MemoryProcessed(), handle: () => {}, onError: seen });
  return data.business_id;
}

/** The fields that may be left out, but cannot be undefined. */
type Strict<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? ({ [P in K]: undefined } extends Pick<T, K> ? never : K) : never }[keyof T];
type None<T extends never> = T;
export type Requests = None<{ [N in keyof Operations]: Strict<Operations[N]["request"]> }[keyof Operations]>;
export type Options = None<Strict<ClientOptions> | Strict<CallOptions>>;
`;

for (const type of ["module", "commonjs"]) {
  test(`a form compiles with the settings of tsc --init: ${type}`, () => {
    const at = project(`form-${type}`, type, { "form.ts": FORM });
    const compiler = tool("typescript", "bin", "tsc");
    run(at, compiler, "--init");
    assert.match(readFileSync(join(at, "tsconfig.json"), "utf8"), /"exactOptionalPropertyTypes": true/);
    // A file with import is no CommonJS for verbatimModuleSyntax, whatever it imports.
    run(at, compiler, "-p", ".", "--skipLibCheck", "false", ...(type === "commonjs" ? ["--verbatimModuleSyntax", "false"] : []));
  });
}
