"""An interaction that paused: how it is asked to go on, and how the ends of its pieces become one.

The vendor's own SDK does the same for its users (`google/genai/_interactions_continuation.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from adapters.hub import events as ev
from adapters.hub.kept import Kept, kept_by
from adapters.hub.losses import Ledger
from adapters.interactions.interaction import decode_usage
from adapters.interactions.tables import CONTINUATION
from adapters.wire_json import Json, as_list, as_object

_LISTS = {
    "cached_tokens_by_modality": ("modality", "tokens"),
    "input_tokens_by_modality": ("modality", "tokens"),
    "output_tokens_by_modality": ("modality", "tokens"),
    "tool_use_tokens_by_modality": ("modality", "tokens"),
    "grounding_tool_count": ("type", "count"),
}
"""Fields of the usage that are lists: what their entries are told apart by, and what they count."""


def continue_request(body: Json, ended: ev.Ended, losses: Ledger) -> Json | None:
    """What to send after `body`; None where there is nothing to go on with, or where that is the vendor's own affair.

    "With `store` enabled (the default) the server rebuilds the context from the stored interaction that
    issued `token`", so its id takes the place of the input; "with `store=False` nothing is stored, so the
    original `input` is resent". A token that comes back would make no progress. Agents and background
    interactions are continued by the vendor.
    """
    resume = ended.resume
    if resume is None or resume.token == body.get(CONTINUATION):
        return None
    if body.get("background") or body.get("agent") or body.get("agent_config"):
        return None
    asked = {**body, CONTINUATION: resume.token}
    if not resume.id or body.get("store") is False:
        return asked
    losses.note("id", "the vendor keeps the rest of this answer under another id: a next turn should send the answer")
    asked["previous_interaction_id"] = resume.id
    asked.pop("input", None)
    return asked


def join_ends(wire: str, ids: Sequence[str], ends: Sequence[ev.Ended]) -> ev.Ended:
    """The last end, with the usage of all and the ids of all, as the SDK tells them."""
    told = [usage for end in ends if end.usage is not None and (usage := kept_by(wire, end.usage.raw))]
    last = ends[-1]
    extra = {**(kept_by(wire, last.extra) or {}), "continuation_ids": list(dict.fromkeys(filter(None, ids)))}
    return replace(last, usage=decode_usage(_sum(told), wire), extra=Kept(wire, extra))


def _sum(told: list[Json]) -> Json:
    """The usage of all pieces as one. Every piece reads the input anew; what the first read is told besides."""
    total: Json = {}
    for usage in told:
        for name, value in usage.items():
            if value is not None:
                total[name] = _add(name, total.get(name), value)
    first = told[0] if len(told) > 1 else {}
    read = first.get("initial_input_tokens", first.get("total_input_tokens"))
    return total if read is None else {**total, "initial_input_tokens": read}


def _add(name: str, old: Any, new: Any) -> Any:
    if type(old) is int and type(new) is int:
        return old + new
    if name in _LISTS and isinstance(old, list):
        return _add_entries([*old, *as_list(new)], *_LISTS[name])
    return new


def _add_entries(entries: list[Any], key: str, count: str) -> list[Any]:
    added: dict[str, Json] = {}
    for entry in map(as_object, entries):
        known = added.setdefault(str(entry.get(key)), {**entry, count: 0})
        more = entry.get(count)
        known[count] += more if type(more) is int else 0
    return list(added.values())
