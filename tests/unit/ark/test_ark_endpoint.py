"""How Ark is called, and what its errors mean to a client of the dialect."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

import adapters
from adapters.hub.errors import AuthRejected, Overloaded, RateLimited, UpstreamError
from adapters.wire_json import dumps

ADAPTER = adapters.load("ark")


def test_the_call() -> None:
    """M09: the base URL brings its own path, which is not /v1."""
    endpoint = ADAPTER.endpoint
    assert endpoint.base_url + endpoint.path == "https://ark.cn-beijing.volces.com/api/v3/responses"
    assert endpoint.headers("k") == {"authorization": "Bearer k"}
    assert endpoint.key_names == ("ARK_API_KEY",)


# Ark's status and code: what the client is told
CODES: dict[str, tuple[int, tuple[type[UpstreamError], int, str, str, bool]]] = {
    "InvalidParameter": (400, (UpstreamError, 400, "invalid_request_error", "invalid_value", False)),
    "InvalidParameter.top_p": (400, (UpstreamError, 400, "invalid_request_error", "invalid_value", False)),
    "MissingParameter": (400, (UpstreamError, 400, "invalid_request_error", "missing_required_parameter", False)),
    "MissingParameter.model": (400, (UpstreamError, 400, "invalid_request_error", "missing_required_parameter", False)),
    "OperationDenied.InvalidState": (403, (UpstreamError, 400, "invalid_request_error", "failed_precondition", False)),
    "OperationDenied.ServiceNotOpen": (403, (UpstreamError, 403, "invalid_request_error", "permission_denied", False)),
    "AccessDenied": (403, (UpstreamError, 403, "invalid_request_error", "permission_denied", False)),
    "InputTextSensitiveContentDetected": (
        400,
        (UpstreamError, 400, "invalid_request_error", "content_policy_violation", False),
    ),
    "InputImageRiskDetection": (400, (UpstreamError, 400, "invalid_request_error", "content_policy_violation", False)),
    "SensitiveContentDetected.SevereViolation": (
        400,
        (UpstreamError, 400, "invalid_request_error", "content_policy_violation", False),
    ),
    "OutputTextSensitiveContentDetected": (
        400,
        (UpstreamError, 400, "invalid_request_error", "content_policy_violation", False),
    ),
    "ContentSecurityDetectionError": (500, (UpstreamError, 500, "server_error", "server_error", True)),
    "InvalidImageURL.InvalidFormat": (400, (UpstreamError, 400, "invalid_request_error", "invalid_image_url", False)),
    "AuthenticationError": (401, (AuthRejected, 401, "invalid_request_error", "invalid_api_key", False)),
    "AccountOverdueError": (403, (RateLimited, 429, "insufficient_quota", "insufficient_quota", False)),
    "InvalidEndpointOrModel.NotFound": (404, (UpstreamError, 404, "invalid_request_error", "model_not_found", False)),
    "ModelNotOpen": (404, (UpstreamError, 404, "invalid_request_error", "model_not_found", False)),
    "NotFound.previous_response_id": (
        404,
        (UpstreamError, 400, "invalid_request_error", "previous_response_not_found", False),
    ),
    "NotFound.id": (404, (UpstreamError, 404, "invalid_request_error", "not_found", False)),
    "RateLimitExceeded.EndpointRPMExceeded": (429, (RateLimited, 429, "rate_limit_error", "rate_limit_exceeded", True)),
    "ModelAccountTpmRateLimitExceeded": (429, (RateLimited, 429, "rate_limit_error", "rate_limit_exceeded", True)),
    "QuotaExceeded": (429, (RateLimited, 429, "insufficient_quota", "insufficient_quota", False)),
    "SetLimitExceeded": (429, (RateLimited, 429, "insufficient_quota", "insufficient_quota", False)),
    "ServerOverloaded": (429, (Overloaded, 503, "server_error", "server_error", True)),
    "InternalServiceError": (500, (UpstreamError, 500, "server_error", "server_error", True)),
    "SomethingNew": (400, (UpstreamError, 400, "invalid_request_error", "SomethingNew", False)),
}


@pytest.mark.parametrize("code", CODES)
def test_a_code(code: str) -> None:
    """d.4"""
    status, expected = CODES[code]
    body = dumps({"error": {"code": code, "message": "m", "param": "", "type": "BadRequest"}})
    error = ADAPTER.endpoint.decode_error(status, {}, body)
    assert (type(error), error.status, error.type, error.code, error.retryable) == expected


@pytest.mark.parametrize(
    ("code", "param"),
    [
        ("InvalidParameter.max_output_tokens", "max_output_tokens"),
        ("MissingParameter.model", "model"),
        ("NotFound.previous_response_id", "previous_response_id"),
        ("InvalidParameter", None),
        ("InvalidEndpointOrModel.NotFound", None),
        ("RateLimitExceeded.EndpointRPMExceeded", None),
    ],
)
def test_a_code_names_the_field_at_fault(code: str, param: str | None) -> None:
    body = dumps({"error": {"code": code, "message": "m", "param": ""}})
    assert ADAPTER.endpoint.decode_error(400, {}, body).param == param


def test_a_model_that_is_not_found_is_told_in_arks_words() -> None:
    """M07: a name without its date is no model."""
    message = "The model or endpoint doubao-x does not exist or you do not have access to it. Request id: 02"
    body = dumps(
        {"error": {"code": "InvalidEndpointOrModel.NotFound", "message": message, "param": "", "type": "NotFound"}}
    )
    error = ADAPTER.endpoint.decode_error(404, {}, body)
    assert (error.status, error.code, error.message) == (404, "model_not_found", message)


MODELS = {
    "doubao-seed-1-8": True,
    "seed-1-6-250915": True,
    "ep-20250101": True,
    "deepseek-v3-2": True,
    "gpt-5": False,
    "gemini-3": False,
}


@pytest.mark.parametrize(("model", "ours"), MODELS.items())
def test_a_models_name(model: str, ours: bool) -> None:
    assert any(fnmatchcase(model, pattern) for pattern in ADAPTER.models) == ours
