"""JSON Schema as the wire takes it: a copy without what it refuses; the client's own is never touched."""

from __future__ import annotations

from typing import Any, cast

from adapters.hub.losses import Ledger
from adapters.wire_json import Json

_REFUSED = frozenset({"$schema", "exclusiveMinimum", "exclusiveMaximum"})
_UNHEEDED = frozenset(
    {
        "minLength", "maxLength", "minProperties", "maxProperties", "uniqueItems", "contains", "minContains",
        "maxContains", "exclusiveMinimum", "exclusiveMaximum",
    }
)  # fmt: skip
"""`minLength`, `maxLength`, … "are ignored and not enforced"; those that are refused are not sent either."""

_NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
_LISTED = frozenset({"anyOf", "oneOf", "allOf", "prefixItems", "items"})
_NESTED = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties"}
)
_MAX_DEPTH = 100  # levels beyond are passed as they are


def encode_schema(schema: Json, losses: Ledger, path: str) -> Json:
    """Give the schema to send. `path` names it in the client's terms, for what is not enforced."""
    unheeded: set[str] = set()
    copy = _clean(schema, unheeded, 0)
    if unheeded:
        losses.note(path, f"not enforced: {', '.join(sorted(unheeded))}")
    return copy


def _clean(schema: Any, unheeded: set[str], depth: int) -> Any:
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return cast(Any, schema)
    copy: Json = {}
    for key, value in cast(Json, schema).items():
        if key in _UNHEEDED:
            unheeded.add(key)
        if key == "const":
            copy["enum"] = [value]
        elif key not in _REFUSED:
            copy[key] = _clean_inner(key, value, unheeded, depth + 1)
    return copy


def _clean_inner(key: str, value: Any, unheeded: set[str], depth: int) -> Any:
    if isinstance(value, dict) and key in _NAMED:
        return {name: _clean(inner, unheeded, depth) for name, inner in cast(Json, value).items()}
    if isinstance(value, dict) and key in _NESTED:
        return _clean(value, unheeded, depth)
    if isinstance(value, list) and key in _LISTED:
        return [_clean(inner, unheeded, depth) for inner in cast(list[Any], value)]
    return cast(Any, value)
