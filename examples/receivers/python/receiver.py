"""A webhook receiver: pip install -r requirements.txt && python3 receiver.py

REQUISITE_WEBHOOK_KEYS names a JSON file {"ACCOUNT_ID/KEY_ID": "SHARED_SECRET"}; PORT is 8080 unless set.

The order of the checks is what makes this safe. The clear fields of a body only choose the secret; nothing else is
done with them until the decryption has shown who wrote them. An id is remembered only after the event has been
processed, and success is answered only after that, so that an event which could not be processed comes again.
"""
import base64
import json
import os
import re
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAX_BODY = 1 << 20
MAX_AGE_SECONDS = 5 * 60
CLEAR_FIELDS = {
    "id": str, "event_type": str, "timestamp": str, "account_id": str, "schema_version": str, "key_id": str, "retry_count": int,
}
OPTIONAL_FIELDS = {"sequence": int, "replay": bool}  # in the body and the protected header, or in neither


class Refusal(Exception):
    """What the sender is told. The status is never 410, which would disable the endpoint: after any other refusal the
    event is sent again later."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status, self.reason = status, reason


def open_webhook(body, headers, now, secret):
    """Returns the event of a request once all of it is known to come from the service. `headers` finds a header by its
    name in lower case, `now` is Unix seconds, and `secret` finds the key of an account_id and a key_id."""
    try:
        envelope = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(400, "the body is not JSON") from None
    if not isinstance(envelope, dict) or not isinstance(envelope.get("data"), str):
        raise Refusal(400, "the body is not a webhook")
    for field, kind in CLEAR_FIELDS.items():
        if type(envelope.get(field)) is not kind:
            raise Refusal(400, f"{field} is missing or of a wrong type")
    key = secret(envelope["account_id"], envelope["key_id"])  # key ids repeat across accounts

    protected, payload = decrypt(envelope["data"], key)

    # From here on the header is trusted, and the body as far as it says the same.
    trusted = {**protected, "key_id": protected.get("kid")}
    for field, kind in CLEAR_FIELDS.items():
        if type(trusted.get(field)) is not kind or envelope[field] != trusted[field]:
            raise Refusal(401, f"{field} differs from the protected header")
    for field, kind in OPTIONAL_FIELDS.items():
        if (field in envelope or field in trusted) and (type(envelope.get(field)) is not kind or type(trusted.get(field)) is not kind or envelope[field] != trusted[field]):
            raise Refusal(401, f"{field} differs from the protected header")
    if headers.get("webhook-id") != trusted["id"] or headers.get("webhook-timestamp") != str(trusted.get("iat")):
        raise Refusal(401, "the request's headers differ from the protected header")
    if type(trusted.get("iat")) is not int or abs(now - trusted["iat"]) > MAX_AGE_SECONDS:
        raise Refusal(401, "iat is more than five minutes away from this machine's clock")
    test = {"test": True} if payload.get("test") is True else {}
    return {**{field: trusted[field] for field in (*CLEAR_FIELDS, *OPTIONAL_FIELDS) if field in trusted}, **test, "data": payload}


def decrypt(token, key):
    """Returns the header and the content of a compact JWE (RFC 7516) with dir and A256GCM, and of nothing else, whatever
    the token says of itself."""
    malformed = Refusal(400, "data is not a compact JWE with dir and A256GCM")
    try:
        header, no_key, nonce, ciphertext, tag = map(base64url, token.split("."))
        protected = json.loads(header)
    except (ValueError, RecursionError):
        raise malformed from None
    if no_key or len(nonce) != 12 or len(tag) != 16 or not isinstance(protected, dict):
        raise malformed
    if protected.get("alg") != "dir" or protected.get("enc") != "A256GCM" or "zip" in protected or "crit" in protected:
        raise malformed
    try:
        # The header is authenticated as it was sent, with the ciphertext.
        return protected, json.loads(AESGCM(key).decrypt(nonce, ciphertext + tag, token.split(".")[0].encode()))
    except (InvalidTag, ValueError):
        raise Refusal(401, "data does not decrypt with the secret of this account_id and key_id") from None


def base64url(text):
    """Reads Base64url without padding, and nothing else."""
    if not re.fullmatch("[A-Za-z0-9_-]*", text):
        raise ValueError
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def process(event):
    """Where your work goes. When it raises, the event is not remembered, and comes again. Events of a workflow may come
    in any order: what one tells of a record replaces what you have only if its sequence is higher than that of the event
    you have it from. Nothing has happened if "test" is true: webhook.config.test sent it."""
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


secrets = {}


def stored_secret(account_id, key_id):
    """Reads the file again when it does not know a key: a new one may have been stored since."""
    global secrets
    name = f"{account_id}/{key_id}"
    if name not in secrets:
        with open(os.environ["REQUISITE_WEBHOOK_KEYS"], encoding="utf-8") as file:
            secrets = json.load(file)
    if name not in secrets:
        raise Refusal(401, "no secret is stored for this account_id and key_id")
    return base64.b64decode(secrets[name])


# Holds an id from the start of its processing; True says that it has ended. A real receiver keeps the ids in its
# database, where they survive a restart: a unique column, written in the transaction of the processing.
done = {}
done_lock = threading.Lock()


def process_once(event):
    """Processes an event that is new, and returns the status to answer."""
    with done_lock:
        if done.get(event["id"]):
            return 200
        if event["id"] in done:
            raise Refusal(409, "an earlier attempt is still being processed")
        done[event["id"]] = False
    try:
        process(event)
    except BaseException:
        with done_lock:
            del done[event["id"]]
        raise
    with done_lock:
        done[event["id"]] = True
    return 204


class Handler(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self):
        try:
            self.answer(process_once(open_webhook(self.body(), self.headers, time.time(), stored_secret)))
        except Refusal as refusal:
            self.answer(refusal.status, refusal.reason)
        except Exception:
            traceback.print_exc()
            self.answer(500, "not processed")

    def body(self):
        if self.path != "/webhooks":
            raise Refusal(404, "webhooks go to /webhooks")
        length = self.headers.get("content-length", "")
        if not length.isascii() or not length.isdigit():
            raise Refusal(411, "Content-Length is missing")
        body = self.rfile.read(min(int(length), MAX_BODY + 1))
        if len(body) > MAX_BODY:
            raise Refusal(413, "the body is larger than 1 MiB")
        return body

    def answer(self, status, reason=""):
        self.send_response(status)
        if reason:
            self.send_header("content-type", "text/plain")
        self.end_headers()
        self.wfile.write((reason + "\n").encode() if reason else b"")

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
