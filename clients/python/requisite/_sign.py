"""Signatures of requests: Sig1-HMAC-SHA256."""
from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Dict, Optional

from . import _credential as credential


class Signer:
    """Signs requests with one credential. The secret key is standard Base64, as it is handed out.

    A ValueError names the part of the credential that is malformed, and its fault, but never its value.
    """

    def __init__(self, api_key: str, secret_key: str, auth_token: str) -> None:
        credential.check("API key", api_key)
        self._secret = credential.secret("secret key", secret_key)
        credential.check("auth token", auth_token)
        self._api_key, self._auth_token = api_key, auth_token

    def signature(self, string_to_sign: str) -> str:
        """The Base64 of the HMAC of a string to sign."""
        return base64.b64encode(hmac.digest(self._secret, string_to_sign.encode(), "sha256")).decode()

    def headers(
        self, method: str, target: str, body: bytes, timestamp: int, nonce: str,
        idempotency_key: Optional[str] = None, api_version: Optional[str] = None,
    ) -> Dict[str, str]:
        """The headers of a signed request.

        Verb, path, time, nonce and body are covered, and so are the Idempotency-Key and the version where there are any.
        target is path and query exactly as they are sent; the nonce is new with each request.
        """
        content = base64.b64encode(hashlib.sha256(body).digest()).decode()
        headers = {
            "x-api-key": self._api_key, "x-api-auth-token": self._auth_token, "x-api-timestamp": str(timestamp),
            "x-api-nonce": nonce, "x-api-content-sha256": content,
        }
        elements = ["API-Key", "HTTP-Verb", "URL-Path", "Timestamp", "Nonce", "Content-SHA256"]
        values = [self._api_key, method, target, str(timestamp), nonce, content]
        for element, header, value in (
            ("Idempotency-Key", "idempotency-key", idempotency_key), ("API-Version", "x-api-version", api_version),
        ):
            if value:
                elements.append(element)
                values.append(value)
                headers[header] = value
        listed = ";".join(elements)
        headers["x-api-signed-elements"] = listed
        headers["authorization"] = "Sig1-HMAC-SHA256 " + self.signature("\n".join([listed, *values]))
        return headers
