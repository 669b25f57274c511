"""Errors of the family: what a status, a code and a body mean, and what a client is told."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.errors import AuthRejected, BadRequest, Overloaded, RateLimited, UpstreamError, UpstreamTimeout
from adapters.responses.errors import ErrorWords, decode_http_error, decode_stream_error, encode_error
from adapters.wire_json import dumps

WORDS = {
    "Bad": ErrorWords(400, "bad_value", names_param=True),
    "Bad.special": ErrorWords(409, "special"),
    "Busy": ErrorWords(503, "server_error", "server_error", retryable=True),
}


def read(status: int, body: Any = None, headers: dict[str, str] | None = None) -> UpstreamError:
    raw = body if isinstance(body, bytes) else dumps({"error": body})
    return decode_http_error("w", status, headers or {}, raw, WORDS)


STATUSES: dict[int, tuple[type[UpstreamError], str, str, bool]] = {
    # what a vendor means that gives no code at all
    400: (UpstreamError, "invalid_request_error", "invalid_value", False),
    401: (AuthRejected, "invalid_request_error", "invalid_api_key", False),
    403: (UpstreamError, "invalid_request_error", "permission_denied", False),
    404: (UpstreamError, "invalid_request_error", "not_found", False),
    408: (UpstreamTimeout, "server_error", "timeout", True),
    409: (UpstreamError, "invalid_request_error", "conflict", True),
    413: (UpstreamError, "invalid_request_error", "request_too_large", False),
    418: (UpstreamError, "invalid_request_error", "invalid_value", False),
    429: (RateLimited, "rate_limit_error", "rate_limit_exceeded", True),
    500: (UpstreamError, "server_error", "server_error", True),
    502: (UpstreamError, "server_error", "server_error", True),
    503: (Overloaded, "server_error", "server_error", True),
    504: (UpstreamTimeout, "server_error", "timeout", True),
    529: (Overloaded, "server_error", "server_error", True),
}


@pytest.mark.parametrize("body", [{"message": "m"}, {"message": "m", "code": None, "type": None, "param": None}])
@pytest.mark.parametrize("status", STATUSES)
def test_a_status(status: int, body: Any) -> None:
    """d.4, D15"""
    kind, type_, code, retryable = STATUSES[status]
    error = read(status, body)
    assert type(error) is kind
    assert (error.status, error.type, error.code, error.retryable) == (status, type_, code, retryable)
    assert (error.message, error.param) == ("m", None)


CODES: dict[str, tuple[int, Any, tuple[int, str, str, str | None]]] = {
    # what the vendor says: (status, type, code, param)
    "a known code": (500, {"code": "Busy"}, (503, "server_error", "server_error", None)),
    "a known code with more behind it": (
        500,
        {"code": "Busy.now.or.never"},
        (503, "server_error", "server_error", None),
    ),
    "a code that names the field": (
        400,
        {"code": "Bad.top_p", "param": ""},
        (400, "invalid_request_error", "bad_value", "top_p"),
    ),
    "a field of its own counts more": (
        400,
        {"code": "Bad.top_p", "param": "p"},
        (400, "invalid_request_error", "bad_value", "p"),
    ),
    "the whole code counts more": (400, {"code": "Bad.special"}, (409, "invalid_request_error", "special", None)),
    "an unknown code stands": (400, {"code": "odd", "type": "odd_error"}, (400, "odd_error", "odd", None)),
    "a type of another house does not": (
        400,
        {"code": "Odd", "type": "BadRequest"},
        (400, "invalid_request_error", "Odd", None),
    ),
    "an unknown code of a broken vendor": (500, {"code": "Odd", "type": ""}, (500, "server_error", "Odd", None)),
    "fields of the wrong kind": (
        400,
        {"code": 5, "type": [], "param": {}},
        (400, "invalid_request_error", "invalid_value", None),
    ),
}


@pytest.mark.parametrize(("status", "body", "expected"), CODES.values(), ids=CODES.keys())
def test_a_code(status: int, body: Any, expected: tuple[int, str, str, str | None]) -> None:
    error = read(status, {"message": "m", **body})
    assert (error.status, error.type, error.code, error.param) == expected
    assert error.raw is not None
    assert error.raw.wire == "w"
    assert error.raw.data["code"] == body["code"]


BODIES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "the vendor answered 500"),
    "a page": (b" <html>down</html>\n", "<html>down</html>"),
    "a long page": (b"x" * 5000, "x" * 2000),
    "bytes that are no text": (b"\xff", "\ufffd"),
    "JSON of another shape": (b'{"detail":"no"}', '{"detail":"no"}'),
    "an error that is a text": (b'{"error":"no"}', '{"error":"no"}'),
    "an error without words": (b'{"error":{"message":null}}', "the vendor answered 500"),
    "a list": (b"[1]", "[1]"),
}


@pytest.mark.parametrize(("body", "message"), BODIES.values(), ids=BODIES.keys())
def test_a_body_that_is_no_error_object(body: bytes, message: str) -> None:
    assert read(500, body).message == message


WAITS: dict[str, tuple[dict[str, str], float | None]] = {
    "seconds": ({"retry-after": "2"}, 2.0),
    "a part of a second": ({"retry-after": "0.5"}, 0.5),
    "milliseconds count more": ({"retry-after": "9", "retry-after-ms": "1500"}, 1.5),
    "a date": ({"retry-after": "Sun, 29 Nov 2026 22:00:00 GMT"}, None),
    "negative": ({"retry-after": "-1"}, None),
    "no number": ({"retry-after": "nan"}, None),
    "for ever": ({"retry-after": "1e400"}, None),
    "milliseconds that are none": ({"retry-after": "3", "retry-after-ms": "soon"}, 3.0),
    "nothing": ({}, None),
}


@pytest.mark.parametrize(("headers", "seconds"), WAITS.values(), ids=WAITS.keys())
def test_the_time_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert read(429, {"message": "m"}, headers).retry_after == seconds


STREAMED: dict[str, tuple[int, type[UpstreamError]]] = {
    "rate_limit_exceeded": (429, RateLimited),
    "insufficient_quota": (429, RateLimited),
    "invalid_prompt": (400, UpstreamError),
    "invalid_api_key": (401, AuthRejected),
    "Busy": (503, Overloaded),
    "odd": (500, UpstreamError),
    "": (500, UpstreamError),
}


@pytest.mark.parametrize("code", STREAMED)
def test_an_error_inside_a_stream_has_the_status_of_its_code(code: str) -> None:
    error = decode_stream_error("w", {"code": code, "message": "m"}, WORDS)
    assert (error.status, type(error)) == STREAMED[code]


def test_a_client_is_told_in_its_own_shape() -> None:
    """D15"""
    assert encode_error(BadRequest("no", param="input[0]")) == {
        "error": {"message": "no", "type": "invalid_request_error", "param": "input[0]", "code": "invalid_value"}
    }
