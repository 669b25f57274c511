"""Stop sequences: the answer ends right before the first of them that a message's text comes to hold.

This is how a vendor that knows no stop sequences is given them. Where two of them end at the same
character the longer counts, and what comes first is what is whole first, as it is for a model that
looks at its own text: so it makes no difference in which pieces the text arrives.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, ClassVar

from adapters.hub import events as ev
from adapters.hub.annotations import Annotation
from adapters.hub.items import TEXT
from adapters.hub.losses import Ledger

_Place = tuple[int, int]


class _Search:
    """Looks for one sequence in a text that comes in pieces, in linear time (Knuth, Morris and Pratt).

    `matched` is how much of the sequence the text so far ends with; all in code points.
    """

    __slots__ = ("_falls", "matched", "sequence")

    def __init__(self, sequence: str, falls: list[int]) -> None:
        self.sequence = sequence
        self._falls = falls
        self.matched = 0

    def feed(self, piece: str) -> _Place | None:
        """Where the sequence lies in `piece` as (end, start), the start maybe before it; None where it does not."""
        sequence, falls, matched, at = self.sequence, self._falls, self.matched, 0
        while at < len(piece):
            if matched == 0:
                at = piece.find(sequence[0], at)
                if at < 0:
                    break
            while matched and sequence[matched] != piece[at]:
                matched = falls[matched - 1]
            matched += sequence[matched] == piece[at]
            at += 1
            if matched == len(sequence):
                return at, at - matched
        self.matched = matched
        return None


def _falls(sequence: str) -> list[int]:
    """For each beginning of `sequence`, the length of the longest shorter beginning that it ends with."""
    falls, matched = [0], 0
    for char in sequence[1:]:
        while matched and sequence[matched] != char:
            matched = falls[matched - 1]
        matched += sequence[matched] == char
        falls.append(matched)
    return falls


class _Text:
    """One text part. `told` code points of it are told; `held` more may be the beginning of the sequence `begun`.

    `cites` are annotations that reach beyond what was told, each with how far.
    """

    __slots__ = ("begun", "cites", "held", "searches", "told")

    def __init__(self, searches: list[_Search]) -> None:
        self.searches = searches
        self.begun = ""
        self.held = 0
        self.told = 0
        self.cites: deque[tuple[int, ev.Annotated]] = deque()

    def feed(self, piece: str) -> tuple[str, bool]:
        """What may be told now, and whether the text ends with that."""
        found = min((place for search in self.searches if (place := search.feed(piece)) is not None), default=None)
        best = max(self.searches, key=_MATCHED)
        end = found[1] if found is not None else len(piece) - best.matched
        count = self.held + end
        said = self.begun[: min(self.held, count)] + piece[: max(end, 0)]
        self.begun, self.held = best.sequence, best.matched
        self.told += count
        return said, found is not None

    def close(self) -> str:
        """What is still held."""
        return self.begun[: self.held]


_MATCHED = attrgetter("matched")


class Stopper:
    """Ends a walk at the first of the stop sequences.

    After that the vendor is heard until it says something else than an annotation of the text that was cut, which is
    one event more: vendors cite right behind what they cite, and nobody waits long for the end of an answer. What comes
    with that event is looked at too, so a whole answer tells all its annotations and its usage; where the vendor is let
    go before it told them, they are losses.
    """

    def __init__(self, stops: Sequence[str], losses: Ledger) -> None:
        self._stops = [(stop, _falls(stop)) for stop in stops]
        self._losses = losses
        self._open: dict[int, list[int]] = {}  # the open items and their open parts, in the order they began
        self._texts: dict[_Place, _Text] = {}
        self._cut: _Place | None = None
        self._heard = False  # the vendor said something else since the cut
        self._whole = False  # the text that was cut ended, so that all its annotations are there
        self._last: ev.Ended | None = None
        self._ended = False
        self._out: list[ev.Event] = []

    def feed(self, events: list[ev.Event], /) -> list[ev.Event]:
        """The events to tell; nothing after the end."""
        out = self._out = []
        if self._ended:
            return out
        for event in events:
            if self._cut is not None:
                self._follow(event, self._cut)
            elif (take := self._handlers.get(type(event))) is not None:
                take(self, event)
            else:
                out.append(event)
        if self._cut is not None and self._heard:
            self._end(self._cut)
        return out

    # -- before a sequence was found -----------------------------------------------------------

    def _item_started(self, event: ev.ItemStarted) -> None:
        self._open[event.item] = []
        self._out.append(event)

    def _item_ended(self, event: ev.ItemEnded) -> None:
        del self._open[event.item]
        self._out.append(event)

    def _part_started(self, event: ev.PartStarted) -> None:
        self._open[event.item].append(event.part)
        if event.kind == TEXT:
            searches = [_Search(stop, falls) for stop, falls in self._stops]
            self._texts[(event.item, event.part)] = _Text(searches)
        self._out.append(event)

    def _part_ended(self, event: ev.PartEnded) -> None:
        self._release((event.item, event.part))
        self._open[event.item].remove(event.part)
        self._out.append(event)

    def _release(self, place: _Place) -> None:
        """Tell all that is held of a text that ends without a sequence."""
        text = self._texts.pop(place, None)
        if text is None:
            return
        if held := text.close():
            self._out.append(ev.Delta(*place, held))
        self._out += [event for _, event in text.cites]

    def _delta(self, event: ev.Delta) -> None:
        place = (event.item, event.part)
        text = self._texts.get(place)
        if text is None:
            self._out.append(event)
            return
        told, stopped = text.feed(event.text)
        if told == event.text:
            self._out.append(event)
        elif told:
            self._out.append(ev.Delta(*place, told))
        if event.extra is not None and told != event.text:
            self._note(place, "", "what the vendor says of a piece of text goes with a whole piece only")
        self._tell_cites(text)
        if stopped:
            self._cut = place
            for needed, cited in text.cites:
                self._judge(cited, needed, text)

    def _tell_cites(self, text: _Text) -> None:
        """Tell the annotations whose text is there, in the vendor's order."""
        while text.cites and text.cites[0][0] <= text.told:
            self._out.append(text.cites.popleft()[1])

    def _annotated(self, event: ev.Annotated) -> None:
        text = self._texts.get((event.item, event.part))
        if text is None:
            self._out.append(event)
            return
        reach = _reach(event.annotation)
        needed = reach if reach is not None else text.told + text.held
        text.cites.append((needed, event))
        self._tell_cites(text)

    _handlers: ClassVar[dict[type, Callable[[Stopper, Any], None]]] = {
        ev.ItemStarted: _item_started,
        ev.PartStarted: _part_started,
        ev.Delta: _delta,
        ev.Annotated: _annotated,
        ev.PartEnded: _part_ended,
        ev.ItemEnded: _item_ended,
    }

    # -- after it ------------------------------------------------------------------------------

    def _follow(self, event: ev.Event, cut: _Place) -> None:
        """Take what still concerns the text that was cut, and what the answer cost."""
        if type(event) is ev.Annotated and (event.item, event.part) == cut:
            self._judge(event, _reach(event.annotation), self._texts[cut])
            return
        self._heard = True
        if type(event) is ev.Ended:
            self._last = event
        elif type(event) is ev.PartEnded and (event.item, event.part) == cut:
            self._whole = True

    def _judge(self, event: ev.Annotated, reach: int | None, text: _Text) -> None:
        """Tell an annotation of the text that was cut, or note that what it cites is gone."""
        if reach is not None and reach <= text.told:
            self._out.append(event)
        else:
            self._note((event.item, event.part), ".annotations", "what is cited lies beyond the stop sequence")

    def _end(self, cut: _Place) -> None:
        """Close all that is open: the message that was cut is whole, everything else is not."""
        self._ended = True
        if not self._whole:
            self._note(cut, ".annotations", "the vendor was let go at the stop sequence: what it cites later is lost")
        if self._last is None:
            self._losses.note("usage", "the vendor was let go at the stop sequence: what the answer cost is unknown")
        del self._texts[cut]
        for item, parts in self._open.items():
            for part in parts:
                self._release((item, part))
                self._out.append(ev.PartEnded(item, part))
            self._out.append(ev.ItemEnded(item, "completed" if item == cut[0] else "incomplete"))
        self._out.append(ev.Ended("completed", ev.Finish("stop"), self._last.usage if self._last is not None else None))

    def _note(self, place: _Place, field: str, reason: str) -> None:
        item, part = place
        self._losses.note(f"output[{item}].content[{part}]{field}", reason)


def _reach(annotation: Annotation) -> int | None:
    """How many code points of the text the annotation needs to stand in it; None where it names no place."""
    span = annotation.span
    return max(span.start, span.end) if span is not None else getattr(annotation, "position", None)
