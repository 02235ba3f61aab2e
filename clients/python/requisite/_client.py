"""How requests are sent, with and without asyncio. What a call is, _base says."""
from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import ssl
import time
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Iterator, Mapping, Optional, Self, Tuple, Type, TypeVar, Union

import httpx

from . import _types as types
from ._base import UNSET, Answer, Base, Pages, Question, Reply, Result, Retry, SetupError, Steps, fields
from ._gaps import fill_gaps

#: Answers a question of fill_gaps, from a form or a person. For the field persons, which fill_gaps asks before it puts persons
#: on record, answer how many there are; 0 attests that there is nobody. What it raises ends fill_gaps before it has written
#: anything.
Ask = Callable[[Question], Any]
AsyncAsk = Callable[[Question], Union[Any, Awaitable[Any]]]


def _no_question(question: Question) -> Any:
    raise AssertionError(f"a call asks for {question['field']}")  # only fill_gaps asks


Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)


def _connected(kind: Type[Http]) -> Http:
    """Connections are kept, as many as calls were made at once. Certificates are those that the system trusts."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100, keepalive_expiry=60)
    trusted = ssl.create_default_context()
    try:
        return kind(limits=limits, verify=trusted)
    except (ImportError, ValueError, httpx.InvalidURL):  # their texts may have the password of the proxy
        raise SetupError(
            "httpx cannot use the proxy that the environment names in HTTP_PROXY, HTTPS_PROXY or ALL_PROXY: for a SOCKS proxy install"
            f" httpx[socks]; or name another, or give an httpx.{kind.__name__} of your own as http"
        ) from None


def _is_given(http: Optional[Http], kind: Type[Http]) -> bool:
    if http is not None and not isinstance(http, kind):
        raise TypeError(f"http must be an httpx.{kind.__name__}, not {type(http).__name__}")
    return http is not None


def _state(client: Union[SyncBase, AsyncBase]) -> Dict[str, Any]:
    """What of a client is copied, and pickled: the credential too, but no connections."""
    if client._given:
        raise SetupError(f"connections of your own are not copied: make a {type(client).__name__} in each process, with an http of its own")
    return {**vars(client), "_client": None, "_home": None}


def _as_it_is(request: httpx.Request) -> httpx.Request:
    """Keeps httpx from putting a user name of the URL in the place of the signature."""
    return request


class SyncBase(Base):
    """Sends requests and waits. Client has a method for each operation."""

    def __init__(
        self, base_url: str, api_key: str, secret_key: str, auth_token: str, *,
        retry: Retry = Retry(), timeout: float = 60, api_version: Optional[str] = None, http: Optional[httpx.Client] = None,
    ) -> None:
        super().__init__(base_url, api_key, secret_key, auth_token, retry, timeout, api_version)
        self._given = _is_given(http, httpx.Client)
        self._client, self._home = http or _connected(httpx.Client), os.getpid()

    def __getstate__(self) -> Dict[str, Any]:
        return _state(self)

    def close(self) -> None:
        """Closes the connections. An httpx.Client that was given stays open."""
        if not self._given and self._client is not None:
            self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def call(
        self, operation: str, request: Mapping[str, Any], idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None,
        sandbox_today: Optional[str] = None,
    ) -> Answer[Any]:
        """Calls an operation by its name. A refusal is raised as a RequisiteError, a key without its secret as a SecretLost.

        sandbox_answer asks for an answer that is hard to meet by chance, such as RATE_LIMITED. Only credentials of the sandbox may.
        It is sent with each retry. sandbox_today makes a day, such as 2027-06-01, the account's today for this call: the day of the
        clock, or up to five years later. Only credentials of the sandbox may. A repeat with the same idempotency_key must name the
        same day.
        """
        return self._run(self._call(operation, request, idempotency_key, sandbox_answer, sandbox_today))

    def pages(
        self, operation: str, items: str, request: Mapping[str, Any], page_size: Optional[int] = None, after: Optional[str] = None,
        sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None,
    ) -> Iterator[Any]:
        """Goes through the elements of all pages of an operation, or of those after an earlier answer's next."""
        pages = Pages(items, request, page_size, after)
        while pages.request is not None:
            yield from pages.read(self.call(operation, pages.request, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today).data)

    def events(
        self, *, account_id: str, filters: types.EventListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None,
    ) -> Iterator[types.Event]:
        """Goes through the events of an account with their data, in the order of the feed, until none is left.

        Each is what a receiver gives its handler: one handler takes both. To go on later, read pages with webhook_event_list and store
        next.
        """
        request = fields(account_id=account_id, filters=filters, order="OLDEST_FIRST", include_data=True)
        return self.pages("webhook.event.list", "events", request, page_size, after)

    def fill_gaps(self, workflow_id: str, ask: Ask, *, sandbox_today: Optional[str] = None) -> Answer[types.Empty]:
        """Calculates the required documents of a workflow.

        If facts are missing, it asks for them, puts them on record, and calculates again, until nothing is missing. A refusal
        whose gaps stay the same is raised. A RequisiteError for an answer that was refused has refused_answers.

        Call it again after any error: it continues from what is on record. All persons of a business are put on record at once,
        and a sales info record is replaced in one step, by one that also holds what it held. The same answers have the same
        Idempotency-Key, so no record is created twice. sandbox_today is the day of each of its calls.
        """
        return self._run(fill_gaps(self, workflow_id, sandbox_today), ask)

    def _run(self, steps: Steps[Result], ask: Ask = _no_question) -> Result:
        reply: Any = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                return end.value
            if isinstance(step, httpx.Request):
                reply = self._send(step)
            elif isinstance(step, float):
                time.sleep(step)
            else:
                reply = ask(step)

    def _send(self, request: httpx.Request) -> Reply:
        body = bytearray()
        try:
            with contextlib.closing(self._http().send(request, stream=True, auth=_as_it_is, follow_redirects=False)) as response:
                for part in response.iter_bytes():
                    body += part
                    request.extensions["timeout"].check()
        except (httpx.HTTPError, OSError) as error:
            return error
        return response.status_code, response.headers, bytes(body)

    def _http(self) -> httpx.Client:
        if not self._given and self._home != os.getpid():  # after a fork: two processes must not share a connection
            self._client, self._home = _connected(httpx.Client), os.getpid()
        return self._client


class AsyncBase(Base):
    """Sends requests with asyncio. AsyncClient has a method for each operation."""

    def __init__(
        self, base_url: str, api_key: str, secret_key: str, auth_token: str, *,
        retry: Retry = Retry(), timeout: float = 60, api_version: Optional[str] = None, http: Optional[httpx.AsyncClient] = None,
    ) -> None:
        super().__init__(base_url, api_key, secret_key, auth_token, retry, timeout, api_version)
        self._given = _is_given(http, httpx.AsyncClient)
        self._client = http or _connected(httpx.AsyncClient)
        self._home: Any = None

    def __getstate__(self) -> Dict[str, Any]:
        return _state(self)

    async def aclose(self) -> None:
        """Closes the connections. An httpx.AsyncClient that was given stays open."""
        if not self._given and self._client is not None and self._home in (None, _current_home()):
            await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.aclose()

    async def call(
        self, operation: str, request: Mapping[str, Any], idempotency_key: Optional[str] = None, sandbox_answer: Optional[str] = None,
        sandbox_today: Optional[str] = None,
    ) -> Answer[Any]:
        """Calls an operation by its name. A refusal is raised as a RequisiteError, a key without its secret as a SecretLost.

        sandbox_answer asks for an answer that is hard to meet by chance, such as RATE_LIMITED. Only credentials of the sandbox may.
        It is sent with each retry. sandbox_today makes a day, such as 2027-06-01, the account's today for this call: the day of the
        clock, or up to five years later. Only credentials of the sandbox may. A repeat with the same idempotency_key must name the
        same day.
        """
        return await self._run(self._call(operation, request, idempotency_key, sandbox_answer, sandbox_today))

    async def pages(
        self, operation: str, items: str, request: Mapping[str, Any], page_size: Optional[int] = None, after: Optional[str] = None,
        sandbox_answer: Optional[str] = None, sandbox_today: Optional[str] = None,
    ) -> AsyncIterator[Any]:
        """Goes through the elements of all pages of an operation, or of those after an earlier answer's next."""
        pages = Pages(items, request, page_size, after)
        while pages.request is not None:
            for item in pages.read((await self.call(operation, pages.request, sandbox_answer=sandbox_answer, sandbox_today=sandbox_today)).data):
                yield item

    def events(
        self, *, account_id: str, filters: types.EventListRequestFilters = UNSET, page_size: Optional[int] = None, after: Optional[str] = None,
    ) -> AsyncIterator[types.Event]:
        """Goes through the events of an account with their data, in the order of the feed, until none is left.

        Each is what a receiver gives its handler: one handler takes both. To go on later, read pages with webhook_event_list and store
        next.
        """
        request = fields(account_id=account_id, filters=filters, order="OLDEST_FIRST", include_data=True)
        return self.pages("webhook.event.list", "events", request, page_size, after)

    async def fill_gaps(self, workflow_id: str, ask: AsyncAsk, *, sandbox_today: Optional[str] = None) -> Answer[types.Empty]:
        """Calculates the required documents of a workflow.

        If facts are missing, it asks for them, puts them on record, and calculates again, until nothing is missing. A refusal
        whose gaps stay the same is raised. A RequisiteError for an answer that was refused has refused_answers. ask may be a coroutine function.

        Call it again after any error: it continues from what is on record. All persons of a business are put on record at once,
        and a sales info record is replaced in one step, by one that also holds what it held. The same answers have the same
        Idempotency-Key, so no record is created twice. sandbox_today is the day of each of its calls.
        """
        return await self._run(fill_gaps(self, workflow_id, sandbox_today), ask)

    async def _run(self, steps: Steps[Result], ask: AsyncAsk = _no_question) -> Result:
        reply: Any = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                return end.value
            if isinstance(step, httpx.Request):
                reply = await self._send(step)
            elif isinstance(step, float):
                await asyncio.sleep(step)
            else:
                reply = ask(step)
                if inspect.isawaitable(reply):
                    reply = await reply

    async def _send(self, request: httpx.Request) -> Reply:
        body = bytearray()
        try:
            response = await self._http().send(request, stream=True, auth=_as_it_is, follow_redirects=False)
            async with contextlib.aclosing(response):
                async for part in response.aiter_bytes():
                    body += part
                    request.extensions["timeout"].check()
        except (httpx.HTTPError, OSError) as error:
            return error
        return response.status_code, response.headers, bytes(body)

    def _http(self) -> httpx.AsyncClient:
        if self._client is None or self._home not in (None, _current_home()):  # a connection belongs to one process and one event loop
            if self._given:
                raise SetupError("the httpx.AsyncClient belongs to the event loop of its first call: make an AsyncClient in each event loop")
            self._client = _connected(httpx.AsyncClient)
        self._home = _current_home()
        return self._client


def _current_home() -> Tuple[int, asyncio.AbstractEventLoop]:
    """The process and its event loop."""
    try:
        return os.getpid(), asyncio.get_running_loop()
    except RuntimeError:
        raise SetupError("an AsyncClient needs the event loop of asyncio: await it in a coroutine that asyncio.run has begun, or use a Client") from None
