"""JSON Schema as the wire takes it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from adapters.hub.losses import Ledger
from adapters.interactions.schema import encode_schema

Json = dict[str, Any]

ROWS: dict[str, tuple[Json, Json, str]] = {
    "types, references and nesting pass": (
        {"type": ["string", "null"], "$defs": {"a": {"type": "object"}}, "items": {"$ref": "#/$defs/a"}},
        {"type": ["string", "null"], "$defs": {"a": {"type": "object"}}, "items": {"$ref": "#/$defs/a"}},
        "",
    ),
    "an object without properties passes, as recorded": (
        {"type": "object", "properties": {}, "required": []},
        {"type": "object", "properties": {}, "required": []},
        "",
    ),
    "the dialect's name goes": ({"$schema": "https://json-schema.org/x", "type": "object"}, {"type": "object"}, ""),
    "a constant is an enum of one": (
        {"anyOf": [{"const": "a"}, {"const": 1}]},
        {"anyOf": [{"enum": ["a"]}, {"enum": [1]}]},
        "",
    ),
    "open bounds go": (
        {"properties": {"n": {"type": "number", "exclusiveMinimum": 0}}},
        {"properties": {"n": {"type": "number"}}},
        "exclusiveMinimum",
    ),
    "what is not enforced is sent and told": (
        {"items": {"minLength": 1}, "allOf": [{"uniqueItems": True}]},
        {"items": {"minLength": 1}, "allOf": [{"uniqueItems": True}]},
        "minLength, uniqueItems",
    ),
    "properties may be called like keywords": (
        {"properties": {"const": {"type": "string"}, "$schema": {"type": "string"}, "minLength": {"const": 1}}},
        {"properties": {"const": {"type": "string"}, "$schema": {"type": "string"}, "minLength": {"enum": [1]}}},
        "",
    ),
    "values are not schemas": (
        {"enum": [{"const": 1}], "default": {"$schema": 1}, "examples": [{"minLength": 1}]},
        {"enum": [{"const": 1}], "default": {"$schema": 1}, "examples": [{"minLength": 1}]},
        "",
    ),
    "booleans and lists where schemas stand": (
        {"additionalProperties": False, "items": [{"const": 1}, True], "properties": 3, "anyOf": {}},
        {"additionalProperties": False, "items": [{"enum": [1]}, True], "properties": 3, "anyOf": {}},
        "",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_schemas(name: str) -> None:
    schema, sent, told = ROWS[name]
    before, losses = copy.deepcopy(schema), Ledger()
    assert encode_schema(schema, losses, "p") == sent
    assert schema == before
    assert [loss.reason for loss in losses.losses] == ([f"not enforced: {told}"] if told else [])


def test_a_schema_of_any_depth() -> None:
    schema: Json = {}
    for _ in range(5000):
        schema = {"items": schema}
    assert encode_schema(schema, Ledger(), "p")["items"]
