"""The hub's errors in the dialect's shape: `{"error": {"code": …, "message": …}}`."""

from __future__ import annotations

from typing import Final

from adapters.faces.gemini.marks import NAME
from adapters.hub.errors import HubError, UpstreamError
from adapters.hub.kept import kept_by
from adapters.wire_json import Json, as_text

_CODES: Final = {
    "unknown_parameter": "parameter_unknown",
    "failed_precondition": "failed_precondition",
    "context_length_exceeded": "out_of_range",
    "content_policy_violation": "safety",
    "invalid_prompt": "safety",
    "invalid_api_key": "authentication",
    "permission_denied": "permission_denied",
    "not_found": "not_found",
    "model_not_found": "model_not_found",
    "previous_response_not_found": "not_found",
    "conflict": "aborted",
    "rate_limit_exceeded": "rate_limit_exceeded",
    "insufficient_quota": "quota_exceeded",
    "cancelled": "cancelled",
    "timeout": "gateway_timeout",
}
"""The gateway's codes that the dialect has words for."""

_BY_STATUS: Final = {
    400: "invalid_request",
    401: "authentication",
    402: "payment_required",
    403: "permission_denied",
    404: "not_found",
    405: "invalid_request",
    408: "gateway_timeout",
    409: "aborted",
    413: "invalid_request",
    415: "invalid_request",
    416: "out_of_range",
    422: "invalid_request",
    429: "rate_limit_exceeded",
    500: "internal",
    502: "internal",
    503: "unavailable",
    504: "gateway_timeout",
}


def encode_failure(error: HubError) -> Json:
    """The error object, of an HTTP body or of a stream. It names no field, so the message does."""
    raw = error.raw if isinstance(error, UpstreamError) else None
    own = as_text((kept_by(NAME, raw) or {}).get("code"))
    code = own or _CODES.get(error.code) or _BY_STATUS.get(error.status) or "internal"
    named = error.param is None or error.param in error.message
    return {"code": code, "message": error.message if named else f"{error.param}: {error.message}"}


def encode_error(error: HubError) -> Json:
    """The HTTP body, Gemini's own as it was. google-genai raises by the status; the code tells the reason."""
    own = kept_by(NAME, error.raw) if isinstance(error, UpstreamError) else None
    return {"error": {**own, "message": error.message} if own else encode_failure(error)}
