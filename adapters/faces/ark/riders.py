"""Items that Ark has no type for, as they would be told in the common words: other items carry them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from operator import itemgetter

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

    def take(self, item: int, shown: Sequence[int | None], unfinished: Set[int]) -> tuple[list[Json], list[Json]]:
        """The items that wait and are nearest to `item`, before and behind it.

        One between them that is shown, by `shown`, or that is to end yet, keeps them from each other.
        """
        sides: tuple[list[Json], list[Json]] = ([], [])
        left: list[tuple[int, Json]] = []
        for number, rider in sorted(self._waiting, key=itemgetter(0)):
            if number < item and not any(number < other < item for other in unfinished):
                sides[0].append(rider)
            elif number > item and all(place is None for place in shown[item + 1 : number]):
                sides[1].append(rider)
            else:
                left.append((number, rider))
        self._waiting = left
        return sides

    def left(self) -> list[Json]:
        """The items that nobody took."""
        waiting, self._waiting = self._waiting, []
        return [rider for _, rider in sorted(waiting, key=itemgetter(0))]
