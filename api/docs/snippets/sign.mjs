// Sign a request and send it: node sign.mjs OPERATION BODY
// Needs BASE_URL, API_KEY, SECRET_KEY and AUTH_TOKEN in the environment.
import { createHash, createHmac, randomBytes } from "node:crypto";

const { BASE_URL, API_KEY, SECRET_KEY, AUTH_TOKEN } = process.env;
const [operation, argument] = process.argv.slice(2);

const signature = (text) => createHmac("sha256", Buffer.from(SECRET_KEY, "base64")).update(text).digest("base64");

if (operation === "--signature") {
  console.log(signature(argument));
} else {
  const path = `/${operation}`;
  const elements = "API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256";
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString("hex");
  const hash = createHash("sha256").update(argument).digest("base64");
  const text = [elements, API_KEY, "POST", path, timestamp, nonce, hash].join("\n");
  const answer = await fetch(BASE_URL + path, {
    method: "POST",
    body: argument,
    headers: {
      "Content-Type": "application/json",
      Authorization: `Sig1-HMAC-SHA256 ${signature(text)}`,
      "X-API-Key": API_KEY,
      "X-API-Auth-Token": AUTH_TOKEN,
      "X-API-Signed-Elements": elements,
      "X-API-Timestamp": timestamp,
      "X-API-Nonce": nonce,
      "X-API-Content-SHA256": hash,
    },
  });
  console.log(await answer.text());
}
