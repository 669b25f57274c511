"""Citations of a Responses client that does not count code points."""

from __future__ import annotations

import pytest

from adapters.hub import events as ev
from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import Annotation, DocumentCitation, Span, UrlCitation
from adapters.hub.kept import Kept
from adapters.hub.spans import Offsets, Recount
from adapters.responses.offsets import recount, recount_content
from adapters.responses.request import decode_request
from adapters.wire_json import Json
from tests.unit.responses.stage import frames

TEXT = "é😀x日."  # in UTF-16 the x stands at 3, in bytes at 6
X = Span(2, 3)
RAW: Json = {"type": "url_citation", "url": "u", "title": "t", "start_index": 6, "end_index": 7, "more": 1}

CITATIONS: dict[str, tuple[Json, Json, Json]] = {
    # a citation in code points, and what UTF-16 and UTF-8 change of it
    "a page": (
        {"type": "url_citation", "start_index": 2, "end_index": 3},
        {"start_index": 3, "end_index": 4},
        {"start_index": 6, "end_index": 7},
    ),
    "a file in a container": (
        {"type": "container_file_citation", "start_index": 0, "end_index": 4},
        {"end_index": 5},
        {"end_index": 10},
    ),
    "a file": ({"type": "file_citation", "index": 3}, {"index": 4}, {"index": 7}),
    "a path, whose index is no place": ({"type": "file_path", "index": 3}, {}, {}),
    "an unknown one": ({"type": "mood", "start_index": 1, "index": 3}, {}, {"start_index": 2}),
    "beyond the text": ({"type": "url_citation", "start_index": 5, "end_index": 9}, {"start_index": 6, "end_index": 10},
                        {"start_index": 11, "end_index": 15}),
    "before the text": ({"type": "url_citation", "start_index": -1, "end_index": 0}, {}, {}),
    "offsets that are none": ({"type": "url_citation", "start_index": True, "end_index": "3"}, {}, {}),
    "what its vendor said": (
        {"type": "file_citation", "index": 2, "x_dragoman": {"v": "gemini", "raw": RAW}},
        {"index": 3},
        {"index": 6},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("citation", "utf16", "utf8"), CITATIONS.values(), ids=CITATIONS.keys())
def test_a_citation_is_told_in_the_units_of_its_reader(citation: Json, utf16: Json, utf8: Json) -> None:
    units: dict[Offsets, Json] = {"utf16": utf16, "utf8": utf8}
    for unit, changed in units.items():
        counted = Recount("codepoint", unit)
        counted.feed(TEXT)
        assert recount(citation, counted) == citation | changed
        block: Json = {"text": TEXT, "annotations": [citation | changed]}
        assert recount_content(block, unit, "codepoint") == block | {"annotations": [citation]}


def test_an_offset_inside_a_character_takes_all_of_it() -> None:
    block: Json = {"text": TEXT, "annotations": [{"start_index": 2, "end_index": 2}]}
    for unit, counted in {"codepoint": (1, 2), "utf8": (2, 6)}.items():
        told = recount_content(block, "utf16", unit)  # pyright: ignore[reportArgumentType]
        assert told["annotations"] == [dict(zip(("start_index", "end_index"), counted, strict=True))]


def _told(annotation: Annotation, unit: Offsets, *, wire: str = "openai", fidelity: Fidelity = "rich") -> list[Json]:
    """The citation in each place of a stream."""
    item: Json = {"type": "message", "id": "m", "content": [{"type": "output_text", "text": TEXT, "annotations": [1]}]}
    walk: list[ev.Event] = [
        ev.Started(wire, "r", "m", 0.0),
        ev.ItemStarted(0, "message", "m"),
        ev.PartStarted(0, 0, "text"),
        *[ev.Delta(0, 0, piece) for piece in (TEXT[:2], TEXT[2:])],
        ev.Annotated(0, 0, annotation),
        ev.PartEnded(0, 0),
        ev.ItemEnded(0, "completed", extra=Kept(wire, {"item": item})),
        ev.Ended("completed", ev.Finish("stop"), extra=Kept(wire, {"response": {"id": "r", "output": [item]}})),
    ]
    events = {said["type"]: said for said in frames(walk, fidelity, offsets=unit)}
    return [
        events["response.output_text.annotation.added"]["annotation"],
        *events["response.content_part.done"]["part"]["annotations"],
        *events["response.output_item.done"]["item"]["content"][0]["annotations"],
        *events["response.completed"]["response"]["output"][0]["content"][0]["annotations"],
    ]


@pytest.mark.parametrize(("unit", "start"), [("utf16", 3), ("utf8", 6)])
def test_the_dialects_own_words_tell_it_alike_in_all_places(unit: Offsets, start: int) -> None:
    first, *others = _told(UrlCitation("u", "t", X), unit)
    assert others == [first] * 3
    assert first["start_index"] == start


def test_a_vendors_own_words_stay_as_they_are() -> None:
    """Natively its fields stand beside; only the offsets are the client's."""
    for fidelity, more in (("rich", {}), ("native", {"more": 1})):
        told = _told(UrlCitation("u", "t", X, Kept("gemini", RAW)), "utf16", wire="gemini", fidelity=fidelity)  # pyright: ignore[reportArgumentType]
        expected = {"type": "url_citation", "url": "u", "title": "t", "start_index": 3, "end_index": 4, **more}
        assert told == [{**expected, "x_dragoman": {"v": "gemini", "raw": RAW}}] * 4


def test_a_citation_without_a_place_stands_at_the_end_of_the_text_so_far() -> None:
    told = _told(DocumentCitation("f", "n", extra=Kept("ark", {"doc_id": "f"})), "utf8", wire="ark")
    assert [cite["index"] for cite in told] == [len(TEXT.encode())] * 4


def test_a_request_is_read_in_its_clients_unit() -> None:
    """What is kept of it for the dialect's own vendor counts code points, too."""
    part: Json = {"type": "output_text", "text": TEXT, "annotations": [{**CITATIONS["a page"][0], "url": "u"}]}
    message: Json = {"type": "message", "role": "assistant", "content": [part]}
    theirs = recount_content([message, {"role": "user", "content": "x"}], "codepoint", "utf8")
    request = decode_request({"model": "m", "input": theirs}, "w", "utf8")
    said = request.items[0].source
    assert said is not None
    assert said.data == message
