"""Webhooks: verifying, decrypting, and processing each event once."""
from __future__ import annotations

import base64
import enum
import inspect
import json
import re
import time
from decimal import Decimal
from typing import Any, Awaitable, Callable, Dict, Generator, Mapping, Optional, Protocol, Tuple, TypeVar, Union, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from . import _credential as credential
from ._base import Portable
from ._types import Event

MAX_BODY = 1 << 20
_MAX_AGE_SECONDS = 5 * 60

# Clear fields stand in the body and, authenticated, in the token's header. The optional ones are in both or in neither.
_CLEAR = {
    "id": str, "event_type": str, "timestamp": str, "account_id": str, "schema_version": str, "key_id": str, "retry_count": int,
}
_OPTIONAL = {"sequence": int, "replay": bool}

#: Finds the shared secret of a key, in Base64 as webhook.key.create answered it, by account and key together: key ids
#: repeat across accounts. None for a key that is not stored.
Secrets = Callable[[str, str], Optional[str]]

#: Says whether an event was processed. Store its id in the transaction that processes it, in a unique column.
Seen = Callable[[str], bool]

#: A body as it arrived, before anything has parsed it.
Body = Union[bytes, str]


class WebhookRefused(Portable):
    """Why a request is not taken for a webhook. The status is never 410, which would disable the endpoint."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


def verify_and_decrypt(
    body: Body, headers: Mapping[str, str], secrets: Secrets, seen: Seen, now: Optional[float] = None,
) -> Optional[Event]:
    """Verifies and decrypts a webhook. The result is None for an event that was seen: answer 2xx.

    It raises a WebhookRefused for a request that does not come from the service or is more than five minutes old, and a
    TypeError for a body that was parsed. now is Unix seconds. A Receiver does the same, and processes the event.
    """
    event = _done(_open(_raw(body), headers, secrets, time.time() if now is None else now))
    return None if seen(event["id"]) else event


class _NotRaw(TypeError):
    """Somebody has parsed the body before: an error of the program, not of the sender."""


def _raw(body: Any) -> bytes:
    """The bytes of a body."""
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise _NotRaw(
        "the body is neither text nor bytes; pass the raw body, from before a framework parses it: request.get_data() of "
        "Flask, request.body of Django, await request.body() of FastAPI"
    )


#: The steps of a receiver: what a function of the program has returned, for a driver that may await it. A Steps is sent the result.
Result = TypeVar("Result")
Steps = Generator[Any, Any, Result]


def _done(steps: Steps[Result]) -> Result:
    """Drives steps whose functions return at once."""
    step: Callable[[Any], Any] = steps.send
    reply: Any = None
    while True:
        try:
            reply = step(reply)
        except StopIteration as end:
            return end.value
        step = steps.send
        if inspect.iscoroutine(reply):  # otherwise an event would count as processed that nobody has processed
            reply.close()
            step, reply = steps.throw, TypeError("a coroutine function needs an AsyncReceiver")


async def _awaited(steps: Steps[Result]) -> Result:
    """Drives steps whose functions may be coroutine functions."""
    step: Callable[[Any], Any] = steps.send
    reply: Any = None
    while True:
        try:
            reply = step(reply)
        except StopIteration as end:
            return end.value
        step = steps.send
        if inspect.isawaitable(reply):
            try:
                reply = await reply
            except BaseException as error:  # the steps release the event, also when the task is canceled
                step, reply = steps.throw, error


def _open(body: bytes, headers: Mapping[str, str], secrets: Callable[[str, str], Any], now: float) -> Steps[Event]:
    if not body:
        raise WebhookRefused(400, "the body is empty; if something has read the request before, pass on the raw body")
    named = {name.lower(): value for name, value in headers.items()}
    envelope = _object(body)
    if envelope is None or not all(isinstance(envelope.get(name), str) for name in ("account_id", "key_id", "data")):
        raise WebhookRefused(400, "the body is not a webhook")
    secret = yield secrets(envelope["account_id"], envelope["key_id"])
    if secret is None:
        raise WebhookRefused(401, "no secret is stored for this account_id and key_id")
    shared = credential.shared_secret(f"shared secret of {envelope['account_id']}/{envelope['key_id']}", secret)
    protected, content = _decrypt(envelope["data"], shared)

    # From here on the header is trusted, and the body as far as it says the same.
    trusted = {**protected, "key_id": protected.get("kid")}
    event: Dict[str, Any] = {}
    for field, kind in {**_CLEAR, **_OPTIONAL}.items():
        if field in _OPTIONAL and field not in trusted and field not in envelope:
            continue
        if type(trusted.get(field)) is not kind or type(envelope.get(field)) is not kind or envelope[field] != trusted[field]:
            raise WebhookRefused(401, f"{field} differs from the protected header")
        event[field] = trusted[field]
    iat = trusted.get("iat")
    if type(iat) is not int or named.get("webhook-id") != trusted["id"] or named.get("webhook-timestamp") != str(iat):
        raise WebhookRefused(401, "the request's headers differ from the protected header")
    if abs(now - iat) > _MAX_AGE_SECONDS:
        raise WebhookRefused(401, "iat is more than five minutes away from this machine's clock")
    event["data"] = content
    if content.get("test") is True:
        event["test"] = True  # and its records do not exist
    elif "workflow_id" in content:
        event["workflow_id"] = content["workflow_id"]
    return cast(Event, event)


def _object(text: bytes) -> Optional[Dict[str, Any]]:
    """Reads one JSON object; None for anything else."""
    try:
        value = json.loads(text.decode(), parse_float=Decimal)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _decrypt(token: str, secret: bytes) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Opens a compact JWE (RFC 7516) with dir and A256GCM, and nothing else, whatever it says of itself."""
    malformed = WebhookRefused(400, "data is not a compact JWE with dir and A256GCM")
    parts = token.split(".")
    if len(parts) != 5 or parts[1]:
        raise malformed
    decoded = [_base64url(part) for part in parts]
    header = _object(decoded[0]) if decoded[0] is not None else None
    nonce, ciphertext, tag = decoded[2], decoded[3], decoded[4]
    if header is None or nonce is None or ciphertext is None or tag is None or len(nonce) != 12 or len(tag) != 16:
        raise malformed
    if header.get("alg") != "dir" or header.get("enc") != "A256GCM" or "crit" in header or "zip" in header:
        raise malformed
    try:
        plaintext = AESGCM(secret).decrypt(nonce, ciphertext + tag, parts[0].encode())
    except InvalidTag:
        raise WebhookRefused(401, "data does not decrypt with the secret of this account_id and key_id") from None
    content = _object(plaintext)
    if content is None:
        raise WebhookRefused(400, "the content is not a JSON object")
    return header, content


def _base64url(text: str) -> Optional[bytes]:
    """Reads Base64url without padding, and nothing else."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        return None
    decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return decoded if base64.urlsafe_b64encode(decoded).rstrip(b"=").decode() == text else None


CLAIM_LASTS = 60
"""For how many seconds a claim in a database is to hold. An attempt ends after 30: whoever claimed an event a minute ago
and has not said done is gone."""


class Claim(enum.Enum):
    """What Processed says of an event."""

    CLAIMED = "CLAIMED"
    IN_PROCESS = "IN_PROCESS"
    DONE = "DONE"


class Processed(Protocol):
    """Remembers which events were processed, so that none is processed twice.

    Keep it in a database, for good if you can: a delivery that has failed can be sent again weeks later.

    A process may end between claim and done. Its claim must lapse, after CLAIM_LASTS seconds, or the event would be
    refused until its delivery has failed. What handle did by then is done again, unless handle marks the event as done
    itself, in the transaction of its work; done then finds that it is.
    """

    def claim(self, event_id: str) -> Claim:
        """Takes an event for processing, if nobody has, or if a claim has lapsed."""

    def done(self, event_id: str) -> None:
        """Remembers that a claimed event was processed."""

    def release(self, event_id: str) -> None:
        """Forgets a claimed event whose processing failed."""


class MemoryProcessed:
    """Lasts as long as the process: for tests and trials."""

    def __init__(self) -> None:
        self._events: Dict[str, object] = {}  # the claim, or Claim.DONE

    def claim(self, event_id: str) -> Claim:
        mine = object()
        found = self._events.setdefault(event_id, mine)  # one step, whatever other threads do
        return Claim.CLAIMED if found is mine else Claim.DONE if found is Claim.DONE else Claim.IN_PROCESS

    def done(self, event_id: str) -> None:
        self._events[event_id] = Claim.DONE

    def release(self, event_id: str) -> None:
        self._events.pop(event_id, None)


_NO_POST = 405, "webhooks are sent with POST"


def _told(text: str) -> Tuple[list[Tuple[str, str]], bytes]:
    """The headers and the body of an answer."""
    content = (text + "\n").encode() if text else b""
    return [("Content-Type", "text/plain"), ("Content-Length", str(len(content)))] if text else [], content


#: Is Secrets, or the same as a coroutine function.
AsyncSecrets = Callable[[str, str], Union[Optional[str], Awaitable[Optional[str]]]]


class AsyncProcessed(Protocol):
    """Is Processed with coroutine functions."""

    async def claim(self, event_id: str) -> Claim:
        """Takes an event for processing, if nobody has, or if a claim has lapsed."""

    async def done(self, event_id: str) -> None:
        """Remembers that a claimed event was processed."""

    async def release(self, event_id: str) -> None:
        """Forgets a claimed event whose processing failed."""


class _Receiving:
    """What receivers share: the steps from a body to an answer. It does no I/O."""

    def __init__(
        self, secrets: Callable[[str, str], Any], processed: Union[Processed, AsyncProcessed], handle: Callable[[Event], Any],
        on_error: Optional[Callable[[Exception], Any]] = None, *, tests: bool = False,
    ) -> None:
        self._secrets, self._processed, self._handle, self._on_error, self._tests = secrets, processed, handle, on_error, tests

    def _answer(self, body: Body, headers: Mapping[str, str]) -> Steps[Tuple[int, str]]:
        try:
            yield from self._process(_raw(body), headers)
            return 204, ""
        except WebhookRefused as refused:
            return refused.status, refused.reason
        except Exception as error:
            if self._on_error is not None:
                try:
                    yield self._on_error(error)
                except Exception:
                    pass  # nobody is left to tell; the sender is told below
            return 500, str(error) if isinstance(error, _NotRaw) else "not processed"

    def _process(self, body: bytes, headers: Mapping[str, str]) -> Steps[None]:
        if len(body) > MAX_BODY:
            raise WebhookRefused(413, "the body is larger than 1 MiB")
        event = yield from _open(body, headers, self._secrets, time.time())
        if event.get("test") and not self._tests:
            return
        claim = yield self._processed.claim(event["id"])
        if claim is Claim.DONE:
            return
        if claim is Claim.IN_PROCESS:
            raise WebhookRefused(409, "an earlier attempt is still being processed")
        try:
            yield self._handle(event)
        except BaseException:
            yield self._processed.release(event["id"])
            raise
        yield self._processed.done(event["id"])


class Receiver(_Receiving):
    """Takes webhooks. Put it behind TLS, at the path of your endpoint's URL.

    handle processes an event. After an exception the event comes again. An attempt ends after 30 seconds: if the work
    takes long, store the event and return. on_error is told of errors that are not the sender's. With tests, handle gets the events
    of webhook.config.test too, which have test; otherwise they are answered 2xx, and dropped.
    """

    def __init__(
        self, secrets: Secrets, processed: Processed, handle: Callable[[Event], None],
        on_error: Optional[Callable[[Exception], None]] = None, *, tests: bool = False,
    ) -> None:
        super().__init__(secrets, processed, handle, on_error, tests=tests)

    def receive(self, body: Body, headers: Mapping[str, str]) -> Tuple[int, str]:
        """The status and the text to answer to a POST, for any framework."""
        return _done(self._answer(body, headers))

    def __call__(self, environ: Dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        """Is a WSGI application."""
        status, text = self._wsgi(environ)
        phrase = {204: "No Content", 400: "Bad Request", 401: "Unauthorized", 405: "Method Not Allowed", 409: "Conflict",
                  411: "Length Required", 413: "Content Too Large", 500: "Internal Server Error"}.get(status, "Refused")
        headers, content = _told(text)
        start_response(f"{status} {phrase}", headers)
        return [content]

    def _wsgi(self, environ: Dict[str, Any]) -> Tuple[int, str]:
        if environ["REQUEST_METHOD"] != "POST":
            return _NO_POST
        length = environ.get("CONTENT_LENGTH") or ""
        if environ.get("wsgi.input_terminated"):  # the server knows where the body ends, also of one in chunks
            left = MAX_BODY + 1
        elif length.isascii() and length.isdigit():
            left = min(int(length), MAX_BODY + 1)
        else:
            return 411, "Content-Length is missing, and the server does not say wsgi.input_terminated"
        body = b""
        while len(body) < left and (part := environ["wsgi.input"].read(left - len(body))):
            body += part
        headers = {name[5:].replace("_", "-"): value for name, value in environ.items() if name.startswith("HTTP_")}
        return self.receive(body, headers)


class AsyncReceiver(_Receiving):
    """Is Receiver for asyncio: its functions may be coroutine functions. It is an ASGI application."""

    def __init__(
        self, secrets: AsyncSecrets, processed: Union[Processed, AsyncProcessed], handle: Callable[[Event], Union[None, Awaitable[None]]],
        on_error: Optional[Callable[[Exception], Union[None, Awaitable[None]]]] = None, *, tests: bool = False,
    ) -> None:
        super().__init__(secrets, processed, handle, on_error, tests=tests)

    async def receive(self, body: Body, headers: Mapping[str, str]) -> Tuple[int, str]:
        """The status and the text to answer to a POST, for any framework."""
        return await _awaited(self._answer(body, headers))

    async def __call__(
        self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Mapping[str, Any]]], send: Callable[[Dict[str, Any]], Awaitable[None]],
    ) -> None:
        """Is an ASGI application, without a lifespan: a server goes on without one."""
        if scope["type"] != "http":
            raise ValueError(f"an AsyncReceiver takes HTTP, not {scope['type']}")
        status, text = await self._asgi(scope, receive)
        headers, content = _told(text)
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers]
        await send({"type": "http.response.start", "status": status, "headers": encoded})
        await send({"type": "http.response.body", "body": content})

    async def _asgi(self, scope: Mapping[str, Any], receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> Tuple[int, str]:
        if scope["method"] != "POST":
            return _NO_POST
        body, more = b"", True
        while more and len(body) <= MAX_BODY:
            message = await receive()
            if message["type"] == "http.disconnect":
                return 400, "the body did not arrive whole"
            body += message.get("body", b"")
            more = message.get("more_body", False)
        return await self.receive(body, {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]})
