"""What the laws ask of JSON values: equality, what is inside, and copies that differ in one place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from adapters.wire_json import Json

Place = tuple[str | int, ...]
"""Where a value stands inside a JSON value."""


def same(value: Any) -> str:
    """A text that is equal exactly for equal JSON: 1, 1.0 and true are three values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def objects(value: Any) -> Iterator[Json]:
    """Every object inside a JSON value, the outer ones first."""
    if isinstance(value, dict):
        found = cast(Json, value)
        yield found
        value = list(found.values())
    if isinstance(value, list):
        for inner in cast(list[Any], value):
            yield from objects(inner)


def cited(body: Json) -> list[tuple[str, list[Json]]]:
    """The texts of an answer with their annotations, in the vendor's own words and order."""
    blocks = (value for value in objects(body) if isinstance(value.get("text"), str) and value.get("annotations"))
    return [(block["text"], block["annotations"]) for block in blocks]


def texts(value: Any) -> Iterator[str]:
    """Every string inside a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in cast(list[Any], value):
            yield from texts(inner)
    elif isinstance(value, dict):
        for key, inner in cast(Json, value).items():
            yield key
            yield from texts(inner)


def leaves(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value without inner values, with its place."""
    inner: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        inner = cast(Json, value).items()
    elif isinstance(value, list):
        inner = enumerate(cast(list[Any], value))
    found = False
    for key, each in inner:
        found = True
        yield from leaves(each, (*at, key))
    if not found:
        yield at, value


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """The place of every value inside."""
    if isinstance(value, dict):
        keys: Iterable[str | int] = cast(Json, value).keys()
    else:
        keys = range(len(cast(list[Any], value))) if isinstance(value, list) else ()
    for key in keys:
        yield (*at, key)
        yield from places(cast(Any, value)[key], (*at, key))


def spelled(at: Place) -> str:
    """A place as errors and losses spell it: input[2].content."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in at).removeprefix(".")


def without(value: Any, place: Place) -> Any:
    """A copy without what stands at `place`."""
    copy = json.loads(json.dumps(value))
    del at(copy, place[:-1])[place[-1]]
    return copy


def replaced(value: Any, place: Place, new: Any) -> Any:
    """A copy with `new` at `place`."""
    copy = json.loads(json.dumps(value))
    at(copy, place[:-1])[place[-1]] = new
    return copy


def at(value: Any, place: Place) -> Any:
    """What stands at `place`."""
    for key in place:
        value = value[key]
    return value
