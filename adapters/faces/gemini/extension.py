"""What rides along with a step for the vendor that said it: `x_dragoman`, by the encode check.

What a step tells is found by reading it back at once, as it will be read when a client sends it: what the vendor's
own item says otherwise, or besides, is what must ride.
"""

from __future__ import annotations

from typing import Any, Final

from adapters.faces.gemini.retelling import retell_steps
from adapters.hub.errors import BadRequest
from adapters.hub.items import REFUSAL
from adapters.hub.kept import Kept
from adapters.responses.extension import uncited
from adapters.wire_json import Json, as_list, as_object

_APART: Final = frozenset({"id", "encrypted_content"})
"""Fields that are told by a mark of their own."""


def rest_of_item(kept: Kept | None, steps: list[Json]) -> Json:
    """The fields of the vendor's item in the common words that its steps do not tell; {} where they tell all."""
    whole = as_object(kept.data.get("item")) if kept is not None else {}
    if not whole:
        return {}
    item = _retold(steps)
    return {
        key: value
        for key, value in whole.items()
        if key not in _APART and not (key in item and _tells(item[key], value))
    }


def rest_of_part(part: Json, kind: str) -> Json:
    """The fields of the vendor's part of that kind besides its text and its citations."""
    spoken = ("type", "refusal" if kind == REFUSAL else "text", "annotations")
    return {key: value for key, value in part.items() if key not in spoken}


def _retold(steps: list[Json]) -> Json:
    """The steps of one item, read back; {} where they are not read as one."""
    try:
        items = retell_steps([uncited(step) for step in steps])
    except BadRequest:
        return {}
    return items[0].item if len(items) == 1 else {}


def _tells(told: Any, said: Any) -> bool:
    """Whether `told` says all of `said`; parts of a content are told with their own extensions."""
    if isinstance(said, list) and isinstance(told, list):
        parts, others = as_list(said), as_list(told)
        if parts and all(isinstance(part, dict) and "type" in part for part in parts):
            return len(parts) == len(others) and all(map(_is_part, others, parts))
    return told == said


def _is_part(told: Any, said: Any) -> bool:
    one, other = as_object(told), as_object(said)
    return all(one.get(key) == other.get(key) for key in ("type", "text", "refusal"))
