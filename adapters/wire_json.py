"""JSON of the wires, read and written in one place."""

from __future__ import annotations

import json
from typing import Any, cast

import orjson

Json = dict[str, Any]
"""One JSON object of a wire."""

loads = orjson.loads
"""Bytes or text to a value; raises `JsonError` on anything that is not strict JSON."""

dumps = orjson.dumps
"""A value to compact UTF-8 bytes."""

JsonError = orjson.JSONDecodeError
JsonEncodeError = orjson.JSONEncodeError


def loads_lenient(data: bytes) -> Any:
    """Read JSON that `loads` refuses only for half characters (lone surrogates); raises ValueError otherwise."""
    if b"\\ud" not in data.lower():
        raise ValueError("not JSON")
    try:
        return json.loads(data, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def as_object(value: Any) -> Json:
    """`value` where it is a JSON object, else an empty one."""
    return cast(Json, value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """`value` where it is a JSON array, else an empty one."""
    return cast(list[Any], value) if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """`value` where it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def as_count(value: Any) -> int:
    """`value` where it is a whole number, else 0."""
    return value if type(value) is int else 0
