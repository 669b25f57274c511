"""Items that the wire tells as pieces of another item, and that have no index of its own."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from adapters.wire_json import Json


def piece_index(index: int, number: int) -> int:
    """The index of a piece of the item at `index`: below 0, and no other piece's."""
    return -1 - (index << 32) - number


@dataclass(slots=True)
class Piece:
    """What was announced of a piece."""

    type: str = ""
    id: str = ""
    open: bool = True


@dataclass(slots=True)
class Pieces:
    """The pieces of an item that is under way, by their number, and what is said of them all.

    `_added` counts those that were announced, `_waiting` holds their numbers by type.
    """

    known: dict[int, Piece] = field(default_factory=dict[int, Piece])
    said: Json = field(default_factory=dict[str, Any])
    _added: int = 0
    _waiting: dict[str, deque[int]] = field(default_factory=dict[str, deque[int]])
    _by_id: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, type: str, id: str) -> int:
        """Announce the next piece; its number."""
        number, self._added = self._added, self._added + 1
        self.known[number] = Piece(type, id)
        self._waiting.setdefault(type, deque()).append(number)
        if id:
            self._by_id.setdefault(id, number)
        return number

    def end(self, type: str, id: str) -> int:
        """The number of a piece that is whole: by its id, or else the first open one of its type."""
        number = self._by_id.get(id)
        line = self._waiting.get(type, deque())
        while number is None and line:
            head = line.popleft()
            number = head if self.known[head].open else None
        if number is None:
            number = self.add(type, id)
        self.known[number].open = False
        return number

    def open(self) -> list[tuple[int, Piece]]:
        """Those that are not whole yet."""
        return [(number, piece) for number, piece in self.known.items() if piece.open]
