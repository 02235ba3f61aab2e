// Forms that sign a request in the browser and send it to this service. The credential stays in the memory of this page:
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
  const apiKey = field("API key of the sandbox (sb_…)", "text");
  const secretKey = field("Secret key", "password");
  const authToken = field("Auth token", "password");
  const credential = make("section", { className: "credential", id: "try-it" });
  credential.append(
    make("h2", { textContent: "Try it" }),
    make("p", { textContent: "With a credential of the sandbox, each operation below can be called from here. The secret key signs in this browser, and is forgotten when you leave this page." }),
    apiKey.label, secretKey.label, authToken.label,
  );
  document.querySelector(".operation").before(credential);

  const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
  const utf8 = (text) => new TextEncoder().encode(text);
  async function signed(operation, body, idempotencyKey) {
    const raw = Uint8Array.from(atob(secretKey.input.value.trim()), (c) => c.charCodeAt(0));
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const random = crypto.getRandomValues(new Uint8Array(16));
    const headers = {
      "X-API-Key": apiKey.input.value.trim(),
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
    headers["X-API-Auth-Token"] = authToken.input.value.trim();
    headers["Content-Type"] = "application/json";
    return headers;
  }

  for (const container of document.querySelectorAll(".try")) {
    const { operation, writes, body } = container.dataset;
    const text = make("textarea", { value: body, spellcheck: false });
    const repeat = field("Idempotency-Key (optional)", "text");
    const send = make("button", { type: "button", textContent: "Send " + operation });
    const answer = make("pre", { hidden: true, tabIndex: 0 });
    answer.setAttribute("role", "status");
    answer.setAttribute("aria-label", "Answer of " + operation);
    const tell = (words) => {
      answer.hidden = false;
      answer.textContent = words;
    };
    send.addEventListener("click", async () => {
      if (!apiKey.input.value.trim().startsWith("sb_")) {
        tell("Enter a credential of the sandbox at the top of the page first: its API key begins with sb_.");
        apiKey.input.focus();
        return;
      }
      send.disabled = true;
      tell("Sending …");
      try {
        const headers = await signed(operation, text.value, writes === "true" ? repeat.input.value : "");
        const response = await fetch("/" + operation, { method: "POST", body: text.value, headers, credentials: "omit" });
        const words = await response.text();
        let shown = words;
        try {
          shown = JSON.stringify(JSON.parse(words), null, 2);
        } catch {}
        tell(`HTTP ${response.status}\n${shown}`);
      } catch (failed) {
        tell(failed.name === "InvalidCharacterError" ? "The secret key is not Base64." : "Not sent: " + failed.message);
      } finally {
        send.disabled = false;
      }
    });
    const form = make("details", {}, make("summary", { textContent: "Try " + operation }), make("label", {}, "Body", text));
    if (writes === "true") form.append(repeat.label);
    form.append(send, answer);
    container.append(form);
  }
})();
