"""What a wire said and the hub has no place for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapters.wire_json import Json


@dataclass(slots=True)
class Kept:
    """Verbatim leftovers of one wire.

    `wire` names who said it ("openai", "gemini", "ark"); `data` is what was said, untouched. Only
    the wire of that name may look inside: it goes back there unchanged and to nobody else.
    """

    wire: str
    data: Json


def leftovers(wire: str, source: Json, known: frozenset[str]) -> Kept | None:
    """Keep the fields of `source` that are not `known`; None when there are none."""
    if source.keys() <= known:
        return None
    return Kept(wire, {key: value for key, value in source.items() if key not in known})


def kept_by(wire: str, extra: Kept | None) -> dict[str, Any] | None:
    """Give what `wire` itself kept, or None when the leftovers are absent or another wire's."""
    return extra.data if extra is not None and extra.wire == wire else None
