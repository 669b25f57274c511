"""Items that Ark has no type for, as they would be told in the common words: other items carry them."""

from __future__ import annotations

from dataclasses import replace

from adapters.faces.ark.request import NAME
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.responses.encode import ResponsesEncoder
from adapters.responses.words import responses_words
from adapters.wire_json import Json, as_object

_COMMON = responses_words(NAME)


class Riders:
    """Writes such items, each by the number that it has in the walk."""

    __slots__ = ("_encoder", "_numbers", "_vendor", "_waiting")

    def __init__(self, encoding: Encoding, started: ev.Started) -> None:
        whole = replace(encoding.request, stream=False)
        self._encoder = ResponsesEncoder(_COMMON, replace(encoding, request=whole, fidelity="native"))
        self._encoder.feed(replace(started, extra=None))
        self._vendor = started.wire
        self._numbers: dict[int, int] = {}
        self._waiting: list[tuple[int, Json]] = []

    def feed(self, event: ev.Event, item: int) -> None:
        """Take an event of a riding item."""
        number = self._numbers.setdefault(item, len(self._numbers))
        if isinstance(event, ev.Opaque):
            return  # an item tells at its end what its own events told
        self._encoder.feed(replace(event, item=number))  # pyright: ignore[reportArgumentType]
        if isinstance(event, ev.ItemEnded) and (told := self._encoder.item(number)) is not None:
            own = as_object(event.extra.data.get("item")) if event.extra is not None else {}
            raw = {**own, "id": told["id"]} if own else told  # a member of the family said it in the common words
            self._waiting.append((item, {"v": self._vendor, "raw": raw}))

    def take(self, item: int | None = None) -> tuple[list[Json], list[Json]]:
        """The items that wait, those before and those after `item`."""
        waiting, self._waiting = self._waiting, []
        before = [rider for number, rider in waiting if item is not None and number < item]
        return before, [rider for number, rider in waiting if item is None or number > item]
