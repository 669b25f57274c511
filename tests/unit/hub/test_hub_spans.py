"""Offsets of a growing text: bytes to code points and back, at every place there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub.spans import TextIndex

TEXT = "北京今天晴。😀 Temperature 20C."


def _index(*pieces: str) -> TextIndex:
    index = TextIndex()
    for piece in pieces:
        index.feed(piece)
    return index


def test_bytes_are_not_characters() -> None:
    """A01: the segment that stands at bytes 23..39 is the text 8..24."""
    index = _index(TEXT)
    assert (index.chars, index.size) == (24, 39)
    assert (index.char_floor(23), index.char_ceil(39)) == (8, 24)
    assert TEXT[8:24] == "Temperature 20C."


PLACES = {
    # byte: (the character that holds it, the character that begins at or after it)
    "before the text": (-5, (0, 0)),
    "the beginning": (0, (0, 0)),
    "inside a character of three bytes": (1, (0, 1)),
    "between two characters": (3, (1, 1)),
    "inside an emoji": (20, (6, 7)),
    "the end": (39, (24, 24)),
    "beyond the text": (4000, (24, 24)),
}


@pytest.mark.parametrize(("byte", "chars"), PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize("pieces", [[TEXT], list(TEXT), [TEXT[:7], "", TEXT[7:]]], ids=["whole", "single", "two"])
def test_a_byte_of_a_text_in_pieces(pieces: list[str], byte: int, chars: tuple[int, int]) -> None:
    index = _index(*pieces)
    assert (index.char_floor(byte), index.char_ceil(byte)) == chars


@pytest.mark.parametrize(("char", "byte"), [(-1, 0), (0, 0), (1, 3), (6, 18), (7, 22), (8, 23), (24, 39), (99, 39)])
def test_a_character_begins_at_a_byte(char: int, byte: int) -> None:
    assert _index(TEXT[:3], TEXT[3:]).offset_at(char) == byte


def test_an_empty_text_has_one_place() -> None:
    index = _index()
    assert (index.chars, index.size) == (0, 0)
    assert (index.char_floor(3), index.char_ceil(3), index.offset_at(3)) == (0, 0, 0)
    assert (_index("").char_ceil(1), _index("").offset_at(0)) == (0, 0)


def test_an_index_can_be_asked_while_the_text_grows() -> None:
    index = _index("你")
    assert index.char_ceil(5) == 1
    index.feed("好a")
    assert (index.char_ceil(5), index.char_floor(5), index.size) == (2, 1, 7)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=1500), st.integers(0, 1499), st.integers(1, 700))
def test_every_character_is_found_by_its_byte(text: str, char: int, step: int) -> None:
    """Also across the marks that the index puts into long pieces."""
    index = _index(*(text[at : at + step] for at in range(0, len(text), step)))
    char = min(char, len(text))
    byte = len(text[:char].encode())
    assert (index.offset_at(char), index.char_floor(byte), index.char_ceil(byte)) == (byte, char, char)
    assert (index.chars, index.size) == (len(text), len(text.encode()))
