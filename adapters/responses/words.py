"""How a member of the family spells an answer, as data: what one encoder needs to write for clients of any of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from adapters.hub import events as ev
from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import Annotation
from adapters.hub.items import Outcome
from adapters.hub.request import Request
from adapters.responses import snapshot
from adapters.responses.annotations import encode_annotation
from adapters.responses.grammar_tables import EVENTS
from adapters.responses.tables import BOOKED_EVENTS, ID_PREFIX, ITEM_TYPES, PART_OF, PHASES, PROGRESS_EVENTS, PartWire
from adapters.wire_json import Json


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one dialect.

    `parts` is (item kind, part kind) to spelling; `built` are the kinds of items whose fields are made of the hub's
    words. `events` are all types of events, `progress` those that say an item moved on, `booked` those that are true
    only of what was announced. `needed` are the fields that every response object has.

    `item(kind, id, call_id, name, status)` is an item before its first part, `outcome(outcome, kind)` what a hosted
    call gave; `annotation(annotation, wire, fidelity, length)` a citation, None where the dialect has no type for it.
    `begun(id, model, created_at, request)` is a response that has just begun, `ended(event, now)` what its end adds.
    `usage(raw, usage)` fills a vendor's own usage with what clients read. `native` says whether clients bear items and
    events of no type that they know, `sound` whether audio is heard as it comes, `places` whether citations have a
    place in the text. `end` follows the terminal event.
    """

    wire: str
    item_types: Set[str]
    id_prefixes: Mapping[str, str]
    parts: Mapping[tuple[str, str], PartWire]
    phases: Mapping[str, tuple[str, ...]]
    built: Set[str]
    events: Set[str]
    progress: Set[str]
    booked: Set[str]
    terminal: Mapping[str, str]
    needed: tuple[str, ...]
    item: Callable[[str, str, str, str, str], Json]
    outcome: Callable[[Outcome | None, str], Json]
    annotation: Callable[[Annotation, str, Fidelity, int], Json | None]
    begun: Callable[[str, str, float, Request], Json]
    ended: Callable[[ev.Ended, float], Json]
    usage: Callable[[Any, Json | None], Json | None]
    native: bool = True
    sound: bool = True
    places: bool = True
    end: bytes = b""


def _begun(id: str, model: str, created_at: float, request: Request) -> Json:
    return snapshot.response_object(id, model, created_at, snapshot.echo(request, request.wire))


def _ended(event: ev.Ended, now: float) -> Json:
    fields = snapshot.ended_fields(event)
    return {**fields, "completed_at": int(now) if fields["status"] == "completed" else None}


def responses_words(wire: str) -> Words:
    """The words of OpenAI's Responses, for clients whose unmarked ids are those of `wire`."""
    return Words(
        wire=wire,
        item_types=ITEM_TYPES,
        id_prefixes=ID_PREFIX,
        parts=PART_OF,
        phases=PHASES,
        built=snapshot.BUILT,
        events=EVENTS.keys(),
        progress=PROGRESS_EVENTS,
        booked=BOOKED_EVENTS | {""},
        terminal=TERMINAL,
        needed=("id", "object", "created_at", "model", "output", "tools", "tool_choice", "parallel_tool_calls"),
        item=snapshot.item_object,
        outcome=snapshot.outcome_fields,
        annotation=encode_annotation,
        begun=_begun,
        ended=_ended,
        usage=snapshot.filled_usage,
    )


TERMINAL: Final = {
    "completed": "response.completed",
    "incomplete": "response.incomplete",
    "failed": "response.failed",
    "cancelled": "response.incomplete",  # "there is no response.cancelled event"
}
