"""Reading a client's JSON field by field: the right type, or an error that names the field."""

from __future__ import annotations

from typing import Any, cast

from adapters.hub.errors import BadRequest
from adapters.hub.kept import Kept
from adapters.wire_json import Json, JsonEncodeError, dumps

_NAMES = {str: "a string", bool: "a boolean", int: "an integer", float: "a number", dict: "an object", list: "an array"}


def mistyped(path: str, expected: str, value: Any) -> BadRequest:
    """The error for a value of the wrong type."""
    given = "null" if value is None else _NAMES.get(cast(Any, type(value)), "another type")
    return BadRequest(f"'{path}' must be {expected}, not {given}.", code="invalid_type", param=path)


def missing(path: str) -> BadRequest:
    """The error for a field that is not there."""
    return BadRequest(f"Missing required parameter: '{path}'.", code="missing_required_parameter", param=path)


def check_depth(body: Json) -> None:
    """Raise `BadRequest` for a body that could not be written again."""
    try:
        dumps(body)
    except JsonEncodeError:
        raise BadRequest("the body is nested too deep") from None


_NOTHING: tuple[Any, ...] = (None, [], {})


class Fields:
    """One JSON object of a request in the dialect `wire`, and the path it stands at. null means absent.

    `unread` collects the paths of fields that nobody here has a place for, of this object and all inside it.
    """

    __slots__ = ("_path", "raw", "unread", "wire")

    def __init__(self, raw: Any, wire: str, path: str = "", unread: list[str] | None = None) -> None:
        if not isinstance(raw, dict):
            raise mistyped(path or "body", "an object", raw)
        self.raw = cast(Json, raw)
        self.wire = wire
        self.unread: list[str] = [] if unread is None else unread
        self._path = path

    @property
    def here(self) -> str:
        """Where the object itself stands."""
        return self._path

    def source(self) -> Kept:
        """The object as the client sent it."""
        return Kept(self.wire, self.raw)

    def inner(self, raw: Any, name: str) -> Fields:
        """An object inside this one, which stands at `name`."""
        return Fields(raw, self.wire, self.path(name), self.unread)

    def leave(self, known: frozenset[str]) -> None:
        """Done with this object: fields that are not `known`, and say something, stay unread."""
        self.unread += [self.path(key) for key, value in self.raw.items() if key not in known and value not in _NOTHING]

    def objects(self, name: str) -> list[Fields]:
        """The objects of the array `name`."""
        return [self.inner(raw, f"{name}[{number}]") for number, raw in enumerate(self.array(name))]

    def path(self, name: str) -> str:
        """Where the field `name` stands, as `input[2].content`."""
        return f"{self._path}.{name}" if self._path else name

    def text(self, name: str) -> str | None:
        value = self.raw.get(name)
        if value is not None and type(value) is not str:
            raise mistyped(self.path(name), "a string", value)
        return value

    def needed_text(self, name: str) -> str:
        value = self.text(name)
        if value is None:
            raise missing(self.path(name))
        return value

    def flag(self, name: str) -> bool | None:
        value = self.raw.get(name)
        if value is not None and type(value) is not bool:
            raise mistyped(self.path(name), "a boolean", value)
        return value

    def integer(self, name: str) -> int | None:
        value = self.raw.get(name)
        if value is not None and type(value) is not int:
            raise mistyped(self.path(name), "an integer", value)
        return value

    def number(self, name: str) -> float | None:
        value = self.raw.get(name)
        if value is not None and (type(value) is bool or not isinstance(value, int | float)):
            raise mistyped(self.path(name), "a number", value)
        return value

    def object(self, name: str) -> Json | None:
        value = self.raw.get(name)
        if value is not None and not isinstance(value, dict):
            raise mistyped(self.path(name), "an object", value)
        return cast(Json | None, value)

    def array(self, name: str) -> list[Any]:
        value = self.raw.get(name)
        if value is not None and not isinstance(value, list):
            raise mistyped(self.path(name), "an array", value)
        return cast(list[Any], value or [])

    def choice(self, name: str, allowed: tuple[str, ...]) -> str | None:
        value = self.text(name)
        if value is not None and value not in allowed:
            said = ", ".join(f"'{word}'" for word in allowed)
            path = self.path(name)
            raise BadRequest(f"Invalid value '{value}' for '{path}'. Supported values: {said}.", param=path)
        return value
