"""What rides with an item beyond the hub's words, so that its steps go back as they came.

Written by the decoder as the item's `extra` and read where the item is sent back:

    steps      the whole steps, where the item is told by them alone
    block      the content block that the item is
    continues  the item belongs to the same step as the one before it
    blocks     of a message's step: blocks that are no text, and what a text block says besides, each with
               its place `at` among the message's blocks
    before     steps that tell a reader nothing, and stood before the item's own
    after      the same, behind it
    usage      what the step cost
    …          every other key is a field of the item's own step
"""

from __future__ import annotations

from typing import Any

from adapters.wire_json import Json, as_list, as_object

_ASIDE = frozenset({"steps", "block", "continues", "blocks", "before", "after", "usage"})


def steps_of(kept: Json, name: str) -> list[Json]:
    """The steps that stand under `name`."""
    return [step for step in map(as_object, as_list(kept.get(name))) if step]


def silent_steps(kept: Json) -> list[Json]:
    """The steps that tell a reader nothing, and rode with the item."""
    return [*steps_of(kept, "before"), *steps_of(kept, "after")]


def fields_of(kept: Json) -> Json:
    """The fields of the item's own step."""
    return {key: value for key, value in kept.items() if key not in _ASIDE}


def restored(kept: Json, content: list[Json]) -> list[Json]:
    """A message's blocks, of its texts `content`: with those that are no text, and with all that a text block said."""
    whole: list[Json] = list(content)
    for entry in map(as_object, as_list(kept.get("blocks"))):
        at, block, rest = _place(entry.get("at"), len(whole)), as_object(entry.get("block")), entry.get("rest")
        if block:
            whole.insert(at, block)
        elif at < len(whole):
            whole[at] = whole[at] | as_object(rest)
    return whole


def _place(at: Any, length: int) -> int:
    return min(max(at, 0), length) if type(at) is int else length
