"""Ark's tools, and the choice among them, in the common words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adapters.faces.ark.coverage import CHOICES, TOOL_FIELDS, TOOLS, UNKNOWN
from adapters.hub.coverage import Rule, dropped
from adapters.hub.fields import Fields
from adapters.wire_json import Json

_KNOWLEDGE: Final = "knowledge_search"
_SIZES: Final = ((5, "low"), (10, "medium"))
"""`limit`, a number of results up to which a search is of that size; a larger one is high."""

_SPELLED: Final = (5, 10, 20)
"""The numbers that Ark is told for the three sizes, so that nothing is lost of them."""

_OTHER_LIMIT: Final = dropped("another vendor's search has three sizes; the nearest is asked for")

_RENAMED: Final = {
    _KNOWLEDGE: {"vector_store_ids[0]": "knowledge_resource_id", "max_num_results": "limit"},
    "web_search": {"search_context_size": "limit"},
}


class Tools:
    """Retells tools; `private` collects what becomes of their fields elsewhere, `paths` where renamed ones stand."""

    def __init__(self) -> None:
        self.private: dict[str, Rule] = {}
        self.paths: dict[str, str] = {}

    def retell(self, fields: Fields) -> Json:
        """One tool. Raises `BadRequest` where it has no type."""
        kind = fields.needed_text("type")
        if kind in TOOLS and TOOLS[kind].verdict == "rejected":
            self.private[fields.path("type")] = TOOLS[kind]
        if kind in TOOL_FIELDS:
            self._heed(fields, TOOL_FIELDS[kind])
        for common, own in _RENAMED.get(kind, {}).items():
            self.paths[fields.path(common)] = fields.path(own)
        tell = _TELLERS.get(kind)
        return tell(self, fields) if tell is not None else fields.raw

    def _heed(self, fields: Fields, rows: dict[str, Rule] | Any) -> None:
        for key, value in fields.raw.items():
            rule = rows.get(key, UNKNOWN)
            if value is not None and rule.verdict in ("dropped", "rejected"):
                self.private[fields.path(key)] = rule

    def _search(self, fields: Fields) -> Json:
        said: Json = {"type": "web_search"}
        limit, place = fields.integer("limit"), fields.object("user_location")
        if limit is not None:
            said["search_context_size"] = next((size for most, size in _SIZES if limit <= most), "high")
            if limit not in _SPELLED:
                self.private[fields.path("limit")] = _OTHER_LIMIT
        if place is not None:
            inner = fields.inner(place, "user_location")
            self._heed(inner, TOOL_FIELDS["user_location"])
            known = {key: place[key] for key in ("city", "country", "region") if place.get(key) is not None}
            said["user_location"] = {"type": "approximate", **known}
        return said

    def _knowledge(self, fields: Fields) -> Json:
        limit = fields.integer("limit")
        said: Json = {"type": "file_search", "vector_store_ids": [fields.needed_text("knowledge_resource_id")]}
        return said if limit is None else {**said, "max_num_results": limit}


_TELLERS: Final[dict[str, Callable[[Tools, Fields], Json]]] = {
    "web_search": Tools._search,  # pyright: ignore[reportPrivateUsage]
    _KNOWLEDGE: Tools._knowledge,  # pyright: ignore[reportPrivateUsage]
}


def retell_choice(fields: Fields, private: dict[str, Rule]) -> Any:
    """The choice: a word stands as it is, and of objects only the search of knowledge has another name."""
    said = fields.raw.get("tool_choice")
    if not isinstance(said, dict):
        return said
    choice = fields.inner(said, "tool_choice")
    kind = choice.needed_text("type")
    if CHOICES.get(kind, UNKNOWN).verdict == "rejected":
        private["tool_choice"] = CHOICES.get(kind, UNKNOWN)
    return {**choice.raw, "type": "file_search"} if kind == _KNOWLEDGE else choice.raw
