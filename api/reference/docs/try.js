// The form that signs a request in the browser and sends it to this service. The credential stays in the memory of this page:
// it is neither stored nor sent, but for the API key and the auth token, which are headers of the request.
"use strict";
(() => {
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const field = (label, type) => {
    const input = make("input", { type, autocomplete: "off", spellcheck: false });
    return { input, label: make("label", {}, label, input) };
  };
  const form = document.getElementById("try-it");
  const parts = JSON.parse(form.dataset.parts);
  const operations = new Map(parts.flatMap((part) => part.operations).map((operation) => [operation.name, operation]));
  const apiKey = field("API key of the sandbox (sb_…)", "text");
  const secretKey = field("Secret key", "password");
  const authToken = field("Auth token", "password");
  const choice = make("select", {}, ...parts.map(({ part, operations }) =>
    make("optgroup", { label: part }, ...operations.map(({ name }) => make("option", { value: name, textContent: name })))));
  const body = make("textarea", { spellcheck: false });
  const repeat = field("Idempotency-Key (optional)", "text");
  const send = make("button", { type: "button", textContent: "Send" });
  const page = make("a");
  const answer = make("pre", { hidden: true, tabIndex: 0 });
  answer.setAttribute("role", "status");
  answer.setAttribute("aria-label", "Answer");
  const tell = (words) => {
    answer.hidden = false;
    answer.textContent = words;
  };
  form.className = "try";
  form.append(
    apiKey.label, secretKey.label, authToken.label,
    make("label", {}, "Operation", choice), make("p", {}, page), make("label", {}, "Body", body), repeat.label, send, answer,
  );

  const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
  const utf8 = (text) => new TextEncoder().encode(text);
  const given = ({ input }) => input.value.trim();
  async function signed(operation, body, idempotencyKey) {
    const raw = Uint8Array.from(atob(given(secretKey)), (c) => c.charCodeAt(0));
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const random = crypto.getRandomValues(new Uint8Array(16));
    const headers = {
      "X-API-Key": given(apiKey),
      "X-API-Timestamp": String(Math.floor(Date.now() / 1000)),
      "X-API-Nonce": [...random].map((b) => b.toString(16).padStart(2, "0")).join(""),
      "X-API-Content-SHA256": base64(await crypto.subtle.digest("SHA-256", utf8(body))),
    };
    const elements = ["API-Key", "HTTP-Verb", "URL-Path", "Timestamp", "Nonce", "Content-SHA256"];
    const values = [headers["X-API-Key"], "POST", "/" + operation, headers["X-API-Timestamp"], headers["X-API-Nonce"], headers["X-API-Content-SHA256"]];
    if (idempotencyKey) {
      elements.push("Idempotency-Key");
      values.push(idempotencyKey);
      headers["Idempotency-Key"] = idempotencyKey;
    }
    headers["X-API-Signed-Elements"] = elements.join(";");
    const text = [headers["X-API-Signed-Elements"], ...values].join("\n");
    headers.Authorization = "Sig1-HMAC-SHA256 " + base64(await crypto.subtle.sign("HMAC", key, utf8(text)));
    headers["X-API-Auth-Token"] = given(authToken);
    headers["Content-Type"] = "application/json";
    return headers;
  }
  async function call(operation, body, idempotencyKey) {
    const headers = await signed(operation, body, idempotencyKey);
    const response = await fetch("/" + operation, { method: "POST", body, headers, credentials: "omit" });
    return { status: response.status, words: await response.text() };
  }
  const parsed = (words) => {
    try {
      return JSON.parse(words);
    } catch {
      return undefined;
    }
  };

  // The reader's own ids, by the field that has them: those of what was sent and answered last. They replace those of the examples.
  const own = new Map();
  const visit = (value, change) => {
    for (const [name, inner] of Object.entries(value ?? {})) {
      if (typeof inner === "string" && name.endsWith("_id")) change(value, name, inner);
      else if (typeof inner === "object") visit(inner, change);
    }
  };
  const learn = (data) => {
    visit(data, (_, name, id) => own.set(name, id));
    for (const [name, ids] of Object.entries(data)) {
      if (name.endsWith("_ids") && ids.length > 0) own.set(name.slice(0, -1), ids[0]); // person_ids
    }
  };
  const fill = () => {
    const value = parsed(body.value);
    if (!value) return;
    visit(value, (object, name) => own.has(name) && (object[name] = own.get(name)));
    body.value = JSON.stringify(value, null, 2);
  };
  const show = () => {
    const { name, writes, body: example } = operations.get(choice.value);
    body.value = example;
    fill();
    repeat.label.hidden = !writes;
    repeat.input.value = "";
    answer.hidden = true;
    page.href = "/docs/operations/" + name;
    page.textContent = "What " + name + " does";
  };
  choice.addEventListener("change", show);
  const wanted = new URLSearchParams(location.search).get("operation");
  if (operations.has(wanted)) choice.value = wanted;
  show();

  // The oldest account of a credential is asked for once, when the credential is complete.
  let asked;
  const account = async () => {
    const credential = [apiKey, secretKey, authToken].map(given);
    if (!credential[0].startsWith("sb_") || !credential.every(Boolean) || asked === credential.join("\n")) return;
    asked = credential.join("\n");
    const { words } = await call("account.list", "{}").catch(() => ({}));
    const id = parsed(words)?.data?.accounts?.at(-1)?.account_id;
    own.clear();
    if (id) own.set("account_id", id);
    fill();
  };
  for (const { input } of [apiKey, secretKey, authToken]) input.addEventListener("change", account);

  send.addEventListener("click", async () => {
    if (!given(apiKey).startsWith("sb_")) {
      tell("Enter a credential of the sandbox first: its API key begins with sb_.");
      apiKey.input.focus();
      return;
    }
    send.disabled = true;
    tell("Sending …");
    try {
      const { status, words } = await call(choice.value, body.value, operations.get(choice.value).writes ? repeat.input.value : "");
      const value = parsed(words);
      if (status === 200) [parsed(body.value), value?.data].forEach((known) => learn(known ?? {}));
      tell(`HTTP ${status}\n${value === undefined ? words : JSON.stringify(value, null, 2)}`);
    } catch (failed) {
      tell(failed.name === "InvalidCharacterError" ? "The secret key is not Base64." : "Not sent: " + failed.message);
    } finally {
      send.disabled = false;
    }
  });
})();
