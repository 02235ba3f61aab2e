"""Calls the API of Requisite and receives its webhooks.

A Client signs each request, repeats what may be repeated, and raises refusals as RequisiteError. There is a method for
each operation. A Receiver verifies, decrypts and hands over webhooks, each event once.
"""
from . import _types as types
from ._base import UNSET, Answer, NoAnswerError, RequisiteError, Retry
from ._calls import OPERATIONS
from ._client import Client
from ._sign import Signer
from ._types import EVENT_TYPES, VERSION
from ._webhook import CLAIM_LASTS, Claim, MemoryProcessed, Processed, Receiver, Webhook, WebhookRefused, verify_and_decrypt

__all__ = [
    "Answer", "CLAIM_LASTS", "Claim", "Client", "EVENT_TYPES", "MemoryProcessed", "NoAnswerError", "OPERATIONS", "Processed", "Receiver",
    "RequisiteError", "Retry", "Signer", "UNSET", "VERSION", "Webhook", "WebhookRefused", "types", "verify_and_decrypt",
]
