"""The items and parts of one response, from the family's many tellings to one walk.

The stream says everything several times: in deltas, in `*.done`, in `output_item.done` and in the
terminal response. The deltas are believed first; a later word that continues them is walked as what
is missing, and one that contradicts them is dropped, so that a client never sees two truths.
"""

from __future__ import annotations

from typing import Any

from adapters.hub import events as ev
from adapters.hub.items import FUNCTION_CALL, MESSAGE, REASONING, THOUGHT, Signature
from adapters.hub.kept import Kept
from adapters.responses.dialect import Dialect
from adapters.responses.places import Places, is_other
from adapters.responses.state import ItemState, PartState, decode_outcome
from adapters.responses.tables import (
    CALL_TEXT,
    FUNCTION_ARGUMENTS,
    ID_PREFIX,
    MESSAGE_PARTS,
    PART_OF,
    PART_WIRES,
    REASONING_PARTS,
    SUMMARY,
    TEXT,
    PartWire,
)
from adapters.wire_json import Json, as_list, as_object, as_text, dumps

SPOKEN = frozenset({"content", "summary", "arguments", "input", "code"})
"""Fields of an item that its parts tell."""

_STATUS: dict[str, ev.ItemStatus] = {"completed": "completed", "incomplete": "incomplete", "failed": "failed"}
_THOUGHT = MESSAGE_PARTS["reasoning_text"]
_OWNER = {wire.stem: kind for (kind, _), wire in PART_OF.items()}
_TOLD = frozenset(_OWNER.values())
_SEALED = frozenset({"encrypted_content", "fingerprint"})
_SKELETON = {
    wire.stem: {"type", wire.field} | ({"annotations", "logprobs"} if wire.citable else set[str]())
    for wire in PART_WIRES
}


class ItemWalk:
    """Keeps what was walked of every item, and gives the events for what is new."""

    __slots__ = ("_dialect", "_early", "_places", "late", "open_parts", "order")

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._places = Places()
        self._early: dict[int, list[str]] = {}  # by output_index: the text of calls whose name is not known yet
        self.late: dict[int, Signature] = {}
        """Seals of reasoning that only the terminal response tells, by the hub's number of the item."""
        self.order: list[ItemState] = []
        """The items as the hub counts them."""
        self.open_parts: dict[tuple[Any, str, Any], PartState] = {}
        """By output_index, spelling and number, where these say enough; parts stay here when they close."""

    # -- items -------------------------------------------------------------------------------

    def state(self, payload: Json) -> ItemState | None:
        """The item that an event speaks of, where it was announced."""
        return self._places.at(payload.get("output_index"), payload.get("item_id"))

    def start_item(self, index: int, item: Json) -> list[ev.Event]:
        """Open an item, unless it was announced before."""
        type_ = as_text(item.get("type")) or MESSAGE
        kind, id_ = self._dialect.items.get(type_, type_), as_text(item.get("id"))
        known = self._places.at(index, id_, kind)
        if known is not None and not is_other(known, item) and (known.open or known.id == id_ != ""):
            return []
        if known is not None:
            for key in [key for key in self.open_parts if key[0] == index]:
                del self.open_parts[key]
        state = ItemState(-1, kind, type_, id_, index, item)
        self._places.add(state)
        if self._dialect.thinks_in_messages and kind == MESSAGE:
            return []  # a message waits for its first word
        return self._open(state) + self._say_early(state)

    def _open(self, state: ItemState) -> list[ev.Event]:
        state.number = len(self.order)
        self.order.append(state)
        item = state.announced
        call_id, name, namespace = (as_text(item.get(key)) for key in ("call_id", "name", "namespace"))
        announced = item.keys() > {"type", "id"}  # else this walk opens it, where the wire forgot to
        if announced and state.kind in _TOLD and any(map(item.get, SPOKEN)):
            item = _unspoken(item)  # its parts tell its texts, which begin empty whatever a server announces
        kept = Kept(self._dialect.name, {"item": item}) if announced else None
        return [ev.ItemStarted(state.number, state.kind, state.id, call_id, name, kept, namespace)]

    def _release(self, state: ItemState) -> list[ev.Event]:
        """Open a message that was held back; its thoughts are over."""
        thoughts = self._close_item(state.thoughts, "completed") if state.thoughts is not None else []
        return [*thoughts, *self._open(state)]

    def end_item(self, index: int, item: Json) -> list[ev.Event]:
        """Close the item with the wire's last word on it; opens it first where nobody announced it."""
        type_ = as_text(item.get("type")) or MESSAGE
        kind = self._dialect.items.get(type_, type_)
        known = self._places.at(index, item.get("id"), kind)
        events: list[ev.Event] = []
        # an open item may close under another id: some proxies give every event a new one
        if known is None or (known.type != type_ if known.open else is_other(known, item)):
            events += self.start_item(index, _as_begun(item))
            known = self._places.at(index, item.get("id"), kind)
        return events + self._finish(known, item) if known is not None else events

    def _finish(self, state: ItemState, item: Json) -> list[ev.Event]:
        if not state.open:
            return []
        events: list[ev.Event] = []
        told = _parts_of(state.kind, item)
        for wire, number, raw in told:
            part, opened = self.part(state, wire, number)
            events += opened
            events += self.end_part(part, raw)
        if state.held:
            events += self._release(state)
        if state.thoughts is not None:
            events += self._close_item(state.thoughts, "completed")
        if state.aside or len(state.parts) != len(told):
            state.consistent = False
        return [*events, *self._end(state, item)]

    def _end(self, state: ItemState, item: Json) -> list[ev.Event]:
        closed = self._close_parts(state)
        state.open = False
        state.final = item if state.consistent else None
        kept = item if state.consistent else {key: value for key, value in item.items() if key not in SPOKEN}
        blob = _blob(state, item) or _blob(state, state.announced)
        state.sealed = bool(blob)
        ended = ev.ItemEnded(
            state.number,
            _STATUS.get(as_text(item.get("status"))) if "status" in item else None,
            Signature(self._dialect.name, blob) if blob else None,
            decode_outcome(state.kind, item),
            Kept(self._dialect.name, {"item": kept}),
        )
        return [*closed, ended]

    def final_items(self, output: list[tuple[int, Json]]) -> list[ev.Event]:
        """Walk the terminal response's items: news only where the stream did not tell them."""
        events: list[ev.Event] = []
        for state, index, item in self._places.ranked(output):
            if state is None:
                events += self.end_item(index if index < 0 else self._places.next_index(), item)
                continue
            events += self._finish(state, item)
            if not state.sealed and (blob := _blob(state, item)):
                self.late[state.number] = Signature(self._dialect.name, blob)
        return events

    def close_items(self, status: ev.ItemStatus) -> list[ev.Event]:
        """End what is still open, in the order it was opened. A message that never said a word was never there."""
        for state in self._places.items:
            state.open = state.open and not state.held
        return [event for state in self.order for event in self._close_item(state, status)]

    def _close_item(self, state: ItemState, status: ev.ItemStatus) -> list[ev.Event]:
        if not state.open:
            return []
        state.open = False
        return [*self._close_parts(state), ev.ItemEnded(state.number, status)]

    def agrees(self, output: list[tuple[int, Json]]) -> bool:
        """Whether the terminal response says of every item what the stream said."""
        return len(output) == len(self.order) and all(map(_agrees, self.order, (item for _, item in output)))

    # -- parts -------------------------------------------------------------------------------

    def find(self, payload: Json, wire: PartWire) -> tuple[PartState, list[ev.Event]] | None:
        """The part an event speaks of, and the events that open it (and its item) where the stream forgot to.

        None where the event names no part that can be open.
        """
        index, id_ = payload.get("output_index"), payload.get("item_id")
        number = payload.get(wire.index, 0) if wire.index else 0
        if type(number) is not int:
            return None
        known = self.open_parts.get((index, wire.stem, number)) if type(index) is int else None
        if known is not None and known.item.open:
            return known, []
        owner = _OWNER[wire.stem]
        state, events = self._places.at(index, id_, owner), list[ev.Event]()
        if state is None or (state.open and not _fits(state, wire, id_)):
            if type(index) is not int or owner in CALL_TEXT:
                return None  # a call cannot be opened without its name
            events += self.start_item(index, {"type": owner, "id": id_})
            state = self._places.at(index, id_, owner)
        if state is None or not state.open:
            return None
        part, opened = self.part(state, wire, number)
        if not self._places.is_shared(state.index):
            self.open_parts[(state.index, wire.stem, number)] = part
        return part, events + opened

    def part(self, state: ItemState, wire: PartWire, number: int) -> tuple[PartState, list[ev.Event]]:
        """The part, and the events that open it (and a held item) where it is new."""
        if state.kind == REASONING and wire is TEXT:
            wire = _THOUGHT
        known = state.parts.get((wire.stem, number)) or state.aside.get((wire.stem, number))
        if known is not None:
            return known, []
        owner, events = self._owner(state, wire)
        part = PartState(owner, len(owner.parts), wire)
        owner.parts[(wire.stem, number)] = part
        if owner is not state:
            state.aside[(wire.stem, number)] = part
        return part, [*events, ev.PartStarted(owner.number, part.number, wire.kind)]

    def _owner(self, state: ItemState, wire: PartWire) -> tuple[ItemState, list[ev.Event]]:
        """The item a part belongs to, and the events that open it.

        Thoughts that stand inside a message become a reasoning item before it: no client of the
        family looks for them there.
        """
        if state.kind != MESSAGE or wire.kind != THOUGHT:
            return state, self._release(state) if state.held else []
        if state.thoughts is not None and state.thoughts.open:
            return state.thoughts, []
        state.thoughts = ItemState(-1, REASONING, REASONING, "", state.index, {"type": REASONING})
        return state.thoughts, self._open(state.thoughts)

    def shape(self, opened: list[ev.Event], part: PartState, raw: Json) -> list[ev.Event]:
        """Keep the wire's own opening part where it is not the usual empty one."""
        if opened and isinstance(opened[-1], ev.PartStarted) and raw.keys() != _SKELETON[part.wire.stem]:
            said = {key: value for key, value in raw.items() if key != part.wire.field or not value}
            opened[-1] = ev.PartStarted(
                part.item.number, part.number, part.wire.kind, extra=Kept(self._dialect.name, {"part": said})
            )
        return opened

    def cite(self, part: PartState, raw: Json) -> ev.Event:
        """One more citation of the part."""
        part.cites.append(raw)
        return ev.Annotated(part.item.number, part.number, self._dialect.decode_annotation(raw))

    def say(self, part: PartState, text: str, extra: Kept | None = None) -> ev.Event:
        """One more piece of the part's text."""
        part.pieces.append(text)
        return ev.Delta(part.item.number, part.number, text, extra)

    def keep_early(self, payload: Json, wire: PartWire, text: str) -> bool:
        """Keep what is said of a call that is not announced yet; False where the event speaks of no such call."""
        index = payload.get("output_index")
        if type(index) is not int or _OWNER[wire.stem] not in CALL_TEXT or self.state(payload) is not None:
            return False
        self._early.setdefault(index, []).append(text)
        return True

    def _say_early(self, state: ItemState) -> list[ev.Event]:
        pieces = self._early.pop(state.index, None)
        if pieces is None or state.kind not in CALL_TEXT:
            return []
        part, opened = self.part(state, CALL_TEXT[state.kind], 0)
        return [*opened, self.say(part, "".join(pieces))]

    def complete(self, part: PartState, whole: Any) -> list[ev.Event]:
        """What is missing of the text; a whole that contradicts the deltas marks the item inconsistent."""
        text = part.text()
        if whole == text:
            return []
        if not isinstance(whole, str) or not part.open or not whole.startswith(text):
            part.item.consistent = False
            return []
        return [self.say(part, whole[len(text) :])]

    def _complete_cites(self, part: PartState, whole: list[Json]) -> list[ev.Event]:
        """What is missing of the citations; a whole that contradicts those that came marks the item inconsistent."""
        count = len(part.cites)
        if whole[:count] != part.cites or (len(whole) > count and not part.open):
            part.item.consistent = False
            return []
        return [self.cite(part, cite) for cite in whole[count:]]

    def end_part(self, part: PartState, raw: Json) -> list[ev.Event]:
        """Close the part with the wire's last word on it."""
        events = self.complete(part, raw.get(part.wire.field))
        cites = as_list(raw.get("annotations"))
        if cites != part.cites:
            events += self._complete_cites(part, [as_object(cite) for cite in cites])
        if part.wire.citable and not isinstance(raw.get("annotations"), list):
            part.item.consistent = False
        if not part.open:
            return events
        if part.wire is FUNCTION_ARGUMENTS and not part.text() and raw.get("status") != "incomplete":
            part.item.consistent = False
            events.append(self.say(part, "{}"))  # a function called without arguments: "" is not JSON
        part.open = False
        return [*events, ev.PartEnded(part.item.number, part.number, extra=self._kept_of(part, raw))]

    def _kept_of(self, part: PartState, raw: Json) -> Kept | None:
        plain = part.wire.index is None or (raw.keys() == _SKELETON[part.wire.stem] and not raw.get("logprobs"))
        said: Json = {} if plain else {"part": raw}
        if part.logprobs != ():
            said["logprobs"] = part.logprobs
        return Kept(self._dialect.name, said) if said else None

    def _close_parts(self, state: ItemState) -> list[ev.Event]:
        events: list[ev.Event] = []
        for part in state.parts.values():
            if part.open:
                part.open = False
                events.append(ev.PartEnded(state.number, part.number))
        return events


def _fits(state: ItemState, wire: PartWire, id: Any) -> bool:
    """Whether such a part may stand in the item, where its events also name the item's id."""
    if (state.kind, wire.kind) in PART_OF or state.kind not in ID_PREFIX:
        return True
    named = not state.id or as_text(id) in ("", state.id)
    return (state.kind, wire.kind) in ((MESSAGE, THOUGHT), (REASONING, TEXT.kind)) and named


def _blob(state: ItemState, item: Json) -> str:
    return as_text(item.get("encrypted_content")) if state.kind == REASONING else ""


def _unspoken(item: Json) -> Json:
    return {key: type(value)() if key in SPOKEN and value else value for key, value in item.items()}


def _as_begun(item: Json) -> Json:
    """What an item that comes all at once would have said of itself at its start: nothing spoken yet."""
    begun = _unspoken(item)
    return begun | {"status": "in_progress"} if "status" in item else begun


def _parts_of(kind: str, item: Json) -> list[tuple[PartWire, int, Json]]:
    """The parts of a finished item: spelling, number within its list, the part itself."""
    if kind in CALL_TEXT:
        wire = CALL_TEXT[kind]
        text = item.get(wire.field)
        if kind == FUNCTION_CALL and not isinstance(text, str):
            return [(wire, 0, {**item, wire.field: dumps(text).decode() if text else ""})]
        return [(wire, 0, item)] if isinstance(text, str) else []
    found: list[tuple[PartWire, int, Json]] = []
    if kind == REASONING:
        found += [(SUMMARY, n, as_object(raw)) for n, raw in enumerate(as_list(item.get("summary")))]
    types = {MESSAGE: MESSAGE_PARTS, REASONING: REASONING_PARTS}.get(kind, {})
    for number, raw in enumerate(map(as_object, as_list(item.get("content")))):
        wire = types.get(as_text(raw.get("type")))
        if wire is not None:
            found.append((wire, number, raw))
    return found


def _agrees(state: ItemState, item: Json) -> bool:
    """OpenAI seals these fields anew in the terminal response, so they may differ."""
    final = state.final
    if final is None or (final.keys() ^ item.keys()) - _SEALED:
        return False
    return all(item.get(key) == value for key, value in final.items() if key not in _SEALED and key != "id")
