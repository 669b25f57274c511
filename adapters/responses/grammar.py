"""Says whether a Responses stream is well formed, as clients rely on it, and which event breaks which rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from adapters.hub.spans import Offsets
from adapters.hub.verdict import Verdict, Violation
from adapters.responses import grammar_tables as tables
from adapters.responses.grammar_items import ItemGrammar
from adapters.responses.grammar_state import require, shorten, word
from adapters.responses.grammar_tables import RESPONSES, RULES, Row, Tables
from adapters.sse import SseEvent
from adapters.wire_json import Json, JsonError, loads

_END = "end of input"
_DONE = b"[DONE]"  # not of this dialect, but clients take it for the end of the stream, which it is by then


def check(events: Iterable[SseEvent], /, *, resumed: bool = False, offsets: Offsets | None = None) -> Verdict:
    """Judge a whole stream, in time proportional to its size.

    `resumed`: it begins in the middle of a response. `offsets` is what annotations count, code points where it is None.
    """
    grammar = Grammar(resumed=resumed, offsets=offsets or "codepoint")
    for event in events:
        grammar.feed(event)
    return grammar.close()


class Grammar:
    """Follows one stream and notes every rule that an event breaks. Never raises."""

    def __init__(self, of: Tables = RESPONSES, *, resumed: bool = False, offsets: Offsets = "codepoint") -> None:
        self._tables = of
        self._resumed = resumed
        self._violations: list[Violation] = []
        self._items = ItemGrammar(self._report, of, offsets, resumed=resumed)
        self._roles: Mapping[str, Callable[[Row, Json], None]] = {
            "loose": self._loose,
            "error": self._error,
            "lifecycle": self._lifecycle,
            "terminal": self._terminal,
            **self._items.roles,
        }
        self._number = 0
        self._type = ""
        self._sequence: int | None = None
        self._expected: int | None = None if resumed else 0
        self._unnumbered = False
        self._response_id: str | None = None
        self._heard: set[str] = set()
        self._failing = False
        self._ended = False

    def feed(self, event: SseEvent) -> None:
        """Take the next event."""
        if self._ended and event.data == _DONE:
            return
        self._number += 1
        data = self._read(event)
        if data is None:
            return
        self._count(data)
        row = self._tables.events.get(self._type)
        if self._ended:
            self._report("after-terminal", "the stream has ended")
        elif row is None:
            self._report("unknown-event", shorten(self._type))
        else:
            self._precede(row)
            require(row.also, data, "", self._report)
            if require(row.needs, data, "", self._report):
                self._roles[row.role](row, data)

    def close(self) -> Verdict:
        """End of the input."""
        events = self._number
        self._number, self._type, self._sequence = events + 1, _END, None
        if not self._ended:
            self._report("terminal-missing", "the stream breaks off")
        return Verdict(events, len(self._items.items), tuple(self._violations))

    def _report(self, rule: str, what: str) -> None:
        message = f"{RULES[rule]}: {what}"
        self._violations.append(Violation(self._number, self._type, self._sequence, rule, message))

    def _read(self, event: SseEvent) -> Json | None:
        """The event's object; None, and a report, where the data is no such thing."""
        name = self._type = event.name.decode("utf-8", "replace")
        self._sequence = None
        try:
            value = loads(event.data)
        except JsonError as error:
            self._report("frame-json", str(error))
            return None
        if not isinstance(value, dict):
            self._report("frame-json", f"it is {shorten(value)}")
            return None
        data = cast("Json", value)
        sequence = data.get("sequence_number")
        self._sequence = sequence if type(sequence) is int else None
        self._type = word(data.get("type"))
        if name != self._type:
            self._report("frame-name", f"the event line says {shorten(name)}")
        if data.get("error") and self._type != "error":
            self._report("frame-error", shorten(data["error"]))
        return data

    def _count(self, data: Json) -> None:
        """One series of numbers; a stream without any is told once."""
        given = data.get("sequence_number")
        if given is None and (self._unnumbered or self._number == 1):
            if not self._unnumbered:
                self._report("sequence-absent", "the first event has none")
            self._unnumbered = True
            return
        if self._unnumbered or self._sequence is None or self._expected not in (None, self._sequence):
            expected = "absent" if self._unnumbered else self._expected
            self._report("sequence-order", f"it is {shorten(given)}, expected {expected}")
        if self._sequence is not None:
            self._expected = self._sequence + 1

    def _precede(self, row: Row) -> None:
        """What had to come before: created first; queued, then in_progress, before the items; an error, then failed."""
        if not self._heard and self._type != "response.created" and not self._resumed:
            self._report("lifecycle-order", "the first event is not response.created")
        elif row.role == "lifecycle" and (
            self._items.items or self._type in self._heard or "response.in_progress" in self._heard
        ):
            self._report("lifecycle-order", "it comes too late or again")
        if row.role == "lifecycle" or not self._heard:
            self._heard.add(self._type)
        if self._failing and self._type != "response.failed":
            self._report("error-end", f"{self._type} follows")

    def _loose(self, _row: Row, _data: Json) -> None:
        """An event that belongs to no item: there is no more to say."""

    def _error(self, _row: Row, data: Json) -> None:
        """The reference has the error's fields in the event itself; on the wire they stand in `error`."""
        nested = data.get("error")
        require(tables.ERROR, cast("Json", nested) if isinstance(nested, dict) else data, "", self._report)
        self._failing = True

    def _lifecycle(self, _row: Row, data: Json) -> None:
        response: Json = data["response"]
        self._response(response, self._tables.early)
        if response.get("output"):
            self._report("output-early", shorten(response["output"]))
        if response.get("usage") is not None:
            self._report("usage-early", shorten(response["usage"]))

    def _terminal(self, _row: Row, data: Json) -> None:
        response: Json = data["response"]
        self._ended = True
        self._response(response, self._tables.response)
        if response.get("usage") is not None and require({"usage": (dict,)}, response, "response.", self._report):
            require(tables.USAGE, response["usage"], "response.usage.", self._report)
        self._items.end(response)

    def _response(self, response: Json, fields: tables.Fields) -> None:
        if not require(fields, response, "response.", self._report):
            return
        if self._response_id is None:
            self._response_id = response["id"]
        if not response["id"] or response["id"] != self._response_id:
            self._report("response-id", shorten(response["id"]))
        status = response.get("status")
        if ("status" in fields or status is not None) and status not in self._tables.lifecycle[self._type]:
            self._report("response-status", f"response.status is {shorten(status)}")
        self._outcome(response, "error", tables.FAILURE, expected=status == "failed")
        self._outcome(response, "incomplete_details", tables.DETAILS, expected=status == "incomplete")

    def _outcome(self, response: Json, name: str, fields: tables.Fields, *, expected: bool) -> None:
        """`error` and `incomplete_details` stand exactly where the status calls for them."""
        found = response.get(name)
        if (found is not None) != expected:
            self._report("response-status", f"response.{name} is {shorten(found)}, status {response.get('status')}")
        elif expected and require({name: (dict,)}, response, "response.", self._report):
            require(fields, cast("Json", found), f"response.{name}.", self._report)
