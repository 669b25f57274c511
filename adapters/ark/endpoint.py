"""How to call Volcengine Ark, and what its errors mean."""

from __future__ import annotations

from collections.abc import Mapping

from adapters.hub.adapter import Endpoint
from adapters.hub.errors import UpstreamError
from adapters.responses.errors import ErrorWords, decode_http_error, decode_stream_error
from adapters.wire_json import Json

NAME = "ark"

_BAD_VALUE = ErrorWords(400, "invalid_value", names_param=True)
_POLICY = ErrorWords(400, "content_policy_violation")
_IMAGE = ErrorWords(400, "invalid_image_url")
_DENIED = ErrorWords(403, "permission_denied")
_NO_MODEL = ErrorWords(404, "model_not_found")
_RATE = ErrorWords(429, "rate_limit_exceeded", "rate_limit_error", retryable=True)
_QUOTA = ErrorWords(429, "insufficient_quota", "insufficient_quota")
_INTERNAL = ErrorWords(500, "server_error", "server_error", retryable=True)


def _each(codes: str, words: ErrorWords) -> dict[str, ErrorWords]:
    return dict.fromkeys(codes.split(), words)


WORDS = {
    "MissingParameter": ErrorWords(400, "missing_required_parameter", names_param=True),
    "InvalidParameter": _BAD_VALUE,
    **_each("InvalidImageURL InvalidArgumentError", _IMAGE),
    "InvalidSubscription": ErrorWords(400, "invalid_value"),
    **_each("InputTextRiskDetection InputImageRiskDetection OutputTextRiskDetection OutputImageRiskDetection", _POLICY),
    **_each("SensitiveContentDetected InputTextSensitiveContentDetected InputImageSensitiveContentDetected", _POLICY),
    **_each("InputVideoSensitiveContentDetected OutputTextSensitiveContentDetected", _POLICY),
    **_each("OutputImageSensitiveContentDetected OutputVideoSensitiveContentDetected", _POLICY),
    **_each("AuthenticationError InvalidAccountStatus", ErrorWords(401, "invalid_api_key")),
    **_each("AccessDenied OperationDenied", _DENIED),
    "OperationDenied.InvalidState": ErrorWords(400, "failed_precondition"),
    **_each("InvalidEndpoint InvalidEndpointOrModel ModelNotOpen UnsupportedModel", _NO_MODEL),
    "NotFound": ErrorWords(404, "not_found", names_param=True),
    "NotFound.previous_response_id": ErrorWords(400, "previous_response_not_found", names_param=True),
    **_each("RateLimitExceeded ModelAccountRpmRateLimitExceeded ModelAccountTpmRateLimitExceeded", _RATE),
    **_each("ModelAccountIpmRateLimitExceeded APIAccountRpmRateLimitExceeded AccountRateLimitExceeded", _RATE),
    **_each("InflightBatchsizeExceeded RequestBurstTooFast", _RATE),
    **_each("QuotaExceeded SetLimitExceeded AccountOverdueError", _QUOTA),
    # "ServerOverloaded" comes with 429; clients wait for it as for any overload
    "ServerOverloaded": ErrorWords(503, "server_error", "server_error", retryable=True),
    **_each("InternalServiceError ContentSecurityDetectionError", _INTERNAL),
}
"""Ark's codes; one with a suffix (`InvalidParameter.max_output_tokens`) is looked up without it too."""


def decode_error(status: int, headers: Mapping[str, str], body: bytes) -> UpstreamError:
    """Read an HTTP error."""
    return decode_http_error(NAME, status, headers, body, WORDS)


def decode_event_error(error: Json) -> UpstreamError:
    """Read the error of an `error` or `response.failed` event."""
    return decode_stream_error(NAME, error, WORDS)


ENDPOINT = Endpoint(
    base_url="https://ark.cn-beijing.volces.com/api/v3",
    path="/responses",
    key_names=("ARK_API_KEY",),
    headers=lambda key: {"authorization": f"Bearer {key}"},
    decode_error=decode_error,
)
