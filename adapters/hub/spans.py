"""Offsets: UTF-8 bytes to Unicode code points and back, over a text that arrives in pieces."""

from __future__ import annotations

from bisect import bisect_right

_STEP = 512  # code points per mark at most, so that a lookup costs the same however long a piece is


class TextIndex:
    """A growing text and its two measures. The marks are made when asked for.

    `feed(piece)` appends the next piece of the text; it is the append of a list, since every delta pays it.
    """

    __slots__ = ("_byte_marks", "_char_marks", "_fed", "_pieces", "feed")

    def __init__(self) -> None:
        self._fed: list[str] = []
        self.feed = self._fed.append
        self._pieces: list[str] = []
        self._byte_marks = [0]
        self._char_marks = [0]

    @property
    def chars(self) -> int:
        """Length so far in code points."""
        self._measure()
        return self._char_marks[-1]

    @property
    def bytes(self) -> int:
        """Length so far in UTF-8 bytes."""
        self._measure()
        return self._byte_marks[-1]

    def char_floor(self, byte: int) -> int:
        """The code point that holds `byte`, clamped to the text."""
        return self._char(byte)[0]

    def char_ceil(self, byte: int) -> int:
        """The code point that begins at or after `byte`, clamped to the text."""
        index, inside = self._char(byte)
        return index + 1 if inside else index

    def byte_at(self, char: int) -> int:
        """The byte where code point `char` begins, clamped to the text."""
        self._measure()
        char = min(max(char, 0), self._char_marks[-1])
        mark = bisect_right(self._char_marks, char) - 1
        if mark == len(self._pieces):
            return self._byte_marks[-1]
        return self._byte_marks[mark] + _size(self._pieces[mark][: char - self._char_marks[mark]])

    def on_border(self, byte: int) -> int | None:
        """The code point that begins at `byte`, or the end of the text; None inside a character and beyond the text."""
        index, inside = self._char(byte)
        return None if inside or not 0 <= byte <= self._byte_marks[-1] else index

    def _char(self, byte: int) -> tuple[int, bool]:
        """The code point at `byte`, and whether the byte lies inside it."""
        if self._fed:
            self._measure()
        byte = min(max(byte, 0), self._byte_marks[-1])
        mark = bisect_right(self._byte_marks, byte) - 1
        if mark == len(self._pieces):
            return self._char_marks[-1], False
        start, piece, offset = self._char_marks[mark], self._pieces[mark], byte - self._byte_marks[mark]
        if piece.isascii():
            return start + offset, False
        encoded = piece.encode("utf-8", "surrogatepass")
        inside = encoded[offset] & 0xC0 == 0x80  # a byte 10xxxxxx continues a character
        return start + len(encoded[:offset].decode("utf-8", "ignore")), inside

    def _measure(self) -> None:
        char, size = self._char_marks[-1], self._byte_marks[-1]
        for fed in self._fed:
            for piece in (fed,) if len(fed) <= _STEP else _cut(fed):
                char += len(piece)
                size += _size(piece)
                self._pieces.append(piece)
                self._char_marks.append(char)
                self._byte_marks.append(size)
        self._fed.clear()


def _cut(text: str) -> list[str]:
    return [text[at : at + _STEP] for at in range(0, len(text), _STEP)]


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
