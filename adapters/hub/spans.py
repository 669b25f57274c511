"""Places in a text that arrives in pieces: code points, UTF-16 code units and UTF-8 bytes, each told as the other."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, Literal

from adapters.hub.annotations import Span

Offsets = Literal["codepoint", "utf16", "utf8"]
"""What a citation's place is counted in: what a Python, a JavaScript or a Go program slices text by."""

_STEP = 512  # code points per mark at most, so that a lookup costs the same however long a piece is


def _code_points(text: str) -> bytes:
    return text.encode("ascii", "replace")


def _utf16_halves(text: str) -> bytes:
    """The upper byte of each code unit; a lone surrogate is a character of its own, and begins one."""
    return text.encode("utf-16-le", "replace")[1::2]


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_UNITS: Final = {
    "codepoint": (_code_points, b""),
    "utf16": (_utf16_halves, bytes(range(0xDC, 0xE0))),  # a low surrogate continues a character
    "utf8": (_utf8, bytes(range(0x80, 0xC0))),  # a byte 10xxxxxx continues a character
}
"""How a text is spelled with one byte for each unit, and the bytes that continue a character."""


class TextIndex:
    """A growing text and its two measures: code points, and the unit. The marks are made when asked for.

    An offset counts units. `feed(piece)` appends the next piece of the text; it is the append of a list, since every
    delta pays it.
    """

    __slots__ = ("_char_marks", "_fed", "_inner", "_marks", "_pieces", "_spell", "feed", "unit")

    def __init__(self, unit: Offsets = "utf8") -> None:
        self.unit: Final = unit
        self._spell, self._inner = _UNITS[unit]
        self._fed: list[str] = []
        self.feed = self._fed.append
        self._pieces: list[str] = []
        self._marks = [0]
        self._char_marks = [0]

    @property
    def chars(self) -> int:
        """Length so far in code points."""
        self._measure()
        return self._char_marks[-1]

    @property
    def size(self) -> int:
        """Length so far in units."""
        self._measure()
        return self._marks[-1]

    def char_floor(self, offset: int) -> int:
        """The code point that holds `offset`, clamped to the text."""
        return self._char(offset)[0]

    def char_ceil(self, offset: int) -> int:
        """The code point that begins at or after `offset`, clamped to the text."""
        index, inside = self._char(offset)
        return index + 1 if inside else index

    def span(self, start: int, end: int) -> Span:
        """The whole characters that `[start, end)` touches, clamped to the text; reversed, it ends where it starts."""
        first = self.char_floor(start)
        return Span(first, max(first, self.char_ceil(end)))

    def offset_at(self, char: int) -> int:
        """The offset where code point `char` begins, clamped to the text."""
        if self._fed:
            self._measure()
        char = min(max(char, 0), self._char_marks[-1])
        mark = bisect_right(self._char_marks, char) - 1
        if mark == len(self._pieces):
            return self._marks[-1]
        return self._marks[mark] + self._size(self._pieces[mark][: char - self._char_marks[mark]])

    def offsets(self, span: Span) -> tuple[int, int]:
        """Start and end of a span in units."""
        return self.offset_at(span.start), self.offset_at(span.end)

    def on_border(self, offset: int) -> int | None:
        """The code point that begins at `offset`, or the end of the text; None inside a character and elsewhere."""
        if self._fed:
            self._measure()
        size = self._marks[-1]
        if offset == size:
            return self._char_marks[-1]
        index, inside = self._inner_char(offset) if 0 <= offset < size else (0, True)
        return None if inside else index

    def _char(self, offset: int) -> tuple[int, bool]:
        """The code point at `offset`, and whether the offset lies inside it."""
        if self._fed:
            self._measure()
        offset = max(offset, 0)
        return (self._char_marks[-1], False) if offset >= self._marks[-1] else self._inner_char(offset)

    def _inner_char(self, offset: int) -> tuple[int, bool]:
        """The same of an offset within the text that is measured."""
        mark = bisect_right(self._marks, offset) - 1
        start, piece, rest = self._char_marks[mark], self._pieces[mark], offset - self._marks[mark]
        if piece.isascii():
            return start + rest, False
        spelled = self._spell(piece)
        begun = len(spelled[:rest].translate(None, self._inner))
        inside = spelled[rest] in self._inner
        return start + begun - inside, inside

    def _size(self, text: str) -> int:
        return len(text) if text.isascii() else len(self._spell(text))

    def _measure(self) -> None:
        if not self._fed:
            return
        char, size = self._char_marks[-1], self._marks[-1]
        fed = "".join(self._fed)
        for piece in (fed,) if len(fed) <= _STEP else _cut(fed):
            char += len(piece)
            size += self._size(piece)
            self._pieces.append(piece)
            self._char_marks.append(char)
            self._marks.append(size)
        self._fed.clear()


def _cut(text: str) -> list[str]:
    return [text[at : at + _STEP] for at in range(0, len(text), _STEP)]


class Recount:
    """A growing text, and its places told in another unit.

    What lies outside the text is counted one for one, so that it comes back as it was.
    """

    __slots__ = ("_source", "_target")

    def __init__(self, source: Offsets, target: Offsets) -> None:
        self._source, self._target = TextIndex(source), TextIndex(target)

    @property
    def chars(self) -> int:
        """Length so far in code points."""
        return self._source.chars

    def feed(self, piece: str) -> None:
        """Append the next piece of the text."""
        self._source.feed(piece)
        self._target.feed(piece)

    def start(self, offset: int) -> int:
        """Where a range starts that started at `offset`: no later, should that be inside a character."""
        beyond = self._beyond(offset)
        return beyond if beyond is not None else self._target.offset_at(self._source.char_floor(offset))

    def end(self, offset: int) -> int:
        """Where a range ends that ended at `offset`, or a point lies: no sooner, should that be inside a character."""
        beyond = self._beyond(offset)
        return beyond if beyond is not None else self._target.offset_at(self._source.char_ceil(offset))

    def _beyond(self, offset: int) -> int | None:
        if offset < 0:
            return offset
        size = self._source.size
        return self._target.size + offset - size if offset > size else None
