"""Every error body of Google's, as the hub's error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adapters.gemini import ADAPTER
from adapters.gemini.endpoint import ENDPOINT, decode_error
from adapters.hub.errors import AuthRejected, Overloaded, RateLimited, UpstreamError, UpstreamTimeout

Json = dict[str, Any]
INVALID = "invalid_request_error"

# HTTP status, the error object, and what it becomes: class, status, type, code, whether to try again
CASES: list[tuple[int, Json, tuple[type[UpstreamError], int, str, str, bool]]] = [
    (400, {"code": "invalid_request"}, (UpstreamError, 400, INVALID, "invalid_value", False)),
    (400, {"code": 400, "status": "INVALID_ARGUMENT"}, (UpstreamError, 400, INVALID, "invalid_value", False)),
    (400, {"code": "parameter_unknown"}, (UpstreamError, 400, INVALID, "unknown_parameter", False)),
    (400, {"code": "failed_precondition"}, (UpstreamError, 400, INVALID, "failed_precondition", False)),
    (416, {"code": "out_of_range"}, (UpstreamError, 400, INVALID, "context_length_exceeded", False)),
    (401, {"code": "authentication"}, (AuthRejected, 401, INVALID, "invalid_api_key", False)),
    (401, {"code": 401, "status": "UNAUTHENTICATED"}, (AuthRejected, 401, INVALID, "invalid_api_key", False)),
    (402, {"code": "payment_required"}, (RateLimited, 429, "insufficient_quota", "insufficient_quota", False)),
    (403, {"code": 403, "status": "PERMISSION_DENIED"}, (UpstreamError, 403, INVALID, "permission_denied", False)),
    (404, {"code": "model_not_found"}, (UpstreamError, 404, INVALID, "model_not_found", False)),
    (404, {"code": "not_found"}, (UpstreamError, 404, INVALID, "not_found", False)),
    (
        404,
        {"code": 404, "status": "NOT_FOUND", "message": "models/gemini-x is not found"},
        (UpstreamError, 404, INVALID, "model_not_found", False),
    ),
    (
        404,
        {"code": "not_found", "message": "Interaction v1_x does not exist"},
        (UpstreamError, 400, INVALID, "previous_response_not_found", False),
    ),
    (409, {"code": "already_exists"}, (UpstreamError, 409, INVALID, "conflict", False)),
    (409, {"code": "aborted"}, (UpstreamError, 409, INVALID, "conflict", False)),
    (429, {"code": "rate_limit_exceeded"}, (RateLimited, 429, "rate_limit_error", "rate_limit_exceeded", True)),
    (
        429,
        {"code": 429, "status": "RESOURCE_EXHAUSTED"},
        (RateLimited, 429, "rate_limit_error", "rate_limit_exceeded", True),
    ),
    (429, {"code": "quota_exceeded"}, (RateLimited, 429, "insufficient_quota", "insufficient_quota", False)),
    (500, {"code": 500, "status": "INTERNAL"}, (UpstreamError, 500, "server_error", "server_error", True)),
    (503, {"code": 503, "status": "UNAVAILABLE"}, (Overloaded, 503, "server_error", "server_error", True)),
    (504, {"code": "gateway_timeout"}, (UpstreamTimeout, 504, "server_error", "timeout", True)),
    (499, {"code": "cancelled"}, (UpstreamError, 502, "server_error", "cancelled", False)),
    (400, {"code": "brand_new"}, (UpstreamError, 400, INVALID, "invalid_value", False)),
    (502, {"code": "brand_new"}, (UpstreamError, 500, "server_error", "server_error", True)),
    (418, {}, (UpstreamError, 502, "server_error", "server_error", False)),
    (503, {"status": 7, "message": ["x"], "details": "y"}, (Overloaded, 503, "server_error", "server_error", True)),
]  # fmt: skip


@pytest.mark.parametrize(("status", "error", "expected"), CASES)
@pytest.mark.parametrize("listed", [False, True])
def test_error_bodies(status: int, error: Json, expected: tuple[Any, ...], listed: bool) -> None:
    body: Any = {"error": error}
    found = decode_error(status, {}, json.dumps([body] if listed else body).encode())
    assert (type(found), found.status, found.type, found.code, found.retryable) == expected
    assert (found.raw.data if found.raw is not None else {}) == error


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"null", b"[1]", b'{"error":"no"}', b"\xff"])
def test_bodies_that_say_nothing(body: bytes) -> None:
    found = decode_error(503, {}, body)
    assert isinstance(found, Overloaded)
    assert "503" in found.message


def test_a_wrong_key_is_told_by_the_details() -> None:
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
    error = {"code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid.", "details": [info]}
    assert isinstance(decode_error(400, {}, json.dumps({"error": error}).encode()), AuthRejected)


def _limited(*details: Json, header: str | None = None) -> UpstreamError:
    error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": list(details)}
    headers = {"retry-after": header} if header is not None else {}
    return decode_error(429, headers, json.dumps({"error": error}).encode())


@pytest.mark.parametrize(
    ("delay", "wait"),
    [
        ("45.837906927s", 45.837906927),
        ("2s", 2.0),
        ("soon", None),
        ("-1s", None),
        ("1e9s", None),
        ("", None),
        (7, None),
    ],
)
def test_how_long_to_wait(delay: Any, wait: float | None) -> None:
    assert _limited({"retryDelay": delay}).retry_after == wait


@pytest.mark.parametrize(
    ("header", "wait"), [("3", 3.0), ("0.5", 0.5), ("Wed, 21 Oct 2026 07:28:00 GMT", 2.0), ("", 2.0)]
)
def test_the_header_comes_first(header: str, wait: float) -> None:
    assert _limited({"retryDelay": "2s"}, header=header).retry_after == wait


def test_a_quota_of_the_day_does_not_come_back_by_waiting() -> None:
    violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}
    found = _limited({"violations": [violation]}, {"retryDelay": "2s"})
    assert (found.retryable, found.retry_after, found.code) == (False, None, "insufficient_quota")
    minute = _limited({"violations": [{"quotaId": "GenerateRequestsPerMinute"}]}, {"retryDelay": "2s"})
    assert (minute.retryable, minute.retry_after) == (True, 2.0)


def test_how_to_call() -> None:
    assert ADAPTER.endpoint is ENDPOINT
    assert ENDPOINT.base_url + ENDPOINT.path == "https://generativelanguage.googleapis.com/v1beta/interactions"
    assert ENDPOINT.key_names == ("GEMINI_API_KEY", "GOOGLE_API_KEY")
    assert ENDPOINT.headers("k") == {"x-goog-api-key": "k"}
