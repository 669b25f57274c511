"""Server-sent events: the WHATWG rules, whatever the line ends and wherever the bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.sse import EventTooLarge, SseEvent, SseParser, frame

Told = list[tuple[bytes, bytes]]

STREAMS: dict[str, tuple[bytes, Told]] = {
    "plain": (b"event: a\ndata: 1\n\nevent: b\ndata: 2\n\n", [(b"a", b"1"), (b"b", b"2")]),
    "no name": (b"data: 1\n\n", [(b"", b"1")]),
    "name after data": (b"data: 1\nevent: a\n\n", [(b"a", b"1")]),
    "the last name counts": (b"event: a\nevent: b\ndata: 1\n\n", [(b"b", b"1")]),
    "no space after the colon": (b"event:a\ndata:1\n\n", [(b"a", b"1")]),
    "one space is taken, the second is data": (b"data:  1\n\n", [(b"", b" 1")]),
    "several data lines": (b"event: a\ndata: {\ndata: }\n\n", [(b"a", b"{\n}")]),
    "a line without a colon": (b"event: a\ndata\ndata: 1\n\n", [(b"a", b"\n1")]),
    "a field of another name": (b"event: a\nfoo: x\nevents: y\nxdata: z\ndata: 1\n\n", [(b"a", b"1")]),
    "data with colons": (b'data: {"a": "b:c"}\n\n', [(b"", b'{"a": "b:c"}')]),
    "E01, E02 comments between and inside events": (
        b": ping\n\nevent: a\n: pong\ndata: 1\n\n: ping\n\n",
        [(b"a", b"1")],
    ),
    "E01 id lines": (b"id: 1\nevent: a\ndata: 1\n\n: ping\n\n", [(b"a", b"1")]),
    "E03 empty data": (b"event: ping\ndata:\n\nevent: ping\ndata: \n\nevent: a\ndata: 1\n\n", [(b"a", b"1")]),
    "E03 empty data among plain frames": (b"event: a\ndata: 1\n\nevent: ping\ndata: \n\n", [(b"a", b"1")]),
    "an event without data": (b"event: a\n\nevent: b\ndata: 2\n\n", [(b"b", b"2")]),
    "E05 retry": (b"retry: 3000\n\nevent: a\ndata: 1\n\n", [(b"a", b"1")]),
    "E06 a comment that looks like data": (b": data: PROCESSING\n\ndata: 1\n\n", [(b"", b"1")]),
    "E07 byte order mark": (b"\xef\xbb\xbfdata: 1\n\n", [(b"", b"1")]),
    "a second byte order mark is no field": (b"\xef\xbb\xbf\xef\xbb\xbfdata: 1\n\ndata: 2\n\n", [(b"", b"2")]),
    "E09 CRLF": (b"event: a\r\ndata: 1\r\n\r\nevent: b\r\ndata: 2\r\n\r\n", [(b"a", b"1"), (b"b", b"2")]),
    "E09 CR": (b"event: a\rdata: 1\r\revent: b\rdata: 2\r\r", [(b"a", b"1"), (b"b", b"2")]),
    "E09 all line ends mixed": (
        b"event: a\rdata: 1\r\n\n\rdata: 2\n\r\ndata: 3\r\n\r",
        [(b"a", b"1"), (b"", b"2"), (b"", b"3")],
    ),
    "more blank lines than needed": (b"\n\n\ndata: 1\n\n\n\ndata: 2\n\n\n", [(b"", b"1"), (b"", b"2")]),
    "E08 characters of many bytes": ("data: 你好😀\n\n".encode(), [(b"", "你好😀".encode())]),
    "a line separator ends no line": (
        "data: a\u2028b\x85c\x0bd\x0ce\n\n".encode(),
        [(b"", "a\u2028b\x85c\x0bd\x0ce".encode())],
    ),
    "D07 the end mark is an event like any other": (b"data: 1\n\ndata: [DONE]\n\n", [(b"", b"1"), (b"", b"[DONE]")]),
    "nothing": (b"", []),
    "only blank lines": (b"\n\r\n\r", []),
}


def _told(events: list[SseEvent]) -> Told:
    return [(event.name, event.data) for event in events]


def _parse(pieces: list[bytes], limit: int | None = None) -> Told:
    parser = SseParser() if limit is None else SseParser(limit)
    return _told([event for piece in pieces for event in parser.feed(piece)] + parser.close())


@pytest.mark.parametrize(("stream", "events"), STREAMS.values(), ids=STREAMS.keys())
def test_a_stream(stream: bytes, events: Told) -> None:
    assert _parse([stream]) == events


@pytest.mark.parametrize(("stream", "events"), STREAMS.values(), ids=STREAMS.keys())
def test_a_stream_in_single_bytes(stream: bytes, events: Told) -> None:
    """E08, E09: also between CR and LF, inside a character and inside the byte order mark."""
    assert _parse([stream[at : at + 1] for at in range(len(stream))]) == events


@pytest.mark.parametrize(("stream", "events"), STREAMS.values(), ids=STREAMS.keys())
def test_a_stream_cut_once_anywhere(stream: bytes, events: Told) -> None:
    for cut in range(len(stream) + 1):
        assert _parse([stream[:cut], b"", stream[cut:]]) == events, cut


TAILS: dict[str, tuple[bytes, Told]] = {
    "whole lines without the blank one": (b"event: a\ndata: 1\n", [(b"a", b"1")]),
    "whole lines, CR": (b"event: a\rdata: 1\r", [(b"a", b"1")]),
    "cut inside the data": (b"event: a\ndata: 1", []),
    "cut inside the name": (b"data: 1\nevent: a", []),
    "a name alone": (b"event: a\n", []),
    "a comment": (b": bye\n", []),
    "half a byte order mark": (b"\xef\xbb", []),
}


@pytest.mark.parametrize(("stream", "events"), TAILS.values(), ids=TAILS.keys())
def test_the_end_of_input(stream: bytes, events: Told) -> None:
    """E07: an event is over when its lines are, whether or not the blank line comes."""
    assert _parse([stream]) == events
    assert _parse([b"data: 0\n\n" + stream]) == [(b"", b"0"), *events]


def test_closing_twice_gives_an_event_once() -> None:
    parser = SseParser()
    assert parser.feed(b"data: 1\n") == []
    assert _told(parser.close()) == [(b"", b"1")]
    assert parser.close() == []


def test_events_come_as_soon_as_their_blank_line() -> None:
    """C28, D06: nothing waits for the next read, not even the LF that may follow a CR."""
    parser = SseParser()
    assert _told(parser.feed(b"data: 1\r\n\r")) == [(b"", b"1")]
    assert parser.feed(b"\n") == []
    assert _told(parser.feed(b"data: 2\n\ndata: 3")) == [(b"", b"2")]


@pytest.mark.parametrize("size", [1, 7, 1_000_000])
def test_an_event_as_large_as_the_limit_passes_and_a_larger_one_does_not(size: int) -> None:
    """E11: one data line of any size, under an explicit cap."""
    stream = frame(b"a", b"x" * 2_000_000)
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)] if size > 1 else [stream]
    assert _parse(pieces, 2_000_000 + 64) == [(b"a", b"x" * 2_000_000)]
    with pytest.raises(EventTooLarge, match="limit of 1999999 bytes"):
        _parse(pieces, 1_999_999)


def test_many_small_events_in_one_read_are_no_large_event() -> None:
    assert len(_parse([b"data: 12345\n\n" * 1000], 16)) == 1000


@pytest.mark.parametrize("stream", [b"x" * 100, b": " + b"x" * 100, b"event: " + b"x" * 100, b"data: 1\n" * 20])
def test_what_never_ends_is_too_large_whatever_it_is(stream: bytes) -> None:
    """E09: a buffer does not grow for ever on line ends that never come."""
    with pytest.raises(EventTooLarge):
        _parse([stream[at : at + 10] for at in range(0, len(stream), 10)], 64)


@given(st.lists(st.tuples(st.binary(max_size=8), st.binary(min_size=1, max_size=20)), max_size=5))
def test_frames_are_read_as_they_were_written(events: Told) -> None:
    """E07: the plainest form is one event line, one data line, one blank line."""
    events = [(name.translate(None, b"\r\n"), data.translate(None, b"\r\n") + b"x") for name, data in events]
    stream = b"".join(frame(name, data) for name, data in events)
    assert _parse([stream]) == events
    assert stream.count(b"\n") == 3 * len(events)
