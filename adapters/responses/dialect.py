"""How one member of the family differs from the others, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from adapters.hub.annotations import Annotation
from adapters.hub.errors import UpstreamError
from adapters.wire_json import Json


@dataclass(frozen=True, slots=True)
class Dialect:
    """One member of the family.

    `decode_annotation(raw)` reads a citation; `decode_error(error)` an error object of the stream;
    `items` renames the member's item types to the hub's kinds; `thinks_in_messages` is set where
    reasoning_text parts stand inside a message, which no client of the family expects.
    """

    name: str
    decode_annotation: Callable[[Json], Annotation]
    decode_error: Callable[[Json], UpstreamError]
    items: Mapping[str, str] = field(default_factory=dict[str, str])
    thinks_in_messages: bool = False
