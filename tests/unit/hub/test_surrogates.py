"""Half characters: an escaped emoji that is cut in two is one emoji again; a half that stays alone is U+FFFD."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub.surrogates import SurrogateJoiner, loads_mended, mend, mend_all
from adapters.wire_json import JsonError, dumps

PIECES = {
    "whole": (["a😀", "b"], ["a😀", "b"]),
    "cut in two": (["a\ud83d", "\ude00b"], ["a", "😀b"]),
    "cut and then nothing": (["a\ud83d"], ["a", "\ufffd"]),
    "two high halves": (["\ud83d", "\ud83d", "\ude00"], ["", "\ufffd", "😀"]),
    "a low half alone": (["\ude00b"], ["\ufffdb"]),
    "a high half inside": (["a\ud83db"], ["a\ufffdb"]),
    "cut, then plain text": (["\ud83d", "plain"], ["", "\ufffdplain"]),
    "a byte order mark is text": (["\ufeffa\ud83d", "\ude00"], ["\ufeffa", "😀"]),
}


@pytest.mark.parametrize(("given_", "expected"), PIECES.values(), ids=PIECES.keys())
def test_pieces(given_: list[str], expected: list[str]) -> None:
    joiner = SurrogateJoiner()
    out = [joiner.feed(piece) for piece in given_]
    held = joiner.close()
    assert out + ([held] if held else []) == expected
    assert joiner.close() == ""


@given(st.text(), st.lists(st.integers(0, 200)))
def test_an_escaped_text_cut_anywhere_arrives_whole(text: str, cuts: list[int]) -> None:
    """E08, in JSON's own escapes."""
    units = text.encode("utf-16-le")
    halves = [units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2)]
    bounds = sorted({0, len(halves), *(cut for cut in cuts if cut < len(halves))})
    joiner = SurrogateJoiner()
    out = [joiner.feed("".join(halves[start:end])) for start, end in pairwise(bounds)]
    assert "".join(out) + joiner.close() == text


def test_mending_goes_into_everything_and_changes_nothing_else() -> None:
    given_ = {"k\ud83d": ["a\ude00", {"x": 1, "y": None}, "😀", "\ud83d\ude00"]}
    assert mend_all(given_) == {"k\ufffd": ["a\ufffd", {"x": 1, "y": None}, "😀", "😀"]}
    assert mend("plain") == "plain"


def test_json_that_is_refused_for_its_halves_is_read_and_can_be_written() -> None:
    value = loads_mended(b'{"a": "\\uD83D", "n": 123456789012345678901234567890, "f": 1.5, "i": -3}')
    assert value == {"a": "\ufffd", "n": 1.2345678901234568e29, "f": 1.5, "i": -3}
    dumps(value)


NOT_JSON = {
    "no halves": b"{",
    "broken, with a half": b'{"a": "\\ud83d"',
    "NaN beside a half": b'["\\ud83d", NaN]',
    "too large a number beside a half": b'["\\ud83d", 1e400]',
    "nested too deep to be written": b'["\\ud83d", ' + b"[" * 500 + b"]" * 500 + b"]",
    "nested too deep to be read": b'["\\ud83d", ' + b"[" * 100_000 + b"]" * 100_000 + b"]",
}


@pytest.mark.parametrize("data", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_is_not_json_stays_refused(data: bytes) -> None:
    with pytest.raises(JsonError):
        loads_mended(data)
