"""How a request is encoded, signed, repeated, and its answer read."""
from __future__ import annotations

import copyreg
import dataclasses
import email.utils
import ipaddress
import json
import math
import pickle
import random
import re
import secrets
import ssl
import time
import urllib.parse
from decimal import Decimal
from typing import Any, Dict, Generator, Generic, List, Mapping, Optional, Tuple, TypeVar, Union

import httpx

from . import _types as types
from ._sign import Signer

Data = TypeVar("Data")

#: Sent as User-Agent.
USER_AGENT = "requisite-client-python/1.0.0"

class _Unset:
    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:  # copies are the same object
        return "UNSET"

    __repr__ = __reduce__


#: The value of a field that is left out; None sends null, which clears a field.
UNSET: Any = _Unset()


def fields(**named: Any) -> Dict[str, Any]:
    """The fields that were given."""
    return {name: value for name, value in named.items() if value is not UNSET}


def encode(value: Any) -> str:
    """JSON in which a Decimal is the number that it is. json.dumps would take floats alone."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is not a number of JSON")
        return format(value, "f")
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise TypeError(f"the name of a field must be text, not {name!r}")
        return "{" + ",".join(json.dumps(name) + ":" + encode(one) for name, one in value.items() if one is not UNSET) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(one) for one in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is not a number of JSON")
    return json.dumps(value)


@dataclasses.dataclass(frozen=True)
class Answer(Generic[Data]):
    """What an operation answered. Fields that this package does not know are there as well."""

    data: Data
    meta: types.Meta
    #: The recorded decision that the answer tells of, and its digest; None where nothing was decided. Store both with your
    #: application: they prove the decision later.
    decision_id: Optional[str] = None
    decision_digest: Optional[str] = None
    #: True where an earlier request with the same Idempotency-Key did the work, and this one did none.
    replayed: bool = False

    @property
    def trace_id(self) -> str:
        """The trace_id of meta: quote it in a report."""
        return self.meta.get("trace_id", "")


@dataclasses.dataclass(frozen=True)
class Retry:
    """How a request is repeated that got no answer, or one that says to try again: 409 REQUEST_IN_PROGRESS, 429, and 5xx.

    attempts is how often it is sent at most, the first time included. wait is the longest wait before the second attempt,
    in seconds, which doubles with each one; max_wait the longest of all. An answer whose Retry-After asks for more is
    raised instead. total is the longest time from the first attempt to the beginning of the last one. Retry(1) is none.
    """

    attempts: int = 5
    wait: float = 0.5
    max_wait: float = 30
    total: float = 300


class Portable(Exception):
    """An error that can be copied, and pickled for another process: its text and its attributes are its state."""

    def __reduce__(self) -> Tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class SetupError(Portable, RuntimeError):
    """The client cannot send with what it was given, or with what the environment names. The text says what to do."""


class RequisiteError(Portable):
    """The API refused a request."""

    def __init__(
        self, entry: Mapping[str, Any], http_status: int, trace_id: str, retry_after: Optional[float],
        decision_id: Optional[str] = None, decision_digest: Optional[str] = None, signed_path: Optional[str] = None, replayed: bool = False,
    ) -> None:
        #: What kind of refusal it is, such as BAD_REQUEST.
        self.code: str = entry["code"]
        #: Which rule of the system, where code is SYSTEM_RULE_VIOLATION.
        self.sub_code: Optional[str] = entry.get("sub_code")
        self.message: str = entry.get("message", "")
        #: The record that it is about, where there is one.
        self.entity_type: Optional[str] = entry.get("entity_type")
        self.entity_id: Optional[str] = entry.get("entity_id")
        #: Depends on code; see problems, gaps and limits.
        self.details: Any = entry.get("details")
        #: The run that goes on, of STILL_RUNNING.
        self.temporal_workflow_id: Optional[str] = entry.get("temporal_workflow_id")
        self.temporal_run_id: Optional[str] = entry.get("temporal_run_id")
        #: The clock of the service, of AUTH_TIMESTAMP_EXPIRED, and how many seconds it is ahead of the timestamp.
        self.server_time: Optional[str] = entry.get("server_time")
        self.difference_seconds: Optional[int] = entry.get("difference_seconds")
        #: The path that arrived, of AUTH_SIGNATURE_MISMATCH, and the one that was signed. A proxy between may have changed it.
        self.received_path: Optional[str] = entry.get("received_path")
        self.signed_path = signed_path
        self.http_status = http_status
        #: Quote it in a report.
        self.trace_id = trace_id
        #: Seconds to wait, where the answer says so.
        self.retry_after = retry_after
        #: True where an earlier request with the same Idempotency-Key was refused so, and this one did nothing.
        self.replayed = replayed
        #: The recorded decision that the refusal tells of, and its digest; None where nothing was decided.
        self.decision_id, self.decision_digest = decision_id, decision_digest
        code = self.code + ("/" + self.sub_code if self.sub_code else "")
        super().__init__(f"{code}: {self.message}" + "".join("\n- " + line for line in self._lines()))

    def _lines(self) -> List[str]:
        """The details in words: each problem with its field, each gap with what to do, and both paths of a signature that does not match."""
        if self.received_path is not None:
            return [f"The client signed the path {self.signed_path}, and {self.received_path} arrived."]
        if self.code == "BAD_REQUEST" or self.code == "MISSING_REQUIREMENTS":
            listed = self.details if isinstance(self.details, list) else []
            found = [one for one in listed if isinstance(one, Mapping) and isinstance(one.get("message"), str)]
            return [": ".join(part for part in (one.get("field"), one["message"]) if part) for one in found]
        return [] if self.details is None else [encode(self.details)]

    @property
    def problems(self) -> List[Dict[str, str]]:
        """Of BAD_REQUEST: every problem of the request, each with field and message."""
        return self.details if self.code == "BAD_REQUEST" and isinstance(self.details, list) else []

    @property
    def gaps(self) -> List[types.Gap]:
        """Of MISSING_REQUIREMENTS: what is not on file, and how to supply it."""
        return self.details if self.code == "MISSING_REQUIREMENTS" and isinstance(self.details, list) else []

    @property
    def limits(self) -> List[types.LimitMet]:
        """Of TOO_MANY_REQUESTS: the limit that the request has met."""
        return self.details if self.code == "TOO_MANY_REQUESTS" and isinstance(self.details, list) else []


class SecretLost(Portable):
    """webhook.key.create answered without the shared secret: an earlier answer carried it, or the sandbox was asked for such an answer.

    Nobody can decrypt with this key: do not activate it.
    """

    def __init__(self, key_id: str, trace_id: str) -> None:
        self.key_id, self.trace_id = key_id, trace_id
        super().__init__(
            f"the shared secret of webhook key {key_id} is lost, because it is shown only once: create another key; this one stays INACTIVE"
        )


class NoAnswerError(Portable):
    """There was no answer in the API's envelope: none at all, or one of a proxy between."""

    def __init__(
        self, operation: str, http_status: Optional[int] = None, retry_after: Optional[float] = None, cause: Optional[Exception] = None,
    ) -> None:
        self.operation, self.http_status, self.retry_after = operation, http_status, retry_after
        if isinstance(cause, httpx.RequestError):
            cause.request = None  # type: ignore[assignment]  # it has the token of the credential, and personal data
        #: Why there was none, such as an httpx.ConnectError or an httpx.TimeoutException.
        self.cause = cause
        told = f": {type(cause).__name__}: {cause}{_advice(cause)}" if cause else ""
        super().__init__(
            f"{operation} got no answer{told}" if http_status is None
            else f"the answer to {operation} (HTTP {http_status}) is not in the envelope of the API; check the base URL, and proxies between"
        )

    def __reduce__(self) -> Tuple[Any, ...]:
        made, arguments, state = super().__reduce__()
        try:
            pickle.loads(pickle.dumps(self.cause))
        except Exception:  # an error of httpx or of a transport; the text tells it
            state = {**state, "cause": None}
        return made, arguments, state


def _advice(cause: Optional[BaseException]) -> str:
    """What to do about a certificate whose authority this Python does not know."""
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError) and cause.verify_code in (18, 19, 20, 21):  # self-signed, or without its issuer
            return "; name a file with its authority in SSL_CERT_FILE, or give a client of httpx with verify= as http"
        cause = cause.__cause__ or cause.__context__
    return ""


class Question(types.MissingField):
    """What fill_gaps asks for: the value of a missing field, or how many persons the business has."""

    #: The gap that the field is of: which record it is about.
    gap: types.Gap
    #: Which person of a business whose persons are put on record: 0 for the first. It is 0 for every other record.
    person: int


#: What a call does next: send a request, wait so many seconds, or ask a question. A Steps is sent what came of it, and returns
#: what the caller gets. A client drives it, with or without asyncio.
Step = Union[httpx.Request, float, Question]
Result = TypeVar("Result")
Steps = Generator[Step, Any, Result]

#: What came of a request: status, headers and body, or why there are none.
Reply = Union[Tuple[int, Mapping[str, str], bytes], Exception]


class TimeLeft(Dict[str, Optional[float]]):
    """The timeouts of a request, as httpx reads them before it connects, sends and receives: what is left of the attempt's time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(httpx.Timeout(seconds).as_dict())
        self._until = time.monotonic() + seconds

    def get(self, *_: Any) -> float:
        return max(self._until - time.monotonic(), 0.001)

    def check(self) -> None:
        if time.monotonic() > self._until:
            raise httpx.ReadTimeout("the answer did not arrive in time")


def _is_address(base_url: str) -> bool:
    # urlsplit drops line breaks, and a request would fail because of them.
    if re.search("[\x00-\x20\x7f]", base_url):
        return False
    try:
        parts = urllib.parse.urlsplit(base_url)
        httpx.URL(base_url).raw_host.decode().encode("idna")  # as a connection does
        return parts.scheme in ("https", "http") and parts.netloc != "" and (parts.port is None or parts.port > 0)
    except (ValueError, httpx.InvalidURL):
        return False


#: The most seconds that a call corrects its clock by: a day.
_MAX_CORRECTION = 86_400


def _is_private(base_url: str) -> bool:
    """Whether nobody between can answer in the place of the service: over TLS, or to a loopback address."""
    parts = urllib.parse.urlsplit(base_url)
    try:
        return parts.scheme == "https" or parts.hostname == "localhost" or ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:  # a name
        return False


def _check_header(name: str, value: Optional[str]) -> None:
    """Such a request would fail each time, as if the network did; without its key, one that is repeated could take effect twice."""
    if value is not None and not re.fullmatch("[!-~]([ -~]{0,253}[!-~])?", value):
        raise ValueError(f"{name} has 1 to 255 printable ASCII characters, without spaces around them")


class Base:
    """What clients share: how a request is made, repeated, and its answer read. It does no I/O."""

    def __init__(
        self, base_url: str, api_key: str, secret_key: str, auth_token: str, retry: Retry, timeout: float, api_version: Optional[str],
    ) -> None:
        if not _is_address(base_url):
            raise ValueError("the base URL must be the address of the API, such as https://requisite.example.com")
        _check_header("an API version", api_version)
        self._base = base_url.rstrip("/")
        self._signer = Signer(api_key, secret_key, auth_token)
        self._retry, self._timeout, self._api_version = retry, timeout, api_version

    def _call(
        self, operation: str, request: Mapping[str, Any], idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None,
    ) -> Steps[Answer[Any]]:
        """The steps of a call.

        Each repeat is signed anew; one that writes carries the same Idempotency-Key, so that it cannot take effect twice.
        Without a key of the caller's, each call gets a new one. A call whose timestamp is refused is repeated once with the clock of
        the service, over TLS or to a loopback address, if they differ by at most a day.
        """
        body = encode(request).encode()
        _check_header("an idempotency key", idempotency_key)
        _check_header("an answer of the sandbox", sandbox_answer)
        # An operation that this package does not know may write.
        if idempotency_key is None and (operation in types.WRITES or operation not in types.OPERATIONS):
            idempotency_key = secrets.token_hex(16)
        attempt, began = 1, time.monotonic()
        correction = 0  # seconds that the clock is behind, for this call
        while True:
            sent = self._signed(operation, body, idempotency_key, correction)
            if sandbox_answer is not None:
                sent.headers["x-sandbox-answer"] = sandbox_answer
            reply = yield sent
            try:
                return _read(operation, reply, sent.url.raw_path.decode())
            except (RequisiteError, NoAnswerError) as error:
                if not correction:
                    correction = self._correction(error)
                    if correction:
                        continue
                if attempt >= self._retry.attempts or not _repeatable(error):
                    raise
                bound = min(self._retry.wait * 2 ** (attempt - 1), self._retry.max_wait)
                wait = max(error.retry_after or 0, bound / 2 + random.random() * bound / 2)
                if wait > self._retry.max_wait or time.monotonic() - began + wait > self._retry.total:
                    raise
            attempt += 1
            yield float(wait)

    def _correction(self, error: Exception) -> int:
        """The seconds by which a refused timestamp differs from the clock of the service.

        0 if they must not be trusted: with signatures of tomorrow, who answers in its place could act tomorrow.
        """
        seconds = getattr(error, "difference_seconds", None)
        if getattr(error, "code", None) != "AUTH_TIMESTAMP_EXPIRED" or type(seconds) is not int or not _is_private(self._base):
            return 0
        return seconds if abs(seconds) <= _MAX_CORRECTION else 0

    def _signed(self, operation: str, body: bytes, idempotency_key: Optional[str], correction: int) -> httpx.Request:
        request = httpx.Request(
            "POST", f"{self._base}/{operation}", content=body, headers={"content-type": "application/json", "user-agent": USER_AGENT},
            extensions={"timeout": TimeLeft(self._timeout)},
        )
        request.headers.update(self._signer.headers(
            "POST", request.url.raw_path.decode(), body, int(time.time()) + correction, secrets.token_hex(16), idempotency_key, self._api_version,
        ))
        return request


class Pages:
    """Goes from page to page of an operation: request is that of the next page, None after the last one."""

    def __init__(self, items: str, request: Mapping[str, Any], page_size: Optional[int], after: Optional[str]) -> None:
        self._items = items
        page = fields(limit=UNSET if page_size is None else page_size, after=UNSET if after is None else after)
        self.request: Optional[Dict[str, Any]] = {**request, "page": page}

    def read(self, data: Mapping[str, Any]) -> List[Any]:
        """The elements of a page."""
        # The next of a feed is never None.
        if self.request is not None and data.get("next") is not None and not data.get("caught_up"):
            self.request = {**self.request, "page": {**self.request["page"], "after": data["next"]}}
        else:
            self.request = None
        return data[self._items]


def _read(operation: str, reply: Reply, signed_path: str) -> Answer[Any]:
    if isinstance(reply, Exception):
        raise NoAnswerError(operation, cause=reply) from reply
    status, headers, text = reply
    retry_after = _seconds(headers.get("Retry-After"))
    cause: Optional[Exception] = None
    try:
        envelope = json.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        envelope, cause = None, error
    if isinstance(envelope, dict) and isinstance(envelope.get("meta"), dict):
        decided = headers.get("Requisite-Decision-Id"), headers.get("Requisite-Decision-Digest")
        replayed = headers.get("Idempotent-Replayed") == "true"
        if envelope.get("errors"):
            raise RequisiteError(envelope["errors"][0], status, envelope["meta"].get("trace_id", ""), retry_after, *decided, signed_path, replayed)
        if status == 200:
            answer: Answer[Any] = Answer(envelope.get("data"), envelope["meta"], *decided, replayed)
            if operation == "webhook.key.create" and not answer.data.get("shared_secret"):
                raise SecretLost(answer.data["key_id"], answer.trace_id)
            return answer
    raise NoAnswerError(operation, status, retry_after, cause) from cause


def _repeatable(error: Exception) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, RequisiteError):
        return error.code in ("REQUEST_IN_PROGRESS", "TOO_MANY_REQUESTS") or error.http_status >= 500
    status = error.http_status if isinstance(error, NoAnswerError) else None
    return status is None or status == 429 or status >= 500


def _seconds(value: Optional[str]) -> Optional[float]:
    """Retry-After, in seconds or as a date."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
