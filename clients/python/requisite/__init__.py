"""Calls the API of Requisite and receives its webhooks.

A Client signs each request, repeats what may be repeated, and raises refusals as RequisiteError. There is a method for
each operation. An AsyncClient does the same with asyncio. A Receiver verifies, decrypts and hands over webhooks, each event once; so does an
AsyncReceiver with asyncio.
"""
from . import _types as types
from ._base import UNSET, Answer, NoAnswerError, Question, RequisiteError, Retry, SecretLost, SetupError
from ._async_calls import AsyncClient
from ._calls import Client
from ._client import Ask, AsyncAsk
from ._sign import Signer
from ._types import EVENT_TYPES, OPERATIONS, VERSION, Event, LaterEventType
from ._webhook import (
    CLAIM_LASTS, AsyncProcessed, AsyncReceiver, Claim, MemoryProcessed, Processed, Receiver, WebhookRefused, verify_and_decrypt,
)

__all__ = [
    "Answer", "Ask", "AsyncAsk", "AsyncClient", "AsyncProcessed", "AsyncReceiver", "CLAIM_LASTS", "Claim", "Client", "EVENT_TYPES", "Event",
    "LaterEventType", "MemoryProcessed", "NoAnswerError", "OPERATIONS", "Processed", "Question", "Receiver", "RequisiteError", "Retry", "SecretLost",
    "SetupError", "Signer", "UNSET", "VERSION", "WebhookRefused", "types", "verify_and_decrypt",
]
