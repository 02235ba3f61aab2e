"""What a credential must look like."""
from __future__ import annotations

import base64
import re
from typing import Any, Optional


def _fault(value: Any) -> Optional[str]:
    """What is wrong with a credential; None for a sound one. It never repeats the value.

    A credential is refused rather than trimmed: a secret that its owner did not write so was damaged on its way, and the
    next program may not trim it.
    """
    if value is None or value == "":
        return "is not set"
    if not isinstance(value, str):
        return "is not text"
    if value[-1] in "\r\n":
        return "ends in a line break; trim what you read from a file"
    if value.strip(" \t") != value:
        return "begins or ends with a blank; trim it"
    if re.search("[\x00-\x1f\x7f]", value):
        return "contains a control character"
    if not value.isascii():
        return "contains a character that is not ASCII"
    if " " in value:
        return "contains a blank"
    return None


def check(name: str, value: Any) -> None:
    """Raises a ValueError for a credential that cannot be one."""
    fault = _fault(value)
    if fault:
        raise ValueError(f"the {name} {fault}")


def _decode(value: str) -> bytes:
    """Reads standard Base64 with padding, and nothing else; no bytes for what is none."""
    try:
        decoded = base64.b64decode(value, validate=True)
    except ValueError:
        return b""
    return decoded if base64.b64encode(decoded).decode() == value else b""


def secret(name: str, value: Any) -> bytes:
    """Decodes a secret in standard Base64."""
    check(name, value)
    decoded = _decode(value)
    if not decoded:
        raise ValueError(f"the {name} is not standard Base64")
    return decoded


def shared_secret(name: str, value: Any) -> bytes:
    """Decodes the shared secret of a webhook key."""
    check(name, value)
    decoded = _decode(value)
    if len(decoded) != 32:
        raise ValueError(f"the {name} is not 32 bytes in standard Base64")
    return decoded
