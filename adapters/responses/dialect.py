"""How one member of the family differs from the others, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from adapters.hub.annotations import Annotation
from adapters.hub.errors import UpstreamError
from adapters.wire_json import Json


class Retelling(Protocol):
    """Tells in the family's words what a member has words of its own for; one for each stream.

    Indexes below 0 are its own: items that the wire tells as pieces of another item have none.
    """

    def event(self, payload: Json, /) -> list[Json] | None:
        """The family's events instead of this one; None where it is not one to be told in other words."""
        ...

    def items(self, index: int, item: Json, /) -> list[tuple[int, Json]]:
        """A finished item of a type in `Dialect.retold`, as items of the family with their indexes."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """One member of the family.

    `decode_annotation(raw)` reads a citation; `decode_error(error)` an error object of the stream;
    `items` renames the member's item types to the hub's kinds; `thinks_in_messages` is set where
    reasoning_text parts stand inside a message, which no client of the family expects. `retelling` makes what tells the
    member's own events, and the items of the types in `retold`, in the family's words.
    """

    name: str
    decode_annotation: Callable[[Json], Annotation]
    decode_error: Callable[[Json], UpstreamError]
    items: Mapping[str, str] = field(default_factory=dict[str, str])
    thinks_in_messages: bool = False
    retelling: Callable[[], Retelling] | None = None
    retold: frozenset[str] = frozenset()
