"""The items and parts of one response, from the family's many tellings to one walk.

The stream says everything several times: in deltas, in `*.done`, in `output_item.done` and in the
terminal response. The deltas are believed first; a later word that continues them is walked as what
is missing, and one that contradicts them is dropped, so that a client never sees two truths.
"""

from __future__ import annotations

from typing import Any

from adapters.hub import events as ev
from adapters.hub.items import MESSAGE, REASONING, THOUGHT, Signature
from adapters.hub.kept import Kept
from adapters.responses.dialect import Dialect
from adapters.responses.state import ItemState, PartState, decode_outcome
from adapters.responses.tables import CALL_TEXT, MESSAGE_PARTS, PART_WIRES, REASONING_PARTS, SUMMARY, PartWire
from adapters.wire_json import Json, as_list, as_object, as_text

SPOKEN = frozenset({"content", "summary", "arguments", "input", "code"})
"""Fields of an item that its parts tell."""

_STATUS: dict[Any, ev.ItemStatus] = {"completed": "completed", "incomplete": "incomplete", "failed": "failed"}
_OWNER = {"text": MESSAGE, "refusal": MESSAGE, "thought": REASONING, "summary": REASONING}
_SEALED = frozenset({"encrypted_content", "fingerprint"})
_THOUGHT_STEM = MESSAGE_PARTS["reasoning_text"].stem
_SKELETON = {
    wire.stem: {"type", wire.field} | ({"annotations", "logprobs"} if wire.citable else set[str]())
    for wire in PART_WIRES
}


class ItemWalk:
    """Keeps what was walked of every item, and gives the events for what is new."""

    __slots__ = ("_announced", "_dialect", "_held", "_items", "open_parts", "order")

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._items: dict[Any, ItemState] = {}  # by the wire's output_index; thoughts of a message by its complement
        self._held: dict[int, Json] = {}  # messages that wait for their first word, see `thinks_in_messages`
        self._announced: list[int] = []
        self.order: list[ItemState] = []
        self.open_parts: dict[tuple[Any, str, Any], PartState] = {}
        """By output_index, spelling and number; parts stay here when they close."""

    def state(self, index: Any) -> ItemState | None:
        """The item at the wire's `index`, where it was announced."""
        return self._items.get(index) if type(index) is int else None

    def start_item(self, index: int, item: Json) -> list[ev.Event]:
        """Open an item, unless that index is open already."""
        known = self._items.get(index)
        if index in self._held or (known is not None and known.open):
            return []
        self._announced.append(index)
        if self._dialect.thinks_in_messages and item.get("type") == MESSAGE:
            self._held[index] = item
            return []
        return self._open(index, item)

    def _open(self, key: int, item: Json) -> list[ev.Event]:
        type_ = as_text(item.get("type")) or MESSAGE
        kind = self._dialect.items.get(type_, type_)
        state = ItemState(len(self.order), kind, type_, as_text(item.get("id")))
        self._items[key] = state
        self.order.append(state)
        call_id, name = as_text(item.get("call_id")), as_text(item.get("name"))
        announced = item.keys() > {"type", "id"}  # else this walk opens it, where the wire forgot to
        kept = Kept(self._dialect.name, {"item": item}) if announced else None
        return [ev.ItemStarted(state.number, kind, state.id, call_id, name, kept)]

    def _owner(self, index: int, wire: PartWire) -> tuple[int, list[ev.Event]]:
        """The key of the item a part belongs to, and the events that open it.

        Thoughts that stand inside a message become a reasoning item before it: no client of the
        family looks for them there.
        """
        state = self._items.get(index)
        inside = index in self._held or (state is not None and state.kind == MESSAGE)
        if wire.kind != THOUGHT or not inside:
            return index, self._release(index)
        return ~index, [] if ~index in self._items else self._open(~index, {"type": REASONING})

    def _release(self, index: int) -> list[ev.Event]:
        """Open a message that was held back; its thoughts are over."""
        item = self._held.pop(index, None)
        if item is None:
            return []
        thoughts = self._items.get(~index)
        closed = self._close_item(thoughts, "completed") if thoughts is not None else []
        return [*closed, *self._open(index, item)]

    def end_item(self, index: int, item: Json) -> list[ev.Event]:
        """Close the item with the wire's last word on it; opens it first where nobody announced it."""
        events = self.start_item(index, _as_begun(item)) if index not in self._items else []
        known = self._items.get(index)
        if known is not None and not known.open:
            return events
        kind = known.kind if known is not None else MESSAGE
        for wire, number, raw in _parts_of(kind, item):
            part, opened = self.part(index, wire, number)
            events += opened
            events += self.end_part(part, raw)
        events += self._release(index)
        return [*events, *self._end(self._items[index], item)]

    def _end(self, state: ItemState, item: Json) -> list[ev.Event]:
        told = {(wire.stem, number) for wire, number, _ in _parts_of(state.kind, item)}
        if any(stem == _THOUGHT_STEM for stem, _ in told) and state.kind == MESSAGE:
            state.consistent = False  # its thoughts were told as an item of their own
        if state.parts.keys() - told:
            state.consistent = False
        closed = self._close_parts(state)
        state.open = False
        state.final = item if state.consistent else None
        kept = item if state.consistent else {key: value for key, value in item.items() if key not in SPOKEN}
        blob = as_text(item.get("encrypted_content")) if state.kind == REASONING else ""
        ended = ev.ItemEnded(
            state.number,
            _STATUS.get(as_text(item.get("status"))) if "status" in item else None,
            Signature(self._dialect.name, blob) if blob else None,
            decode_outcome(state.kind, item),
            Kept(self._dialect.name, {"item": kept}),
        )
        return [*closed, ended]

    def final_items(self, output: list[Json]) -> list[ev.Event]:
        """Walk the terminal response's items: news only where the stream did not tell them."""
        events: list[ev.Event] = []
        for number, item in enumerate(output):
            known = number < len(self._announced)
            index = self._announced[number] if known else max(self._announced, default=-1) + 1
            events += self.end_item(index, item)
        return events

    def close_items(self, status: ev.ItemStatus) -> list[ev.Event]:
        """End what is still open, in the order it was opened."""
        events: list[ev.Event] = []
        for index in list(self._held):
            events += self._release(index)
        for state in self.order:
            events += self._close_item(state, status)
        return events

    def _close_item(self, state: ItemState, status: ev.ItemStatus) -> list[ev.Event]:
        if not state.open:
            return []
        state.open = False
        return [*self._close_parts(state), ev.ItemEnded(state.number, status)]

    def agrees(self, output: list[Json]) -> bool:
        """Whether the terminal response says of every item what the stream said."""
        return len(output) == len(self.order) and all(map(_agrees, self.order, output))

    def find(self, payload: Json, wire: PartWire) -> tuple[PartState, list[ev.Event]] | None:
        """The part an event speaks of, and the events that open it (and its item) where the stream forgot to.

        None where the event names no part that can be open.
        """
        index, number = payload.get("output_index"), payload.get(wire.index, 0) if wire.index else 0
        if type(index) is not int or type(number) is not int:
            return None
        events: list[ev.Event] = []
        if index not in self._items and index not in self._held:
            owner = _OWNER.get(wire.kind) or next(kind for kind, call in CALL_TEXT.items() if call is wire)
            events += self.start_item(index, {"type": owner, "id": payload.get("item_id")})
        known = self._items.get(index)
        if known is not None and not known.open:
            return None
        part, opened = self.part(index, wire, number)
        return part, events + opened

    def part(self, index: int, wire: PartWire, number: int) -> tuple[PartState, list[ev.Event]]:
        """The part, and the events that open it (and a held item) where it is new."""
        key, events = self._owner(index, wire)
        state = self._items[key]
        part = state.parts.get((wire.stem, number))
        if part is not None:
            return part, events
        part = PartState(state, len(state.parts), wire)
        state.parts[(wire.stem, number)] = part
        self.open_parts[(index, wire.stem, number)] = part
        return part, [*events, ev.PartStarted(state.number, part.number, wire.kind)]

    def shape(self, opened: list[ev.Event], part: PartState, raw: Json) -> list[ev.Event]:
        """Keep the wire's own opening part where it is not the usual empty one."""
        if opened and raw.keys() != _SKELETON[part.wire.stem]:
            opened[-1] = ev.PartStarted(
                part.item.number, part.number, part.wire.kind, extra=Kept(self._dialect.name, {"part": raw})
            )
        return opened

    def cite(self, part: PartState, raw: Json) -> ev.Event:
        """One more citation of the part."""
        part.cites.append(raw)
        return ev.Annotated(part.item.number, part.number, self._dialect.decode_annotation(raw))

    def complete(self, part: PartState, whole: Any) -> list[ev.Event]:
        """What is missing of the text; a whole that contradicts the deltas marks the item inconsistent."""
        text = part.text()
        if not isinstance(whole, str) or whole == text:
            return []
        if not part.open or not whole.startswith(text):
            part.item.consistent = False
            return []
        part.pieces.append(whole[len(text) :])
        return [ev.Delta(part.item.number, part.number, whole[len(text) :])]

    def end_part(self, part: PartState, raw: Json) -> list[ev.Event]:
        """Close the part with the wire's last word on it."""
        events = self.complete(part, raw.get(part.wire.field))
        cites = [as_object(cite) for cite in as_list(raw.get("annotations"))]
        if cites != part.cites:
            if not part.open or cites[: len(part.cites)] != part.cites:
                part.item.consistent = False
            else:
                events += [self.cite(part, cite) for cite in cites[len(part.cites) :]]
        if part.open:
            part.open = False
            events.append(ev.PartEnded(part.item.number, part.number, extra=self._kept_of(part, raw)))
        return events

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


def _as_begun(item: Json) -> Json:
    """What an item that comes all at once would have said of itself at its start: nothing spoken yet."""
    begun = {key: type(value)() if key in SPOKEN and value else value for key, value in item.items()}
    return begun | {"status": "in_progress"} if "status" in item else begun


def _parts_of(kind: str, item: Json) -> list[tuple[PartWire, int, Json]]:
    """The parts of a finished item: spelling, number within its list, the part itself."""
    if kind in CALL_TEXT:
        wire = CALL_TEXT[kind]
        return [(wire, 0, item)] if isinstance(item.get(wire.field), str) else []
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
