"""JSON of the wires, read and written in one place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import orjson

Json = dict[str, Any]
"""One JSON object of a wire."""

loads = orjson.loads
"""Bytes or text to a value; raises `JsonError` on anything that is not strict JSON."""

dumps = orjson.dumps
"""A value to compact UTF-8 bytes."""


def dumps_to_keep(value: Any) -> bytes:
    """A value to bytes that will be held for long: what `dumps` gives occupies 4 KB or more, however short it is."""
    return bytes(memoryview(dumps(value)))


JsonError = orjson.JSONDecodeError
JsonEncodeError = orjson.JSONEncodeError


def loads_lenient(data: bytes) -> Any:
    """Read JSON that `loads` refuses only for half characters (lone surrogates); raises `JsonError` otherwise.

    The halves are still in the value, and `dumps` refuses them: mend it (`adapters.hub.surrogates`).
    """
    if b"\\ud" not in data.lower():
        raise JsonError("not JSON", "", 0)
    try:
        value = json.loads(data, parse_constant=_refuse, parse_int=_number, parse_float=_number)
    except RecursionError:
        raise JsonError("nested too deep", "", 0) from None
    except ValueError as error:  # of its own type, or of the bytes'
        raise JsonError(str(error), "", 0) from None
    if _is_deep(value):
        raise JsonError("nested too deep", "", 0)
    return value


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _number(digits: str) -> Any:
    """The number that `loads` reads: no integer over 64 bits, nothing infinite."""
    return orjson.loads(digits)


MAX_DEPTH = 200
"""Levels of objects and arrays within each other that are surely written again; `dumps` ends at 254."""


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Any) -> list[Any]:
    """The objects and arrays that `value` holds."""
    if isinstance(value, dict):
        return [entry for entry in cast(Json, value).values() if isinstance(entry, dict | list)]
    return [entry for entry in as_list(value) if isinstance(entry, dict | list)]


def dumps_any(value: Any) -> bytes:
    """The bytes of a value that may hold a vendor's own words, which may be nested deeper than `dumps` can write: then
    what lies below `MAX_DEPTH` becomes null.
    """
    try:
        return dumps(value)
    except JsonEncodeError:
        return dumps(_shallow(value, MAX_DEPTH))


def _shallow(value: Any, room: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    if room == 0:
        return None
    if isinstance(value, dict):
        return {key: _shallow(inner, room - 1) for key, inner in cast(Json, value).items()}
    return [_shallow(inner, room - 1) for inner in cast(list[Any], value)]


def texts_in(value: Any) -> Iterator[str]:
    """Every string of a JSON value, keys too, in no order; however deep it is."""
    rest = [value]
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, inner in cast(Json, value).items():
                rest += (key, inner)
        else:
            rest += as_list(value)


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
    """`value` where it is a whole number that counts something (and whose sums can be written), else 0."""
    return value if type(value) is int and 0 <= value < 1 << 53 else 0
