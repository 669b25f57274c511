"""Google's error objects as the hub's errors, from an HTTP answer or from inside a stream."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from adapters.hub.errors import AuthRejected, Overloaded, RateLimited, UpstreamError, UpstreamTimeout
from adapters.hub.kept import Kept
from adapters.wire_json import Json, as_list, as_object, as_text

_INVALID = "invalid_request_error"


@dataclass(frozen=True, slots=True)
class _Case:
    """One kind of error: None keeps the class's own word."""

    error: type[UpstreamError] = UpstreamError
    status: int | None = None
    type: str | None = None
    code: str | None = None
    retryable: bool = False


_REQUEST = _Case(status=400, type=_INVALID, code="invalid_value")
_UNKNOWN_FIELD = _Case(status=400, type=_INVALID, code="unknown_parameter")
_PRECONDITION = _Case(status=400, type=_INVALID, code="failed_precondition")
_RANGE = _Case(status=400, type=_INVALID, code="context_length_exceeded")
_AUTH = _Case(AuthRejected)
_QUOTA = _Case(RateLimited, type="insufficient_quota", code="insufficient_quota")
_FORBIDDEN = _Case(status=403, type=_INVALID, code="permission_denied")
_NOT_FOUND = _Case(status=404, type=_INVALID, code="not_found")
_NO_MODEL = _Case(status=404, type=_INVALID, code="model_not_found")
_NO_PREVIOUS = _Case(status=400, type=_INVALID, code="previous_response_not_found")
_CONFLICT = _Case(status=409, type=_INVALID, code="conflict")
_LIMIT = _Case(RateLimited, retryable=True)
_INTERNAL = _Case(status=500, retryable=True)
_OVERLOADED = _Case(Overloaded, retryable=True)
_TIMEOUT = _Case(UpstreamTimeout, retryable=True)
_CANCELLED = _Case(status=502, code="cancelled")

_CASES: dict[str, _Case] = {
    "invalid_request": _REQUEST,
    "invalid_argument": _REQUEST,
    "parameter_unknown": _UNKNOWN_FIELD,
    "failed_precondition": _PRECONDITION,
    "out_of_range": _RANGE,
    "authentication": _AUTH,
    "unauthenticated": _AUTH,
    "payment_required": _QUOTA,
    "quota_exceeded": _QUOTA,
    "permission_denied": _FORBIDDEN,
    "not_found": _NOT_FOUND,
    "model_not_found": _NO_MODEL,
    "already_exists": _CONFLICT,
    "aborted": _CONFLICT,
    "rate_limit_exceeded": _LIMIT,
    "resource_exhausted": _LIMIT,
    "internal": _INTERNAL,
    "unknown": _INTERNAL,
    "unavailable": _OVERLOADED,
    "overloaded": _OVERLOADED,
    "gateway_timeout": _TIMEOUT,
    "deadline_exceeded": _TIMEOUT,
    "cancelled": _CANCELLED,
}
"""By the string codes and, in lower case, by the older google.rpc status names."""

_BY_STATUS: dict[int, _Case] = {
    400: _REQUEST,
    401: _AUTH,
    402: _QUOTA,
    403: _FORBIDDEN,
    404: _NOT_FOUND,
    408: _TIMEOUT,
    409: _CONFLICT,
    416: _RANGE,
    422: _REQUEST,
    429: _LIMIT,
    500: _INTERNAL,
    503: _OVERLOADED,
    504: _TIMEOUT,
}

_KEY_REASONS = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_MISSING", "ACCESS_TOKEN_EXPIRED"})
"""A wrong key is INVALID_ARGUMENT (400) in Google's words; only the details' reason tells."""


def error_of(value: Any) -> Json:
    """The error object of a body; {} where it holds none."""
    entries = as_list(value) or [value]
    return as_object(as_object(entries[0]).get("error"))


def decode_failure(
    error: Json, wire: str, status: int | None = None, retry_after: float | None = None
) -> UpstreamError:
    """Read an error object. `status` is the HTTP status, `retry_after` the header's seconds, where there are any."""
    details = [as_object(entry) for entry in as_list(error.get("details"))]
    message = as_text(error.get("message"))
    case = _narrow(_case(error, status), message, details)
    daily = any("perday" in text.lower() for text in _quota_ids(details))
    if daily:
        case = _QUOTA
    wait = None if daily else retry_after if retry_after is not None else _retry_delay(details)
    return case.error(
        message or f"the vendor answered with an error{f' (HTTP {status})' if status else ''} and gave no reason",
        code=case.code,
        param="previous_response_id" if case is _NO_PREVIOUS else None,
        status=case.status,
        type=case.type,
        retryable=case.retryable,
        retry_after=wait,
        raw=Kept(wire, error) if error else None,
    )


def _case(error: Json, status: int | None) -> _Case:
    for word in (error.get("code"), error.get("status")):
        case = _CASES.get(as_text(word).lower())
        if case is not None:
            return case
    number = status if status is not None else _number(error.get("code"))
    return _BY_STATUS.get(number, _INTERNAL if number >= 500 else _Case())


def _narrow(case: _Case, message: str, details: list[Json]) -> _Case:
    """The finer case that only the details or the message tell."""
    if any(as_text(entry.get("reason")) in _KEY_REASONS for entry in details):
        return _AUTH
    if case is _NOT_FOUND:
        words = message.lower()
        if "model" in words:
            return _NO_MODEL
        if "interaction" in words:
            return _NO_PREVIOUS
    return case


def _number(code: Any) -> int:
    return code if type(code) is int else 0


def _quota_ids(details: list[Json]) -> list[str]:
    violations = [as_object(entry) for detail in details for entry in as_list(detail.get("violations"))]
    return [as_text(violation.get("quotaId")) for violation in violations]


def _retry_delay(details: list[Json]) -> float | None:
    """RetryInfo's wait in seconds: Google sends no Retry-After header."""
    for entry in details:
        delay = as_text(entry.get("retryDelay"))
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?s", delay, re.ASCII):
            return float(delay[:-1])
    return None
