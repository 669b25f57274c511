"""How to call OpenAI, and what its errors mean."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.hub.adapter import Endpoint
from adapters.hub.errors import UpstreamError
from adapters.responses.errors import ErrorWords, decode_http_error, decode_stream_error
from adapters.wire_json import Json

NAME = "openai"

_WORDS = {
    # a quota that is used up does not come back by waiting
    "insufficient_quota": ErrorWords(429, "insufficient_quota", "insufficient_quota"),
}


def decode_error(status: int, headers: Mapping[str, str], body: bytes) -> UpstreamError:
    """Read an HTTP error."""
    return decode_http_error(NAME, status, headers, body, _WORDS)


def decode_event_error(error: Json) -> UpstreamError:
    """Read the error of an `error` or `response.failed` event."""
    return decode_stream_error(NAME, error, _WORDS)


ENDPOINT = Endpoint(
    base_url="https://api.openai.com/v1",
    path="/responses",
    key_names=("OPENAI_API_KEY",),
    headers=lambda key: {"authorization": f"Bearer {key}"},
    decode_error=decode_error,
)
