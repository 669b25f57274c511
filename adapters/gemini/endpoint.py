"""How to call Gemini's Interactions API, and how to read its HTTP errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from adapters.hub.adapter import Endpoint
from adapters.hub.errors import UpstreamError
from adapters.interactions.errors import decode_failure, error_of
from adapters.wire_json import JsonError, loads

NAME = "gemini"

AGENTS = ("deep-research-*", "antigravity-*")
"""Names that stand in `agent` and not in `model`."""


def is_agent(model: str) -> bool:
    """Whether the name is that of an agent."""
    return any(fnmatchcase(model, pattern) for pattern in AGENTS)


def _headers(key: str) -> dict[str, str]:
    return {"x-goog-api-key": key}


def decode_error(status: int, headers: Mapping[str, str], body: bytes) -> UpstreamError:
    """Read an HTTP error: `{"error": {…}}` with a string code, or the older one with an integer, also in a list."""
    told = headers.get("retry-after", "").strip()
    retry_after = float(told) if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", told, re.ASCII) else None
    return decode_failure(error_of(_read(body)), NAME, status, retry_after)


def _read(body: bytes) -> Any:
    try:
        return loads(body)
    except JsonError:  # a proxy's page, or nothing
        return None


ENDPOINT = Endpoint(
    base_url="https://generativelanguage.googleapis.com",
    path="/v1beta/interactions",
    key_names=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    headers=_headers,
    decode_error=decode_error,
    stream_headers={"accept": "text/event-stream"},
)
