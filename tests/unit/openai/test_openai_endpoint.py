"""How OpenAI is called, what its errors mean, and how its clients call the gateway."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

import adapters
from adapters.hub.errors import AuthRejected, RateLimited, UpstreamError
from adapters.wire_json import dumps

ADAPTER = adapters.load("openai")


def test_the_call() -> None:
    """M09: the base URL brings its version."""
    endpoint = ADAPTER.endpoint
    assert endpoint.base_url + endpoint.path == "https://api.openai.com/v1/responses"
    assert endpoint.headers("sk-x") == {"authorization": "Bearer sk-x"}
    assert endpoint.key_names == ("OPENAI_API_KEY",)


ERRORS: dict[str, tuple[int, dict[str, object], tuple[type[UpstreamError], str, str, bool]]] = {
    "a key that is wrong": (
        401,
        {"type": "invalid_request_error", "code": "invalid_api_key"},
        (AuthRejected, "invalid_request_error", "invalid_api_key", False),
    ),
    "a limit": (
        429,
        {"type": "requests", "code": "rate_limit_exceeded"},
        (RateLimited, "requests", "rate_limit_exceeded", True),
    ),
    "a quota, which waiting does not bring back": (
        429,
        {"type": "insufficient_quota", "code": "insufficient_quota"},
        (RateLimited, "insufficient_quota", "insufficient_quota", False),
    ),
    "an unknown model": (
        400,
        {"type": "invalid_request_error", "code": "model_not_found", "param": "model"},
        (UpstreamError, "invalid_request_error", "model_not_found", False),
    ),
    "its own fault": (
        500,
        {"type": "server_error", "code": None},
        (UpstreamError, "server_error", "server_error", True),
    ),
}


@pytest.mark.parametrize(("status", "body", "expected"), ERRORS.values(), ids=ERRORS.keys())
def test_an_error(status: int, body: dict[str, object], expected: tuple[type[UpstreamError], str, str, bool]) -> None:
    """d.4"""
    error = ADAPTER.endpoint.decode_error(status, {}, dumps({"error": {"message": "m", **body}}))
    assert (type(error), error.type, error.code, error.retryable) == expected
    assert error.status == status


MODELS = {
    "gpt-5": True,
    "o3-mini": True,
    "o1": True,
    "codex-mini": True,
    "chatgpt-4o": True,
    "oasis": False,
    "gemini-3": False,
    "doubao-x": False,
}


@pytest.mark.parametrize(("model", "ours"), MODELS.items())
def test_a_models_name(model: str, ours: bool) -> None:
    assert any(fnmatchcase(model, pattern) for pattern in ADAPTER.models) == ours


KEYS = {
    "Bearer sk-x": "sk-x",
    "bearer sk-x": "sk-x",
    "Bearer  sk-x ": "sk-x",
    "Bearer ": None,
    "Bearer": None,
    "Basic abc": None,
    "": None,
}


@pytest.mark.parametrize(("header", "key"), KEYS.items())
def test_a_clients_key(header: str, key: str | None) -> None:
    assert ADAPTER.surface is not None
    assert ADAPTER.surface.credential({"authorization": header}, {}) == key
    assert ADAPTER.surface.credential({}, {}) is None


@pytest.mark.parametrize("vendor", ["openai", "ark"])
def test_a_scene_is_found_for_any_request(vendor: str) -> None:
    scenes = adapters.load(vendor).scenes
    asked = {
        '{"input":"Say hi"}': "text",
        '{"input":"[[429]]"}': "rate_limit",
        '{"input":"x","max_output_tokens":16}': "incomplete",
        '{"input":"x","max_output_tokens":160}': "text",
        '{"input":"the weather","tools":[{"type":"function"}]}': "tools",
        '{"input":[{"role":"user"},{"type":"function_call_output"}]}': "tools_followup",
        '{"text":{"format":{"type":"json_schema"}}}': "json",
        '{"input":"cite something"}': "cite",
    }
    for body, name in asked.items():
        assert next(scene.name for scene in scenes if re.search(scene.pattern, body)) == name
