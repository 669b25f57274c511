"""The OpenAPI document: every dialect's paths, headers, examples and errors, and the gateway's own paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast, get_args

from adapters.hub.adapter import Docs, Fidelity, Offsets, Surface
from app.exchange import FIDELITY_HEADER, OFFSETS_HEADER, ON_LOSS_HEADER
from app.http.errors import retry_headers
from app.http.headers import LOSSES_HEADER
from app.openapi import examples
from app.routing import KEY_HEADER, PROVIDER_HEADER

Json = dict[str, Any]

_ABOUT = """One gateway, several dialects: a client speaks the API that it was made for, and any vendor answers.
Citations, tool calls, reasoning, usage and errors are translated both ways; what the vendor cannot be told, or the
answer cannot say, is listed in the header `x-dragoman-losses`."""

_ANSWER = """JSON, or server-sent events where the body asks for a stream. Silence is bridged by comments (`: ping`);
no event has an `id:` line."""


def document(surfaces: Sequence[Surface], providers: Sequence[str], version: str) -> Json:
    """The whole document. A dialect that has no `docs` is left out."""
    told = [(surface, surface.docs) for surface in surfaces if surface.docs is not None]
    paths = {path: {"post": operation} for surface, docs in told for path, operation in _operations(surface, docs)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dragoman", "version": version, "description": _ABOUT},
        "tags": [*({"name": docs.title} for _, docs in told), {"name": _OWN}],
        "paths": {**paths, **_own_paths()},
        "components": {
            "parameters": {name: _parameter(name, *said) for name, said in _request_headers(providers).items()},
            "headers": {name: _header(words) for name, words in _ANSWER_HEADERS.items()},
            "securitySchemes": {name: scheme for surface, docs in told for name, scheme in _schemes(surface, docs)},
        },
    }


# -- the dialects ------------------------------------------------------------------------------------


def _operations(surface: Surface, docs: Docs) -> Iterable[tuple[str, Json]]:
    for number, path in enumerate(surface.paths, 1):
        yield path, _operation(surface, docs, path) | {"operationId": f"{surface.dialect}_{number}"}


def _operation(surface: Surface, docs: Docs, path: str) -> Json:
    pieces = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", path)
    ]
    headers = [{"$ref": f"#/components/parameters/{name}"} for name in _REQUEST_HEADERS]
    return {
        "tags": [docs.title],
        "summary": docs.summary,
        "parameters": [*pieces, *headers],
        "requestBody": {"required": True, "content": _json({"type": "object"}, docs.request)},
        "responses": {"200": _answer(surface, docs), **_errors(surface)},
        "security": [*({name: []} for name, _ in _schemes(surface, docs)), {}],
    }


def _answer(surface: Surface, docs: Docs) -> Json:
    request = surface.decode_request(docs.request)
    streamed = {"schema": {"type": "string"}, "example": examples.stream(surface, request)}
    return {
        "description": _ANSWER,
        "headers": _refs(PROVIDER_HEADER, "x-request-id", LOSSES_HEADER),
        "content": {**_json({"type": "object"}, examples.answer(surface, request)), "text/event-stream": streamed},
    }


def _errors(surface: Surface) -> Json:
    return {
        status: {
            "description": error.message,
            "headers": _refs("x-request-id", *retry_headers(error)),
            "content": _json(_schema(body := surface.encode_error(error)), body),
        }
        for status, error in examples.ERRORS.items()
    }


def _schemes(surface: Surface, docs: Docs) -> Iterable[tuple[str, Json]]:
    for name, scheme in docs.security.items():
        yield f"{surface.dialect}_{name}", scheme


# -- headers -----------------------------------------------------------------------------------------

_Said = tuple[str, Json]

_REQUEST_HEADERS: dict[str, _Said] = {
    PROVIDER_HEADER: ("The vendor that answers; else the model's name decides, else the dialect.", {"type": "string"}),
    KEY_HEADER: ("The vendor's key for this request alone.", {"type": "string"}),
    FIDELITY_HEADER: (
        "How far an answer may go beyond the dialect's own types.",
        {"type": "string", "enum": list(get_args(Fidelity)), "default": "rich"},
    ),
    ON_LOSS_HEADER: (
        "`report` what the vendor cannot be told, or `reject` the request before anything is sent.",
        {"type": "string", "enum": ["report", "reject"], "default": "report"},
    ),
    OFFSETS_HEADER: (
        "What the places of citations count, here and in history sent back; the dialect's own unit unless given.",
        {"type": "string", "enum": list(get_args(Offsets))},
    ),
    "x-request-id": ("The client's own id for the request, which the answer and the log repeat.", {"type": "string"}),
}

_ANSWER_HEADERS = {
    PROVIDER_HEADER: "The vendor that answered.",
    "x-request-id": "The id to quote.",
    LOSSES_HEADER: "The fields that were lost in translation, between commas; absent where nothing was.",
    "retry-after": "Seconds to wait before another try.",
    "retry-after-ms": "The same in milliseconds.",
    "x-should-retry": "`true` where another try may succeed.",
}


def _request_headers(providers: Sequence[str]) -> dict[str, _Said]:
    about, _ = _REQUEST_HEADERS[PROVIDER_HEADER]
    return {**_REQUEST_HEADERS, PROVIDER_HEADER: (about, {"type": "string", "enum": list(providers)})}


def _parameter(name: str, about: str, schema: Json) -> Json:
    return {"name": name, "in": "header", "description": about, "schema": schema}


def _header(about: str) -> Json:
    return {"description": about, "schema": {"type": "string"}}


def _refs(*names: str) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


# -- the gateway's own paths -------------------------------------------------------------------------

_OWN = "The gateway"
_OWN_PATHS: dict[str, tuple[str, dict[str, Json]]] = {
    "/v1/models": (
        "The models of the configured vendors, and aliases.",
        {"200": {"object": "list", "data": [{"id": "m", "object": "model", "created": 0, "owned_by": "vendor"}]}},
    ),
    "/healthz": ("Whether the gateway lives.", {"200": {"status": "ok"}}),
    "/readyz": (
        "Whether it can do its work, and whose key each vendor is called with.",
        {"200": {"status": "ready", "keys": {"vendor": "gateway"}}, "503": {"status": "no vendor", "keys": {}}},
    ),
}


def _own_paths() -> Json:
    return {
        path: {"get": {"tags": [_OWN], "summary": about, "operationId": path[1:].replace("/", "_"), **_told(answers)}}
        for path, (about, answers) in _OWN_PATHS.items()
    }


def _told(answers: Mapping[str, Json]) -> Json:
    responses = {
        status: {"description": str(body.get("status", "The list.")), "content": _json(_schema(body), body)}
        for status, body in answers.items()
    }
    return {"responses": responses, "security": []}


# -- JSON --------------------------------------------------------------------------------------------


def _json(schema: Json, example: Any) -> Json:
    return {"application/json": {"schema": schema, "example": example}}


_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array"}


def _schema(value: Any) -> Json:
    """What a value is; where it is null, anything may stand."""
    if isinstance(value, dict):
        fields = cast(Json, value)
        return {"type": "object", "properties": {name: _schema(inner) for name, inner in fields.items()}}
    return {"type": _TYPES[cast(Any, type(value))]} if value is not None else {}
