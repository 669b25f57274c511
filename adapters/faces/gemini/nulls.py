"""Nulls that clients send for what they do not say."""

from __future__ import annotations

from typing import Any, Final, cast

from adapters.wire_json import Json

_OPEN: Final = frozenset({"input", "content", "summary", "annotations", "generation_config", "tools", "tool_choice"})
"""Fields that hold more of the dialect's own objects; what others hold is data, where a null may be a value."""


def without_nulls(body: Json) -> Json:
    """A copy of the body without the fields that are null; data is the same object."""
    return {name: _clean(value) if name in _OPEN else value for name, value in body.items() if value is not None}


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return without_nulls(cast(Json, value))
    return [_clean(entry) for entry in cast(list[Any], value)] if isinstance(value, list) else value
