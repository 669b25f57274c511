"""Free text inside a function's arguments: `{"input": "…"}`, written whole and read as it arrives."""

from __future__ import annotations

import re
from typing import Final

from adapters.hub.surrogates import SurrogateJoiner
from adapters.wire_json import Json, dumps

PARAMETERS: Final[Json] = {
    "type": "object",
    "properties": {"input": {"type": "string", "description": "The raw text for the tool."}},
    "required": ["input"],
}
"""The JSON Schema of such arguments."""

_SPACE = " \t\r\n"
_STRING = re.compile(r'[^"\\]*(?:\\(?:[^u]|u[0-9a-fA-F]{4})[^"\\]*)*')  # as far as its escapes are whole
_CUT = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SCALAR = re.compile(r'[^"{}\[\],]*')


def wrap_text(text: str) -> str:
    """The arguments that hold `text`."""
    return dumps({"input": text}).decode()


class FreeTextReader:
    """Reads the text out of arguments that arrive in pieces, cut anywhere.

    Arguments of any other form are the text themselves: a model may not keep to the schema. Numbers within a
    call of `feed` count code points. Every character is looked at once.
    """

    __slots__ = ("_depth", "_held", "_joiner", "_key", "_others", "_out", "_raw", "_step", "_undecided")

    def __init__(self) -> None:
        self._raw: list[str] = []
        self._out: list[str] = []
        self._held = ""  # an escape that is not whole yet
        self._key: str | None = None
        self._depth = 0
        self._others = False
        self._undecided = True
        self._joiner = SurrogateJoiner()
        self._step = self._open

    @property
    def strays(self) -> bool:
        """Whether the arguments had the text and something besides, which is not passed on."""
        return self._others and self._step == self._after

    def feed(self, piece: str) -> str:
        """Give the text that the next piece tells."""
        if self._undecided:
            self._raw.append(piece)
        piece, self._held, at = self._held + piece, "", 0
        while at < len(piece):
            at = self._step(piece, at)
        return self._joiner.feed(self._told())

    def close(self) -> str:
        """Give what is left, once the arguments are whole: all of them where they held no such text."""
        if self._undecided and "".join(self._raw).strip(_SPACE):
            self._give_up()
        return self._joiner.feed(self._told()) + self._joiner.close()

    def _told(self) -> str:
        told, self._out = "".join(self._out), []
        return told

    # -- steps: each takes some of `piece` from `at` on, and gives where the next one begins -----

    def _open(self, piece: str, at: int) -> int:
        if piece[at] == "{":
            self._step = self._member
        elif piece[at] not in _SPACE:
            return self._give_up()
        return at + 1

    def _member(self, piece: str, at: int) -> int:
        """Before a key, or behind a value."""
        if piece[at] == '"':
            self._key, self._step = "", self._in_key
        elif piece[at] == "}" and self._key is None:
            self._undecided, self._step = False, self._after  # no arguments at all are no text
        elif piece[at] not in _SPACE and piece[at] != ",":
            return self._give_up()
        return at + 1

    def _in_key(self, piece: str, at: int) -> int:
        text, at, closed = self._string(piece, at)
        self._key = (self._key or "") + text
        if closed:
            self._step = self._value
        return at

    def _value(self, piece: str, at: int) -> int:
        """Before a value."""
        if piece[at] in _SPACE or piece[at] == ":":
            return at + 1
        if self._key != "input":
            self._others, self._step = True, self._other
            return at
        if piece[at] != '"':
            return self._give_up()
        self._undecided, self._step = False, self._text
        self._raw.clear()
        return at + 1

    def _other(self, piece: str, at: int) -> int:
        """Inside the value of another key."""
        found = _SCALAR.match(piece, at)
        at = found.end() if found else at
        if at == len(piece):
            return at
        if piece[at] == '"':
            self._step = self._other_string
        elif piece[at] in "{[":
            self._depth += 1
        elif self._depth == 0:
            self._step = self._member
            return at
        elif piece[at] in "]}":
            self._depth -= 1
        return at + 1

    def _other_string(self, piece: str, at: int) -> int:
        _, at, closed = self._string(piece, at)
        if closed:
            self._step = self._other
        return at

    def _text(self, piece: str, at: int) -> int:
        text, at, closed = self._string(piece, at)
        self._out.append(text)
        if closed:
            self._step = self._after
        return at

    def _after(self, piece: str, at: int) -> int:
        self._others = self._others or bool(piece[at:].strip(_SPACE + "}"))
        return len(piece)

    def _as_it_is(self, piece: str, at: int) -> int:
        self._out.append(piece[at:])
        return len(piece)

    def _give_up(self) -> int:
        """These are not the arguments that were asked for: all of them is the text."""
        self._out += self._raw
        self._undecided, self._step = False, self._as_it_is
        return sum(map(len, self._raw))

    def _string(self, piece: str, at: int) -> tuple[str, int, bool]:
        """The text of a JSON string from `at` on, where to go on, and whether it ended."""
        found = _STRING.match(piece, at)
        end = found.end() if found else at
        text = piece[at:end]
        if "\\" in text:
            text = _ESCAPE.sub(_unescape, text)
        if end == len(piece):
            return text, end, False
        if piece[end] == '"':
            return text, end + 1, True
        if _CUT.fullmatch(piece, end):
            self._held = piece[end:]
            return text, len(piece), False
        return text + piece[end : end + 2], end + 2, False  # no escape that JSON knows


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _SHORT.get(code, escape[0])
