"""Where citations stand, told in the unit that a client's program slices text by.

Behind the door all places are the dialect's own; what vendors said themselves, as the extension key holds it, stays.
"""

from __future__ import annotations

from typing import Any, Final, cast

from adapters.hub.spans import Offsets, Recount
from adapters.wire_json import Json

_HOLDERS: Final = ("content", "summary")
"""Fields of an item, or step, that hold blocks of text."""

_STARTS: Final = ("start_index", "startIndex")
_ENDS: Final = ("end_index", "endIndex")
"""Places as they are spelled, the second as the REST reference of the Interactions wire does."""

_POINTS: Final = ("file_citation", "doc_citation")
"""Citations whose `index` is a place in the text; the second is what a member of the family calls the first."""


def recount(citation: Json, text: Recount) -> Json:
    """A citation of `text` with its places told in the other unit.

    The index of a `file_citation` is "the index in the output text at which to insert"; a `file_path` means a place
    in a list of files by the same name.
    """
    told: Json = {key: text.start(citation[key]) for key in _STARTS if type(citation.get(key)) is int}
    told |= {key: text.end(citation[key]) for key in _ENDS if type(citation.get(key)) is int}
    if type(point := citation.get("index")) is int and citation.get("type") in _POINTS:
        told["index"] = text.end(point)
    return citation | told


def recount_content(value: Any, source: Offsets, target: Offsets) -> Any:
    """An item, a step or a block of text, or a list of them, whose citations count by `source`, told in `target`.

    Gives a copy where anything changes; what has another shape is left for its reader to judge.
    """
    if source == target:
        return value
    if isinstance(value, list):
        return [recount_content(inner, source, target) for inner in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    fields = cast(Json, value)
    told: Json = {key: recount_content(fields[key], source, target) for key in _HOLDERS if key in fields}
    text, citations = fields.get("text"), fields.get("annotations")
    if isinstance(text, str) and isinstance(citations, list) and citations:
        counted = Recount(source, target)
        counted.feed(text)
        given = cast(list[Any], citations)
        told["annotations"] = [recount(cite, counted) if isinstance(cite, dict) else cite for cite in given]  # pyright: ignore[reportUnknownArgumentType]
    return fields | told
