"""How a request is encoded, sent, repeated, and its answer read."""
from __future__ import annotations

import dataclasses
import email.utils
import http.client
import json
import math
import random
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal
from typing import Any, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

from . import _types as types
from ._sign import Signer

_MAX_ANSWER = 64 << 20

Data = TypeVar("Data")

#: The value of a field that is left out; None sends null, which clears a field.
UNSET: Any = type("Unset", (), {"__repr__": lambda self: "UNSET", "__bool__": lambda self: False})()


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


class RequisiteError(Exception):
    """The API refused a request."""

    def __init__(self, entry: Mapping[str, Any], http_status: int, trace_id: str, retry_after: Optional[float]) -> None:
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
        self.http_status = http_status
        #: Quote it in a report.
        self.trace_id = trace_id
        #: Seconds to wait, where the answer says so.
        self.retry_after = retry_after
        code = self.code + ("/" + self.sub_code if self.sub_code else "")
        super().__init__(f"{code}: {self.message}" + "".join("\n- " + line for line in self._lines()))

    def _lines(self) -> List[str]:
        """The details in words: each problem with its field, and each gap with what to do."""
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


class NoAnswerError(Exception):
    """There was no answer in the API's envelope: none at all, or one of a proxy between."""

    def __init__(self, operation: str, http_status: Optional[int] = None, retry_after: Optional[float] = None) -> None:
        self.operation, self.http_status, self.retry_after = operation, http_status, retry_after
        super().__init__(
            f"{operation} got no answer" if http_status is None
            else f"the answer to {operation} (HTTP {http_status}) is not in the envelope of the API; check the base URL, and proxies between"
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A signature is for one path: nothing is signed for another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


class BaseClient:
    """Sends requests; Client has a method for each operation."""

    def __init__(
        self, base_url: str, api_key: str, secret_key: str, auth_token: str, *,
        retry: Retry = Retry(), timeout: float = 60, api_version: Optional[str] = None,
        opener: Optional[urllib.request.OpenerDirector] = None,
    ) -> None:
        # urlsplit drops line breaks, and a request would fail because of them.
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("https", "http") or not parts.netloc or re.search("[\x00-\x20\x7f]", base_url):
            raise ValueError("the base URL must be the address of the API, such as https://requisite.example.com")
        self._base = base_url.rstrip("/")
        self._signer = Signer(api_key, secret_key, auth_token)
        self._retry, self._timeout, self._api_version = retry, timeout, api_version
        self._opener = opener or urllib.request.build_opener(_NoRedirect)

    def _writes(self, operation: str) -> bool:
        return True

    def call(self, operation: str, request: Mapping[str, Any], idempotency_key: Optional[str] = None) -> Answer[Any]:
        """Calls an operation by its name. A refusal is raised as a RequisiteError.

        Each repeat is signed anew; one that writes carries the same Idempotency-Key, so that it cannot take effect twice.
        Without a key of the caller's, each call gets a new one.
        """
        body = encode(request).encode()
        if idempotency_key is not None and not re.fullmatch("[!-~]([ -~]{0,253}[!-~])?", idempotency_key):
            # Without its key, a request that is repeated could take effect twice.
            raise ValueError("an idempotency key has 1 to 255 printable ASCII characters, without spaces around them")
        if idempotency_key is None and self._writes(operation):
            idempotency_key = secrets.token_hex(16)
        attempt, began = 1, time.monotonic()
        while True:
            try:
                return self._send(operation, body, idempotency_key)
            except (RequisiteError, NoAnswerError) as error:
                if attempt >= self._retry.attempts or not _repeatable(error):
                    raise
                bound = min(self._retry.wait * 2 ** (attempt - 1), self._retry.max_wait)
                wait = max(error.retry_after or 0, bound / 2 + random.random() * bound / 2)
                if wait > self._retry.max_wait or time.monotonic() - began + wait > self._retry.total:
                    raise
            attempt += 1
            time.sleep(wait)

    def pages(self, operation: str, items: str, request: Dict[str, Any], page_size: Optional[int] = None, after: Optional[str] = None) -> Iterator[Any]:
        """Goes through the elements of all pages of an operation, or of those after an earlier answer's next."""
        page: Dict[str, Any] = {} if page_size is None else {"limit": page_size}
        if after is not None:
            page["after"] = after
        while True:
            data = self.call(operation, {**request, "page": page}).data
            yield from data[items]
            # The next of a feed is never None.
            if data.get("next") is None or data.get("caught_up"):
                return
            page = {**page, "after": data["next"]}

    def _send(self, operation: str, body: bytes, idempotency_key: Optional[str]) -> Answer[Any]:
        url = f"{self._base}/{operation}"
        parts = urllib.parse.urlsplit(url)
        headers = self._signer.headers(
            "POST", parts.path, body, int(time.time()), secrets.token_hex(16), idempotency_key, self._api_version,
        )
        headers["content-type"] = "application/json"
        request = urllib.request.Request(url, body, headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                status, answered, text = response.status, response.headers, response.read(_MAX_ANSWER)
                if getattr(response, "length", None):  # it was cut off, and read does not say so
                    raise http.client.IncompleteRead(text, response.length)
        except urllib.error.HTTPError as error:
            with error:
                status, answered = error.code, error.headers
                try:
                    text = error.read(_MAX_ANSWER)
                except (OSError, http.client.HTTPException):
                    text = b""
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswerError(operation) from error
        retry_after = _seconds(answered.get("Retry-After"))
        try:
            envelope = json.loads(text, parse_float=Decimal)
        except (ValueError, RecursionError):
            envelope = None
        if isinstance(envelope, dict) and isinstance(envelope.get("meta"), dict):
            if envelope.get("errors"):
                raise RequisiteError(envelope["errors"][0], status, envelope["meta"].get("trace_id", ""), retry_after)
            if status == 200:
                return Answer(envelope.get("data"), envelope["meta"])
        raise NoAnswerError(operation, status, retry_after)


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
