"""The types of a wire's own objects, wherever they stand in a body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from adapters.wire_json import Json

USERS_OWN = {"arguments", "result", "parameters", "input_schema", "schema", "output"}
"""Where the words of a program stand, whose types are none of the wire's."""


def wire_types(value: Any) -> Iterator[str]:
    """The types of the wire's own objects."""
    if isinstance(value, list):
        for inner in cast(list[Any], value):
            yield from wire_types(inner)
    elif isinstance(value, dict):
        for key, inner in cast(Json, value).items():
            if key == "type" and isinstance(inner, str):
                yield inner
            elif key not in USERS_OWN:
                yield from wire_types(inner)
