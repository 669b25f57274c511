"""What the grammar remembers of a stream: its items, their parts, their texts; and how two snapshots differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from adapters.hub.spans import TextIndex
from adapters.responses.grammar_tables import IDENTITY, STREAMED, VOLATILE, Fields
from adapters.wire_json import Json

Report = Callable[[str, str], None]
"""Takes a rule and what breaks it."""

_NONE: tuple[Any, ...] = (None, [])  # Ark leaves out a list that is empty


@dataclass(slots=True)
class TextState:
    """One text that deltas build; `final` is its done value."""

    pieces: list[str] = field(default_factory=list[str])
    final: str | None = None

    def add(self, delta: str) -> None:
        """The next piece."""
        self.pieces.append(delta)

    def whole(self) -> str:
        """All pieces in order."""
        return "".join(self.pieces)


@dataclass(slots=True)
class PartState:
    """One part of an item.

    `index` measures its text, and `reach` is the last place in it that an annotation points at; `closed` is the final
    snapshot.
    """

    kind: str
    index: TextIndex
    text: TextState = field(default_factory=TextState)
    annotations: list[Json] = field(default_factory=list[Json])
    reach: int = 0
    closed: Json | str | None = None


@dataclass(slots=True)
class ItemState:
    """One item, from its announcement on; `done` is the snapshot that closed it, `phase` the last one heard of."""

    kind: str
    id: str
    added: Json
    value: TextState = field(default_factory=TextState)
    parts: dict[str, list[PartState]] = field(default_factory=dict[str, list[PartState]])
    phase: str = ""
    done: Json | None = None

    def open_parts(self) -> list[str]:
        """The names of the parts that are not closed."""
        return [
            f"{place}[{index}]"
            for place, parts in self.parts.items()
            for index, part in enumerate(parts)
            if part.closed is None
        ]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way into a snapshot. Spelled out only where something differs, which keeps comparing linear."""

    parent: Step | None
    key: str | int

    def names(self) -> list[str]:
        """The keys from the root, each with its indexes: ["output[0]", "status"]."""
        steps: list[str | int] = []
        step: Step | None = self
        while step is not None:
            steps.append(step.key)
            step = step.parent
        names = [""]
        for key in reversed(steps):
            if isinstance(key, int):
                names[-1] += f"[{key}]"
            else:
                names.extend(key.split("."))
        return names[1:]


def word(value: Any) -> str:
    """The value where it is a string, else ""."""
    return value if isinstance(value, str) else ""


def dig(value: Json, path: tuple[str, ...]) -> Any:
    """The value at the end of `path`; None where the path breaks off."""
    found: Any = value
    for key in path:
        found = cast("Json", found).get(key) if isinstance(found, dict) else None
    return found


def require(fields: Fields, value: Json, where: str, report: Report, *, late: frozenset[str] = frozenset()) -> bool:
    """Whether `value` has all `fields`; those in `late` may be absent. Reports what is missing or of a wrong type."""
    complete = True
    for name, types in fields.items():
        found = value.get(name)
        if type(found) in types or (found is None and name in late):
            continue
        complete = False
        if found is None:
            report("field-missing", f"{where}{name} is {'null' if name in value else 'absent'}")
        else:
            report("field-type", f"{where}{name} is of type {type(found).__name__}")
    return complete


def compare(before: Any, after: Any, where: str, report: Report) -> None:
    """Report where two snapshots differ, volatile keys aside. Absent and null are the same. Never recurses."""
    pairs = [(before, after, Step(None, where))]
    while pairs:
        one, other, step = pairs.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            pairs.extend(_by_key(cast("Json", one), cast("Json", other), step))
        elif isinstance(one, list) and isinstance(other, list):
            pairs.extend(_by_index(cast("list[Any]", one), cast("list[Any]", other), step))
        elif one != other and not (one in _NONE and other in _NONE):
            names = step.names()
            report(_broken_by(names), f"{'.'.join(names)[:200]} was {shorten(one)} and is now {shorten(other)}")


def shorten(value: Any) -> str:
    """The value as words of a message, cut to a readable length."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 48 else f"{value[:40]!r}… ({len(value)} characters)"
    if isinstance(value, dict | list):
        return f"a{'n object' if isinstance(value, dict) else ' list'} of {len(cast('list[Any]', value))}"
    return "absent" if value is None else str(value)


def _by_key(one: Json, other: Json, step: Step) -> list[tuple[Any, Any, Step]]:
    keys = [key for key in {**one, **other} if key not in VOLATILE]
    return [(one.get(key), other.get(key), Step(step, key)) for key in reversed(keys)]


def _by_index(one: list[Any], other: list[Any], step: Step) -> list[tuple[Any, Any, Step]]:
    count = max(len(one), len(other))
    pairs = [(_at(one, index), _at(other, index), Step(step, index)) for index in range(count)]
    return pairs[::-1]


def _at(values: list[Any], index: int) -> Any:
    return values[index] if index < len(values) else None


def _broken_by(names: list[str]) -> str:
    """The rule that a difference there breaks; an item's own fields stand one step below the item."""
    keys = [name.partition("[")[0] for name in names]
    if "annotations" in keys:
        return "annotation-list"
    if len(keys) == 2 and keys[0] in ("item", "output"):
        if keys[1] in IDENTITY:
            return "item-identity"
        if keys[1] == "status":
            return "item-status"
    return "text-equal" if keys[-1] in STREAMED else "snapshot-equal"
