"""Chunking: however the bytes of a stream are cut and its lines are ended, its events are the same."""

from __future__ import annotations

import re
from itertools import cycle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.laws.corpus import STREAMS, Recording, decode, parse
from tests.laws.strategies import bounded

STREAM = st.sampled_from(STREAMS)
SIZES = st.lists(st.integers(0, 400), max_size=60)
LINE_ENDS = (b"\n", b"\r\n", b"\r")
NOISE = (
    b": keep-alive\n\n",
    b":\n",
    b"id: 7\n\n",
    b"retry: 3000\n\n",
    b"\n",
    b"event: ping\n\n",
    b"data\n\n",
    b"unknown: x\n\n",
)
"""What may stand between two events and is none; `data` alone is an event without data."""


def ended_with(data: bytes, line_end: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\n", line_end)


@pytest.mark.parametrize("line_end", LINE_ENDS, ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("recording", STREAMS, ids=str)
def test_every_line_end_tells_the_same_events(recording: Recording, line_end: bytes) -> None:
    assert parse(ended_with(recording.data, line_end)) == recording.events()


@pytest.mark.parametrize("line_end", LINE_ENDS, ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("recording", [r for r in STREAMS if len(r.data) < 20_000], ids=str)
def test_byte_by_byte_tells_the_same_events(recording: Recording, line_end: bytes) -> None:
    data = ended_with(recording.data, line_end)
    assert parse(data, [1] * len(data)) == recording.events()


@bounded(300)
@given(recording=STREAM, sizes=SIZES, line_end=st.sampled_from(LINE_ENDS))
@example(recording=STREAMS[0], sizes=[], line_end=b"\r")
def test_reads_of_any_size_tell_the_same_events(recording: Recording, sizes: list[int], line_end: bytes) -> None:
    assert parse(ended_with(recording.data, line_end), sizes) == recording.events()


@bounded(100)
@given(recording=STREAM, size=st.integers(1, 40))
def test_small_reads_to_the_end_tell_the_same_events(recording: Recording, size: int) -> None:
    assert parse(recording.data, [size] * (len(recording.data) // size)) == recording.events()


@bounded(300)
@given(recording=STREAM, noise=st.lists(st.sampled_from(NOISE), min_size=1, max_size=5), sizes=SIZES)
def test_what_stands_between_events_tells_nothing(recording: Recording, noise: list[bytes], sizes: list[int]) -> None:
    fill = cycle(noise)
    blocks = recording.data.split(b"\n\n")
    data = b"\n\n".join(next(fill) + block for block in blocks)
    assert parse(data, sizes) == recording.events()


@bounded(200)
@given(recording=STREAM, lines=st.lists(st.sampled_from([b"id: 1", b": comment", b"retry: 1", b"x: y"]), max_size=3))
def test_other_fields_of_an_event_tell_nothing(recording: Recording, lines: list[bytes]) -> None:
    head = b"".join(line + b"\n" for line in lines)
    data = re.sub(rb"^data:", lambda found: head + found[0], recording.data, flags=re.MULTILINE)
    assert parse(data) == recording.events()


@pytest.mark.parametrize("recording", STREAMS, ids=str)
def test_the_marks_of_the_form_tell_nothing(recording: Recording) -> None:
    """A byte order mark, no blank behind the colon, no blank line at the end."""
    data = re.sub(rb"^(event|data): ", rb"\1:", recording.data, flags=re.MULTILINE)
    assert parse(b"\xef\xbb\xbf" + data.removesuffix(b"\n")) == recording.events()


@bounded(100)
@given(recording=STREAM, sizes=SIZES)
def test_the_walk_is_the_same(recording: Recording, sizes: list[int]) -> None:
    cut, whole = (decode(recording.vendor, events) for events in (parse(recording.data, sizes), recording.events()))
    assert [str(step) for step in cut] == [str(step) for step in whole]
