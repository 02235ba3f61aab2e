# Sign a request and send it. As a program: python3 sign.py OPERATION BODY [IDEMPOTENCY_KEY]
# Save it as sign.py.
# Needs BASE_URL, API_KEY, SECRET_KEY and AUTH_TOKEN in the environment.
import base64, hashlib, hmac, json, os, secrets, sys, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

def signature(text):
    key = base64.b64decode(os.environ["SECRET_KEY"])
    return base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()

def send(operation, body, idempotency_key=None):
    path, body = "/" + operation, body.encode()
    elements = "API-Key;HTTP-Verb;URL-Path;Timestamp;Nonce;Content-SHA256"
    more = {}
    timestamp, nonce = str(int(time.time())), secrets.token_hex(16)
    content_hash = base64.b64encode(hashlib.sha256(body).digest()).decode()
    if idempotency_key:
        elements += ";Idempotency-Key"
        more["Idempotency-Key"] = idempotency_key
    text = "\n".join([elements, os.environ["API_KEY"], "POST", path, timestamp, nonce, content_hash, *more.values()])
    request = Request(os.environ["BASE_URL"] + path, body, {
        "Content-Type": "application/json",
        "Authorization": "Sig1-HMAC-SHA256 " + signature(text),
        "X-API-Key": os.environ["API_KEY"],
        "X-API-Auth-Token": os.environ["AUTH_TOKEN"],
        "X-API-Signed-Elements": elements,
        "X-API-Timestamp": timestamp,
        "X-API-Nonce": nonce,
        "X-API-Content-SHA256": content_hash,
        **more,
    })
    try:
        return urlopen(request).read().decode()
    except HTTPError as refused:
        return refused.read().decode()

# call sends a body as JSON and reads the answer: meta, and data or errors.
def call(operation, body, idempotency_key=None):
    return json.loads(send(operation, json.dumps(body), idempotency_key))

if __name__ == "__main__":
    print(signature(sys.argv[2]) if sys.argv[1] == "--signature" else send(*sys.argv[1:4]))
