"""Errors in Ark's shape: its codes say what is wrong, and the SDK picks its class by the status."""

from __future__ import annotations

from typing import Final

from adapters.faces.ark.request import NAME
from adapters.hub.errors import HubError, Overloaded
from adapters.hub.kept import kept_by
from adapters.wire_json import Json, as_text

CODES: Final = {
    "missing_required_parameter": "MissingParameter",
    "invalid_api_key": "AuthenticationError",
    "permission_denied": "AccessDenied",
    "failed_precondition": "OperationDenied.InvalidState",
    "model_not_found": "InvalidEndpointOrModel.NotFound",
    "not_found": "NotFound",
    "content_policy_violation": "SensitiveContentDetected",
    "invalid_prompt": "SensitiveContentDetected",
    "invalid_image_url": "InvalidImageURL",
    "rate_limit_exceeded": "RateLimitExceeded",
    "insufficient_quota": "QuotaExceeded",
    "cancelled": "cancelled",
}
"""Ark's code for those of the hub."""

_BY_STATUS: Final = {
    401: ("AuthenticationError", "Unauthorized"),
    403: ("AccessDenied", "Forbidden"),
    404: ("NotFound", "NotFound"),
    409: ("OperationDenied.Conflict", "Conflict"),
    429: ("RateLimitExceeded", "TooManyRequests"),
}


def encode_error(error: HubError) -> Json:
    """Ark's error object; what Ark itself said stands as it is.

    Ark's errors have a code. What has none was said by something on the way to Ark, a proxy's page of text.
    """
    own = kept_by(NAME, getattr(error, "raw", None))
    if own is not None and as_text(own.get("code")):
        return {"error": own}
    type_ = _words(error.status)[1]
    return {"error": {"code": code_of(error), "message": error.message, "param": error.param or "", "type": type_}}


def code_of(error: HubError) -> str:
    """Ark's code of an error, before an answer or within one."""
    own = kept_by(NAME, getattr(error, "raw", None))
    if own is not None and as_text(own.get("code")):
        return as_text(own["code"])
    if isinstance(error, Overloaded):
        return "ServerOverloaded"
    return CODES.get(error.code) or _words(error.status)[0]


def _words(status: int) -> tuple[str, str]:
    return _BY_STATUS.get(status) or (
        ("InternalServiceError", "InternalServerError") if status >= 500 else ("InvalidParameter", "BadRequest")
    )
