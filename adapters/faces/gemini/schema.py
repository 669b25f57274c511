"""Which schemas a vendor can hold an answer to without exception."""

from __future__ import annotations

from typing import Any, Final, cast

from adapters.wire_json import Json, as_list, as_object

_NAMED: Final = ("properties", "$defs", "definitions")
_LISTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAX_DEPTH: Final = 100  # levels; a schema that is deeper is not called strict


def is_strict(schema: Json) -> bool:
    """Whether every object of the schema names all that it holds: "`additionalProperties: false` must always be set in
    objects", "all fields must be `required`". Other schemas are refused where strictness is asked for.
    """
    rest: list[tuple[Any, int]] = [(schema, 0)]
    while rest:
        value, depth = rest.pop()
        if depth > _MAX_DEPTH or not isinstance(value, dict):
            return False
        inner = cast(Json, value)
        if not _is_closed(inner):
            return False
        for key in _NAMED:
            rest += [(entry, depth + 1) for entry in as_object(inner.get(key)).values()]
        for key in _LISTED:
            rest += [(entry, depth + 1) for entry in as_list(inner.get(key))]
        if "items" in inner:
            rest.append((inner["items"], depth + 1))
    return True


def _is_closed(schema: Json) -> bool:
    kinds = schema.get("type")
    if kinds != "object" and "object" not in as_list(kinds) and "properties" not in schema:
        return True
    required = [name for name in as_list(schema.get("required")) if isinstance(name, str)]
    return schema.get("additionalProperties") is False and set(required) == as_object(schema.get("properties")).keys()
