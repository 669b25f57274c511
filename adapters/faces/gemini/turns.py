"""Items take turns: steps are told one after the other, and an item that begins while another is written waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adapters.faces.gemini.books import ItemBook
from adapters.faces.gemini.citing import Citing
from adapters.faces.gemini.marking import Marker
from adapters.faces.gemini.marks import shown_signature
from adapters.faces.gemini.spoken import SPOKEN, Spoken
from adapters.faces.gemini.whole import Whole
from adapters.faces.gemini.writer import Writer
from adapters.hub import events as ev
from adapters.hub.adapter import Encoding
from adapters.hub.items import Signature
from adapters.responses.tables import CLIENT_CALLS


class Turns:
    """Writes the items of one answer. Every method gives its frames, as the writer does."""

    def __init__(self, encoding: Encoding, writer: Writer, marker: Marker) -> None:
        self._mint = encoding.mint
        self._writer = writer
        self._spoken = Spoken(writer, marker, Citing(encoding))
        self._whole = Whole(encoding, writer, marker)
        self._items: list[ItemBook] = []
        self._turn = 0  # the item that is being written

    @property
    def begun(self) -> bool:
        """Whether there was an item."""
        return bool(self._items)

    @property
    def asks(self) -> bool:
        """Whether there is a call that the client is to answer."""
        return any(book.started.kind in CLIENT_CALLS and book.index >= 0 for book in self._items)

    def start(self, event: ev.ItemStarted) -> list[bytes]:
        """A new item."""
        waits = self._turn < len(self._items)
        book = ItemBook(event, [] if waits else None)
        book.call_id = event.call_id or (self._mint.id("call_") if event.kind in CLIENT_CALLS else "")
        self._items.append(book)
        return [] if waits else self._open(book)

    def delta(self, event: ev.Delta) -> list[bytes]:
        """A piece of text, which most events are."""
        book = self._items[event.item]
        return self._spoken.delta(book, event) if book.held is None else book.hold(event)

    def feed(self, event: Any) -> list[bytes]:
        """Any other event of an item."""
        number: int = event.item
        book = self._items[number]
        if number != self._turn:
            return book.hold(event)
        frames = self._take(book, event)
        while book.ended and self._turn < len(self._items):
            book = self._items[self._turn]
            frames += self._catch_up(book)
        return frames

    def sign(self, signatures: Mapping[int, Signature]) -> None:
        """Thoughts that got their signature after their end."""
        for number, signature in signatures.items():
            index = self._items[number].index
            step = self._writer.steps[index] if index >= 0 else {}
            if step.get("type") == "thought" and not step.get("signature"):
                step["signature"] = shown_signature(signature)
                self._writer.late = True

    def _open(self, book: ItemBook) -> list[bytes]:
        return self._spoken.open(book) if book.started.kind in SPOKEN else self._whole.open(book)

    def _take(self, book: ItemBook, event: Any) -> list[bytes]:
        """The next event of the item whose turn it is. Texts of which each has a step of its own take turns as well:
        one that begins while another part is told waits for the item's end.
        """
        if book.held is None:
            if type(event) is not ev.PartStarted or not book.waits(event.kind):
                return self._say(book, event)
            book.held = []
        if type(event) is not ev.ItemEnded:
            return book.hold(event)
        held, book.held = sorted(book.held, key=_part), None
        return [frame for one in [*held, event] for frame in self._say(book, one)]

    def _say(self, book: ItemBook, event: Any) -> list[bytes]:
        return self._spoken.delta(book, event) if type(event) is ev.Delta else self._tell(book, event)

    def _tell(self, book: ItemBook, event: Any) -> list[bytes]:
        if type(event) is not ev.ItemEnded:
            return self._spoken.feed(book, event)
        book.ended = True
        self._turn += 1
        return self._spoken.close(book, event) if book.started.kind in SPOKEN else self._whole.close(book, event)

    def _catch_up(self, book: ItemBook) -> list[bytes]:
        """It is an item's turn: what was held of it."""
        held, book.held = book.held or [], None
        frames = self._open(book)
        for event in held:
            frames += self._take(book, event)
        return frames


def _part(event: Any) -> int:
    number: int = event.part
    return number
