"""The family's stream and its finished response, decoded to a walk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from adapters.hub import events as ev
from adapters.hub.errors import ProtocolError, UpstreamError
from adapters.hub.items import CUSTOM_CALL, FUNCTION_CALL
from adapters.hub.kept import Kept
from adapters.hub.surrogates import SurrogateJoiner, mend_all
from adapters.responses.beside import ANY, FIELDS, keep_beside
from adapters.responses.dialect import Dialect
from adapters.responses.state import PartState, decode_usage
from adapters.responses.tables import MESSAGE_PARTS, PART_WIRES, PHASES, SUMMARY, TEXT, PartWire
from adapters.responses.walk import ItemWalk
from adapters.sse import SseEvent
from adapters.wire_json import Json, JsonError, as_list, as_object, as_text, dumps, loads, loads_lenient

CUT = "the vendor's stream ended before its terminal event"

_ENVELOPE = frozenset({"type", "sequence_number", "output_index", "item_id", "obfuscation"})
_STATUSES: tuple[ev.Status, ...] = ("failed", "cancelled", "incomplete", "completed")  # the worst first
_REASONS: dict[str, ev.Reason] = {
    "max_output_tokens": "max_output_tokens",
    "length": "max_output_tokens",
    "content_filter": "content_filter",
}
_BEGUN: Json = {
    "status": "in_progress",
    "output": [],
    "usage": None,
    "error": None,
    "incomplete_details": None,
    "completed_at": None,
}

_Handler = Callable[["ResponsesDecoder", Json, PartWire], list[ev.Event]]
_Row = tuple[_Handler, PartWire, frozenset[str]]


def _by_spelling(end: str, handler: _Handler) -> dict[str, _Row]:
    """The rows of one ending (`delta`, `done`) for every part there is."""
    return {(type_ := f"{wire.stem}.{end}"): (handler, wire, FIELDS[type_]) for wire in PART_WIRES}


def _known(rows: dict[str, tuple[_Handler, PartWire]]) -> dict[Any, _Row]:
    """The rows, each with the fields that its event has."""
    return {type_: (*row, FIELDS.get(type_, ANY)) for type_, row in rows.items()}


class ResponsesDecoder:
    """Reads the stream of one response."""

    __slots__ = (
        "_dialect",
        "_ended",
        "_error",
        "_joiners",
        "_parts",
        "_retelling",
        "_started",
        "_walk",
        "_widths",
    )

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._retelling = dialect.retelling() if dialect.retelling is not None else None
        self._walk = ItemWalk(dialect)
        self._parts = self._walk.open_parts
        self._started = self._ended = False
        self._error: UpstreamError | None = None
        self._widths: dict[Any, int] = {}  # by type: how many fields the last event had that said nothing beside
        self._joiners: dict[str, SurrogateJoiner] = {}  # by the part, in the words of its deltas

    def feed(self, event: SseEvent, /) -> list[ev.Event]:
        """Decode one event; [] for what says nothing new."""
        if self._ended:
            return []
        try:
            payload = loads(event.data)
        except JsonError:
            return self._feed_odd(event)
        if type(payload) is not dict:
            return self.fail(ProtocolError("the vendor's stream holds an event that is no JSON object"))
        fields: Json = payload  # pyright: ignore[reportUnknownVariableType]
        told = fields.get("type")
        row = self._handlers.get(told) if told.__class__ is str else None
        try:
            if row is None:
                return self._other(fields)
            handler, wire, known = row
            events = handler(self, fields, wire)
            if self._widths.get(told) == len(fields):
                return events  # its sender gives all events of one type the same fields
            return self._keep_beside(fields, known, events)
        except RecursionError:
            return self.fail(ProtocolError("the vendor's stream holds an event that is nested too deep"))

    def _keep_beside(self, payload: Json, known: frozenset[str], events: list[ev.Event]) -> list[ev.Event]:
        if known.issuperset(payload):
            self._widths[payload["type"]] = len(payload)
            return events
        if known is ANY or (self._ended and not events):
            return events
        return keep_beside(self._dialect.name, payload, known, events)

    def _feed_odd(self, event: SseEvent) -> list[ev.Event]:
        """Decode an event that is not strict JSON: the end mark, nothing at all, or half characters."""
        data = event.data.strip()
        if data == b"[DONE]":
            return self.close()  # what has no terminal event by now will have none
        if not data:
            return []
        try:
            mended = self._join_halves(loads_lenient(data))
        except ValueError:
            return self.fail(ProtocolError("the vendor's stream holds an event that is not JSON"))
        return self.feed(SseEvent(event.name, dumps(mended)))

    def close(self) -> list[ev.Event]:
        """End of input: whatever is open ends as incomplete, and the response as failed."""
        return self.fail(self._error or ProtocolError(CUT))

    def fail(self, error: UpstreamError, /) -> list[ev.Event]:
        """Close what is open and end with `error`."""
        if self._ended:
            return []
        self._ended = True
        closed = self._walk.close_items("incomplete")
        return [*closed, ev.Ended("failed", ev.Finish("error", error.code), error=error)]

    def response(self, body: Json) -> list[ev.Event]:
        """Walk a finished response; what is none ends at once as failed."""
        if not as_text(body.get("status")) and not isinstance(body.get("output"), list):
            told = body.get("error")
            return self._errored(body, TEXT) if told else self.fail(ProtocolError("the vendor's answer is no response"))
        return self._terminal({"response": body}, TEXT)

    # -- the response ------------------------------------------------------------------------

    def _start(self, response: Json) -> list[ev.Event]:
        if self._started:
            return []
        self._started = True
        created = response.get("created_at")
        return [
            ev.Started(
                self._dialect.name,
                as_text(response.get("id")),
                as_text(response.get("model")) or None,
                float(created) if isinstance(created, int | float) else None,
                Kept(self._dialect.name, {"response": response}) if response else None,
            )
        ]

    def _created(self, payload: Json, _: PartWire) -> list[ev.Event]:
        return self._start(as_object(payload.get("response")))

    def _progressed(self, payload: Json, _: PartWire) -> list[ev.Event]:
        response = as_object(payload.get("response"))
        phase = as_text(payload.get("type")).removeprefix("response.")
        return [*self._start(response), ev.Progressed(None, phase, Kept(self._dialect.name, {"response": response}))]

    def _errored(self, payload: Json, _: PartWire) -> list[ev.Event]:
        nested = payload.get("error") or {key: payload.get(key) for key in ("code", "message", "param")}
        error = self._dialect.decode_error(as_object(nested) or {"message": nested})
        if not self._started:
            return self.fail(error)
        self._error = error  # response.failed, which tells the same, follows and ends the stream
        return []

    def _terminal(self, payload: Json, _: PartWire) -> list[ev.Event]:
        response = as_object(payload.get("response"))
        status = self._status(payload, response)
        told = as_list(response.get("output"))
        items = [item for item in map(as_object, told) if item]
        output = [found for number, item in enumerate(items) for found in self._told_as(number, item)]
        events = [] if self._started else self._start(_as_begun(response))
        events += self._walk.final_items(output)
        agreed = isinstance(response.get("output"), list) and len(told) == len(items) and self._walk.agrees(output)
        events += self._walk.close_items("completed" if status == "completed" else "incomplete")
        self._ended = True
        said = response.get("status")
        dropped = {"output"} if not agreed else set[str]()
        if said != status and (payload.get("type") or said in _STATUSES):
            dropped |= {"status", "error", "incomplete_details"} if said in _STATUSES else {"status"}
        error = self._terminal_error(response) if status == "failed" else None
        events.append(
            ev.Ended(
                status,
                self._finish(status, payload, error),
                decode_usage(self._dialect.name, response.get("usage")),
                error,
                Kept(self._dialect.name, {"response": _without(response, dropped)}),
                signatures=self._walk.late or None,
            )
        )
        return events

    def _status(self, payload: Json, response: Json) -> ev.Status:
        """The worst that the event's type, the response's status and an earlier `error` event tell."""
        told = {as_text(payload.get("type")).removeprefix("response."), as_text(response.get("status"))}
        if self._error is not None:
            told.add("failed")
        for status in _STATUSES:
            if status in told:
                return status
        return "completed"

    def _terminal_error(self, response: Json) -> UpstreamError:
        error = as_object(response.get("error"))
        if error:
            return self._dialect.decode_error(error)
        return self._error or ProtocolError("the vendor reports a failure without a reason")

    def _finish(self, status: ev.Status, payload: Json, error: UpstreamError | None) -> ev.Finish:
        response = as_object(payload.get("response"))
        if error is not None:
            return ev.Finish("error", error.code)
        if status == "cancelled":
            return ev.Finish("cancelled", "cancelled")
        if status == "incomplete":
            raw = as_text(as_object(response.get("incomplete_details")).get("reason"))
            return ev.Finish(_REASONS.get(raw, "max_output_tokens"), raw or None)
        if "type" not in payload and (raw := as_text(response.get("status"))) in ev.UNFINISHED:
            return ev.Finish("stop", raw)  # a whole answer that is made in the background
        called = any(item.kind in (FUNCTION_CALL, CUSTOM_CALL) for item in self._walk.order)
        return ev.Finish("tool_calls" if called else "stop")

    # -- items and parts ---------------------------------------------------------------------

    def _item_added(self, payload: Json, _: PartWire) -> list[ev.Event]:
        index, item = payload.get("output_index"), as_object(payload.get("item"))
        if type(index) is not int or not item:
            return self._other(payload)
        if self._retelling is not None and as_text(item.get("type")) in self._dialect.retold:
            return self._start({})  # its pieces are announced one by one
        return self._start({}) + self._walk.start_item(index, item)

    def _item_done(self, payload: Json, _: PartWire) -> list[ev.Event]:
        index, item = payload.get("output_index"), as_object(payload.get("item"))
        if type(index) is not int or not item:
            return self._other(payload)
        told = self._told_as(index, item)
        return self._start({}) + [event for place, piece in told for event in self._walk.end_item(place, piece)]

    def _told_as(self, index: int, item: Json) -> list[tuple[int, Json]]:
        """A finished item, or those that the client is told instead, each with its index."""
        if self._retelling is None or as_text(item.get("type")) not in self._dialect.retold:
            return [(index, item)]
        return self._retelling.items(index, item)

    def _delta(self, payload: Json, wire: PartWire) -> list[ev.Event]:
        try:
            part = self._parts[(payload["output_index"], wire.stem, payload[wire.index] if wire.index else 0)]
            text = payload["delta"]
        except (KeyError, TypeError):
            return self._delta_unannounced(payload, wire)
        if not part.open or type(text) is not str:
            return []
        part.pieces.append(text)
        logprobs = payload.get("logprobs")
        extra = Kept(self._dialect.name, {"logprobs": logprobs}) if logprobs and type(logprobs) is list else None
        return [ev.Delta(part.item.number, part.number, text, extra)]

    def _delta_unannounced(self, payload: Json, wire: PartWire) -> list[ev.Event]:
        """A delta of a part that `open_parts` does not hold: opened here where the stream forgot to."""
        events, text = self._start({}), payload.get("delta")
        if type(text) is not str:
            return events
        found = self._walk.find(payload, wire)
        if found is None:
            kept = self._walk.keep_early(payload, wire, text)
            return events if kept else [*events, *self._other(payload)]
        part, opened = found
        return [*events, *opened, *([self._walk.say(part, text, self._logprobs(payload))] if part.open else [])]

    def _logprobs(self, payload: Json) -> Kept | None:
        said = as_list(payload.get("logprobs"))
        return Kept(self._dialect.name, {"logprobs": said}) if said else None

    def _annotated(self, payload: Json, wire: PartWire) -> list[ev.Event]:
        try:
            part = self._parts[(payload["output_index"], wire.stem, payload["content_index"])]
            raw = payload["annotation"]
        except (KeyError, TypeError):
            return self._annotated_unannounced(payload, wire)
        if not part.open or raw.__class__ is not dict or not raw:
            return self._annotated_unannounced(payload, wire)
        part.cites.append(raw)
        return [ev.Annotated(part.item.number, part.number, self._dialect.decode_annotation(raw))]

    def _annotated_unannounced(self, payload: Json, wire: PartWire) -> list[ev.Event]:
        """A citation of a part that `open_parts` does not hold as open, or of none; or no citation."""
        events, raw = self._start({}), as_object(payload.get("annotation"))
        found = self._walk.find(payload, wire) if raw else None
        if found is None:
            return [*events, *self._other(payload)]
        part, opened = found
        return [*events, *opened, *([self._walk.cite(part, raw)] if part.open else self._other(payload))]

    def _text_done(self, payload: Json, wire: PartWire) -> list[ev.Event]:
        """`*.done`: the whole text; the last word on parts that have no closing event of their own."""
        events = self._start({})
        found = self._walk.find(payload, wire)
        if found is None:
            return [*events, *self._other(payload)]
        part, opened = found
        events += opened
        half = self._joiners.pop(_place(f"{wire.stem}.delta", payload), None) if self._joiners else None
        if half is not None and part.open:
            events += [self._walk.say(part, held) for held in [half.close()] if held]
        if wire.closed is None:
            return events + self._walk.end_part(part, {wire.field: payload.get(wire.field)})
        if as_list(payload.get("logprobs")):
            part.logprobs = payload["logprobs"]
        return events + self._walk.complete(part, payload.get(wire.field))

    def _part_added(self, payload: Json, wire: PartWire) -> list[ev.Event]:
        return self._part_told(payload, wire, lambda part, raw, opened: self._walk.shape(opened, part, raw))

    def _part_done(self, payload: Json, wire: PartWire) -> list[ev.Event]:
        return self._part_told(payload, wire, lambda part, raw, opened: opened + self._walk.end_part(part, raw))

    def _part_told(
        self, payload: Json, wire: PartWire, tell: Callable[[PartState, Json, list[ev.Event]], list[ev.Event]]
    ) -> list[ev.Event]:
        """What an event says of a whole part, which it may be the first to name."""
        raw = as_object(payload.get("part"))
        spelled = _spelling(wire, raw)
        events = self._start({})
        found = self._walk.find(payload, spelled) if spelled is not None else None
        if found is None:
            return [*events, *self._other(payload)]
        return [*events, *tell(found[0], raw, found[1])]

    # -- the rest ----------------------------------------------------------------------------

    def _other(self, payload: Json) -> list[ev.Event]:
        """What is told in other words, progress of an item, an error of a sender that has no type for it, or what the
        hub has no word for.
        """
        retold = self._retelling.event(payload) if self._retelling is not None else None
        if retold is not None:
            return self._start({}) + [event for fields in retold for event in self._follow(fields)]
        words = as_text(payload.get("type")).split(".")
        if len(words) == 3 and (moved := self._moved(payload, words[1], words[2])) is not None:
            return moved
        if payload.get("error") and ("type" not in payload or as_object(payload["error"])):
            return self._errored(payload, TEXT)
        state = self._walk.state(payload)
        return [ev.Opaque(self._dialect.name, payload, state.number if state is not None and not state.held else None)]

    def _follow(self, fields: Json) -> list[ev.Event]:
        row = self._handlers.get(fields["type"])
        return row[0](self, fields, row[1]) if row is not None else self._other(fields)

    def _moved(self, payload: Json, type_: str, phase: str) -> list[ev.Event] | None:
        """The progress of a call that the vendor executes; opens the call where the stream did not announce it."""
        events: list[ev.Event] = []
        state, index = self._walk.state(payload), payload.get("output_index")
        if state is None and type(index) is int and phase in PHASES.get(self._dialect.items.get(type_, type_), ()):
            events = self._start({}) + self._walk.start_item(index, {"type": type_, "id": payload.get("item_id")})
            state = self._walk.state(payload)
        if state is None or not state.open or state.held or state.type != type_:
            return None
        extra = {key: value for key, value in payload.items() if key not in _ENVELOPE}
        return [*events, ev.Progressed(state.number, phase, Kept(self._dialect.name, extra) if extra else None)]

    def _join_halves(self, payload: Any) -> Any:
        """Mend an event with half characters; a delta that ends in one lends it to the part's next."""
        fields = as_object(payload)
        if isinstance(fields.get("delta"), str):
            joiner = self._joiners.setdefault(_place(fields.get("type"), fields), SurrogateJoiner())
            fields["delta"] = joiner.feed(fields["delta"])
        return mend_all(payload)

    _handlers: ClassVar[dict[Any, _Row]] = _known({
        "response.created": (_created, TEXT),
        "response.queued": (_progressed, TEXT),
        "response.in_progress": (_progressed, TEXT),
        "response.completed": (_terminal, TEXT),
        "response.incomplete": (_terminal, TEXT),
        "response.failed": (_terminal, TEXT),
        "response.done": (_terminal, TEXT),
        "error": (_errored, TEXT),
        "response.output_item.added": (_item_added, TEXT),
        "response.output_item.done": (_item_done, TEXT),
        "response.content_part.added": (_part_added, TEXT),
        "response.content_part.done": (_part_done, TEXT),
        "response.reasoning_summary_part.added": (_part_added, SUMMARY),
        "response.reasoning_summary_part.done": (_part_done, SUMMARY),
        "response.output_text.annotation.added": (_annotated, TEXT),
    })  # fmt: skip

    _handlers.update(_by_spelling("delta", _delta))
    _handlers.update(_by_spelling("done", _text_done))


def _spelling(wire: PartWire, raw: Json) -> PartWire | None:
    """How a part is spelled: content parts by their own type, None where it is unknown."""
    return wire if wire is SUMMARY else MESSAGE_PARTS.get(as_text(raw.get("type")))


def _place(type_: Any, payload: Json) -> str:
    """The part that a delta of that type is for, as a key."""
    return f"{type_} {payload.get('output_index')} {payload.get('content_index')} {payload.get('summary_index')}"


def _without(response: Json, dropped: set[str]) -> Json:
    return {key: value for key, value in response.items() if key not in dropped} if dropped else response


def _as_begun(response: Json) -> Json:
    """What an answer that comes all at once would have said of itself at its start."""
    return {key: _BEGUN.get(key, value) for key, value in response.items()}
