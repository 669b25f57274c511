"""Nulls that clients send for what they do not say."""

from __future__ import annotations

from typing import Any, Final, cast

from adapters.responses.annotations import EXTENSION
from adapters.wire_json import Json

_DATA: Final = frozenset(
    {"arguments", "parameters", "schema", "result", "response_format", "custom_metadata", EXTENSION}
)
"""Fields that hold what others wrote, where a null is a value."""


def without_nulls(body: Json) -> Json:
    """A copy of the body without the fields that are null; data of the client's own is the same object."""
    return {name: _clean(name, value) for name, value in body.items() if value is not None}


def _clean(name: str, value: Any) -> Any:
    if name in _DATA:
        return value
    if isinstance(value, dict):
        return without_nulls(cast(Json, value))
    if isinstance(value, list):
        return [_clean("", entry) for entry in cast(list[Any], value)]
    return value
