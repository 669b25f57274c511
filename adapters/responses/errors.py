"""Errors of the family: HTTP bodies and stream errors to the hub's, and the hub's to a client."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from adapters.hub.errors import AuthRejected, HubError, Overloaded, RateLimited, UpstreamError, UpstreamTimeout
from adapters.hub.kept import Kept
from adapters.wire_json import Json, JsonError, as_object, as_text, loads

_BY_STATUS: dict[int, type[UpstreamError]] = {
    401: AuthRejected,
    408: UpstreamTimeout,
    429: RateLimited,
    503: Overloaded,
    504: UpstreamTimeout,
    529: Overloaded,
}
_RETRYABLE = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
_TEXT_LIMIT = 2_000  # characters of a body that is not JSON; some proxies answer with whole pages


@dataclass(frozen=True, slots=True)
class ErrorWords:
    """What a vendor's error code means: the status and the code that clients of the dialect know.

    `names_param`: what stands behind the code's first dot is the field at fault.
    """

    status: int
    code: str
    type: str = "invalid_request_error"
    retryable: bool = False
    names_param: bool = False


def decode_http_error(
    wire: str, status: int, headers: Mapping[str, str], body: bytes, words: Mapping[str, ErrorWords]
) -> UpstreamError:
    """Read an HTTP error. `words` says what the vendor's codes mean; a code it lacks stands as it is."""
    try:
        error = as_object(as_object(loads(body)).get("error"))
    except JsonError:
        error = {}
    fallback = body[:_TEXT_LIMIT].decode("utf-8", "replace").strip() or f"the vendor answered {status}"
    return _decode(wire, status, {"message": fallback, **error}, words, _retry_after(headers))


def decode_stream_error(wire: str, error: Json, words: Mapping[str, ErrorWords]) -> UpstreamError:
    """Read the error of an event. It has no status, so its code tells it; 500 where it does not."""
    return _decode(wire, _STREAM_STATUS.get(as_text(error.get("code")), 500), error, words, None)


def _decode(
    wire: str, status: int, error: Json, words: Mapping[str, ErrorWords], retry_after: float | None
) -> UpstreamError:
    raw_code = as_text(error.get("code"))
    stem, _, behind = raw_code.partition(".")
    meaning = words.get(raw_code) or words.get(stem) or _unknown(status, raw_code, as_text(error.get("type")))
    return _BY_STATUS.get(meaning.status, UpstreamError)(
        as_text(error.get("message")) or f"the vendor answered {meaning.status}",
        code=meaning.code or None,
        param=as_text(error.get("param")) or (behind if meaning.names_param else "") or None,
        status=meaning.status,
        type=meaning.type or None,
        retryable=meaning.retryable,
        retry_after=retry_after,
        raw=Kept(wire, error),
    )


def _unknown(status: int, code: str, type: str) -> ErrorWords:
    """A code that the vendor's table lacks stands as it is; its type too, where it is one of the dialect's words."""
    refused = 400 <= status < 500 and status not in _BY_STATUS
    code = code or (_CODES.get(status, "invalid_value") if refused else "")
    type = type if type.islower() else "invalid_request_error" if refused else ""
    return ErrorWords(status, code, type, status in _RETRYABLE)


_CODES = {403: "permission_denied", 404: "not_found", 409: "conflict", 413: "request_too_large"}


_STREAM_STATUS = {
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "invalid_prompt": 400,
    "invalid_request_error": 400,
    "invalid_api_key": 401,
}


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait; a date is left alone, since translators have no clock."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def encode_error(error: HubError) -> Json:
    """OpenAI's error object."""
    return {
        "error": {"message": error.message, "type": error.type, "param": error.param, "code": error.code},
    }
