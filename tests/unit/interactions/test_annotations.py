"""Bytes on the wire, code points in the hub: offsets of every kind, there and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub import annotations as hub
from adapters.hub import events as ev
from adapters.hub.annotations import Annotation, Span
from adapters.hub.kept import Kept
from adapters.hub.spans import Offsets, TextIndex
from adapters.interactions.annotations import decode_annotation, encode_annotation, loss_of

Json = dict[str, Any]

TEXT = "東京 🗼 tower"
"""東 0..3, 京 3..6, space 6, 🗼 7..11, space 11, t 12 … end 17; code points 0 1 2 3 4 5 … 10."""


def index_of(text: str) -> TextIndex:
    index = TextIndex()
    index.feed(text)
    return index


def decode(raw: Json, text: str = TEXT) -> Annotation:
    return decode_annotation(raw, index_of(text), "gemini")


def encode(annotation: Annotation, text: str = TEXT) -> Json | None:
    return encode_annotation(annotation, index_of(text), "gemini")


# (start_index, end_index, start, end, whether the hub's fields alone bring the annotation back)
OFFSETS = [
    (0, 6, 0, 2, True),
    (7, 11, 3, 4, True),
    (12, 17, 5, 10, True),
    (0, 17, 0, 10, True),
    (6, 6, 2, 2, True),
    (8, 11, 3, 4, False),  # inside 🗼: the start is floored
    (0, 4, 0, 2, False),  # inside 京: the end is ceiled
    (1, 2, 0, 1, False),
    (7, 99, 3, 10, False),  # beyond the text
    (99, 100, 10, 10, False),
    (12, 7, 5, 5, False),  # reversed
    (-5, 6, 0, 2, False),
    (None, 6, 0, 2, False),  # proto3 leaves out a zero
    (7, None, 3, 10, False),
]


@pytest.mark.parametrize(("start", "end", "first", "last", "exact"), OFFSETS)
def test_offsets(start: int | None, end: int | None, first: int, last: int, exact: bool) -> None:
    offsets = {"start_index": start, "end_index": end}
    raw = {"type": "url_citation", "url": "u", "title": "t"} | {k: v for k, v in offsets.items() if v is not None}
    citation = decode(raw)
    assert citation == hub.UrlCitation("u", "t", Span(first, last), None if exact else Kept("gemini", raw))
    assert encode(citation) == raw


def test_no_offsets_are_no_span() -> None:
    raw = {"type": "url_citation", "url": "u", "title": "t"}
    assert decode(raw) == hub.UrlCitation("u", "t", None, None)


@pytest.mark.parametrize("odd", ["3", 3.5, True, None, [3]])
def test_offsets_that_are_no_numbers_count_as_absent(odd: Any) -> None:
    raw = {"type": "url_citation", "url": "u", "title": "t", "start_index": odd, "end_index": 6}
    citation = decode(raw)
    assert citation.span == Span(0, 2)
    assert encode(citation) == raw


AT: Json = {"start_index": 7, "end_index": 11}
SPAN = Span(3, 4)
MAPS = "https://www.google.com/maps/place/?q=place_id:"

TYPES: list[tuple[Json, Annotation]] = [
    ({"type": "url_citation", "url": "u"}, hub.UrlCitation("u", "u", SPAN)),
    ({"type": "url_citation"}, hub.UrlCitation("", "", SPAN)),
    ({"type": "url_citation", "url": "u", "title": "t", "snippet": "s"}, hub.UrlCitation("u", "t", SPAN)),
    (
        {"type": "place_citation", "place_id": "places/p", "name": "n", "review_snippets": [{"review_id": "r"}]},
        hub.PlaceCitation("places/p", "n", MAPS + "p", SPAN),
    ),
    ({"type": "place_citation", "name": "n", "url": "u"}, hub.PlaceCitation(None, "n", "u", SPAN)),
    (
        {"type": "file_citation", "document_uri": "a/b.pdf", "source": "s", "page_number": 3},
        hub.DocumentCitation("a/b.pdf", "b.pdf", SPAN, 4),
    ),
    ({"type": "file_citation", "media_id": "m"}, hub.DocumentCitation("m", None, SPAN, 4)),
    ({"type": "file_citation", "file_name": "f"}, hub.DocumentCitation("f", "f", SPAN, 4)),
    (
        {"type": "word_info", "text": "w", "start_offset": "1.5s", "end_offset": "2s", "speaker": "spk_1"},
        hub.WordInfo("w", 1500, 2000, "spk_1", SPAN),
    ),
    (
        {"type": "word_info", "start_offset": "soon", "end_offset": "0.000000001s"},
        hub.WordInfo(None, None, 1e-6, None, SPAN),
    ),
    ({"type": "speech_metadata", "speaker": "s", "style": "calm"}, hub.SpeechMetadata("s", "calm", SPAN)),
]


@pytest.mark.parametrize(("raw", "expected"), TYPES)
def test_every_type(raw: Json, expected: Annotation) -> None:
    raw = raw | AT
    assert not isinstance(expected, hub.OpaqueAnnotation)
    expected.extra = Kept("gemini", raw)
    assert decode(raw) == expected
    assert encode(expected) == raw


def test_an_unknown_type_is_kept() -> None:
    raw = {"type": "mood", "mood": "good"} | AT
    assert decode(raw) == hub.OpaqueAnnotation("gemini", raw, SPAN)
    assert encode(decode(raw)) == raw


REST: list[tuple[Json, Annotation]] = [
    ({"urlCitation": {"url": "u", "title": "t"}}, hub.UrlCitation("u", "t", SPAN)),
    ({"fileCitation": {"documentUri": "d", "fileName": "f"}}, hub.DocumentCitation("d", "f", SPAN, 4)),
    ({"placeCitation": {"placeId": "places/p", "name": "n"}}, hub.PlaceCitation("places/p", "n", MAPS + "p", SPAN)),
    ({"wordInfo": {"text": "w", "startOffset": "1s"}}, hub.WordInfo("w", 1000, None, None, SPAN)),
]


@pytest.mark.parametrize(("raw", "expected"), REST)
def test_the_shape_of_the_rest_reference(raw: Json, expected: Annotation) -> None:
    raw = {"startIndex": 7, "endIndex": 11} | raw
    assert not isinstance(expected, hub.OpaqueAnnotation)
    expected.extra = Kept("gemini", raw)
    assert decode(raw) == expected
    assert encode(expected) == raw


# what other vendors' citations become
FOREIGN: list[tuple[Annotation, Json | None]] = [
    (hub.UrlCitation("u", "t", SPAN), {"type": "url_citation", "url": "u", "title": "t"} | AT),
    (
        hub.DocumentCitation("d", "f", position=4, extra=Kept("elsewhere", {"x": 1})),
        {"type": "file_citation", "document_uri": "d", "file_name": "f", "start_index": 11, "end_index": 11},
    ),
    (
        hub.DocumentCitation("d", None, SPAN, container_id="c"),
        {"type": "file_citation", "document_uri": "d", "custom_metadata": {"container_id": "c"}} | AT,
    ),
    (hub.DocumentCitation("d"), {"type": "file_citation", "document_uri": "d"}),
    (hub.PlaceCitation("p", "n", "u", SPAN), {"type": "place_citation", "place_id": "p", "name": "n", "url": "u"} | AT),
    (
        hub.WordInfo("w", 1500, 2000, None, SPAN),
        {"type": "word_info", "text": "w", "start_offset": "1.5s", "end_offset": "2s"} | AT,
    ),
    (hub.SpeechMetadata("s", None, SPAN), {"type": "speech_metadata", "speaker": "s"} | AT),
    (hub.OpaqueAnnotation("elsewhere", {"type": "x"}, SPAN), None),
]


@pytest.mark.parametrize(("annotation", "raw"), FOREIGN)
def test_citations_of_others_in_the_wires_words(annotation: Annotation, raw: Json | None) -> None:
    assert encode(annotation) == raw


PLACE: Json = {"type": "place_citation", "place_id": "places/p", "name": "n"} | AT
KEPT = Kept("gemini", PLACE)
LINK = MAPS + "p"


@pytest.mark.parametrize(
    ("shown", "verbatim"),
    [
        (hub.UrlCitation(LINK, "n", SPAN, KEPT), True),  # as a client without places sees it
        (hub.UrlCitation(LINK, "another title", SPAN, KEPT), False),
        (hub.UrlCitation(LINK, "", SPAN, KEPT), False),
        (hub.UrlCitation(LINK, "n", Span(3, 5), KEPT), False),
        (hub.UrlCitation(LINK, "n", Span(0, 4), KEPT), False),
        (hub.UrlCitation("https://other", "n", SPAN, KEPT), False),
        (hub.UrlCitation(LINK, "n", None, KEPT), False),
        (hub.UrlCitation(LINK, "n", SPAN, Kept("elsewhere", PLACE)), False),
    ],
)
def test_own_words_are_repeated_while_they_say_the_same(shown: Annotation, verbatim: bool) -> None:
    assert (encode(shown) == PLACE) is verbatim


FILE: Json = {"type": "file_citation", "document_uri": "files/d", "page_number": 3} | AT
FILE_KEPT = Kept("gemini", FILE)


@pytest.mark.parametrize(
    ("shown", "verbatim"),
    [
        (hub.DocumentCitation("files/d", "d", None, 4, None, FILE_KEPT), True),  # a point at the end of the span
        (hub.DocumentCitation("files/d", "d", None, 3, None, FILE_KEPT), False),
        (hub.DocumentCitation("files/d", "another name", None, 4, None, FILE_KEPT), False),
        (hub.DocumentCitation("files/e", "d", None, 4, None, FILE_KEPT), False),
    ],
)
def test_own_words_of_a_file_are_repeated_while_they_say_the_same(shown: Annotation, verbatim: bool) -> None:
    assert (encode(shown) == FILE) is verbatim


@pytest.mark.parametrize(
    ("title", "shown", "verbatim"),
    [("t", "t", True), ("t", "", False), ("", "u", True), (None, "u", True), (None, "t", False)],
)
def test_an_edited_title_is_the_clients(title: str | None, shown: str, verbatim: bool) -> None:
    """A client reads the address where there is no title."""
    raw = {"type": "url_citation", "url": "u", "snippet": "s", **AT} | ({} if title is None else {"title": title})
    edited = {"type": "url_citation", "url": "u", "title": shown, **AT}
    assert encode(hub.UrlCitation("u", shown, SPAN, Kept("gemini", raw))) == (raw if verbatim else edited)


@pytest.mark.parametrize(
    ("annotation", "own", "lossy"),
    [
        (hub.UrlCitation("u", "t", SPAN), False, True),
        (hub.UrlCitation("u", "t", SPAN), True, False),
        (hub.UrlCitation("u", "t", SPAN, Kept("gemini", {})), False, False),
        (hub.UrlCitation("u", "t"), False, False),
        (hub.UrlCitation("u", "t", None, Kept("elsewhere", {"logo": "l"})), False, True),
        (hub.DocumentCitation("f", "n", SPAN, None, "c", Kept("elsewhere", {})), False, True),
        (hub.DocumentCitation("f", "n", None, 3, None, Kept("elsewhere", {})), False, False),
        (hub.DocumentCitation("f", None, None, None, None, Kept("elsewhere", {"index": 3})), False, True),
        (hub.OpaqueAnnotation("elsewhere", {"type": "x"}), True, True),
        (hub.OpaqueAnnotation("gemini", {"type": "x"}), False, False),
    ],
)
def test_what_other_vendors_cite_loses_its_meaning_of_a_place(annotation: Annotation, own: bool, lossy: bool) -> None:
    assert (loss_of(annotation, "gemini", own) is not None) is lossy


def test_own_words_are_not_repeated_of_an_edited_text() -> None:
    citation = decode(PLACE)
    assert encode(citation, "Tōkyō 🗼 tower") != PLACE


def test_a_citation_without_a_place_may_come_back_with_a_point() -> None:
    raw = {"type": "url_citation", "url": "u", "title": "t", "snippet": "s"}
    for span in (None, Span(10, 10)):
        assert encode(hub.UrlCitation("u", "t", span, Kept("gemini", raw))) == raw
    assert encode(hub.UrlCitation("u", "t", Span(0, 2), Kept("gemini", raw))) != raw


OFFSET = st.one_of(st.none(), st.integers(-3, 60), st.sampled_from(["1", 1.5, True]))
SCALAR = st.one_of(st.none(), st.booleans(), st.integers(0, 9), st.text(max_size=5))
ANNOTATIONS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["url_citation", "file_citation", "place_citation", "word_info", "speech_metadata", "x", 1]
        ),
        "start_index": OFFSET,
        "end_index": OFFSET,
        "startIndex": OFFSET,
        "url": SCALAR,
        "title": SCALAR,
        "document_uri": SCALAR,
        "file_name": SCALAR,
        "place_id": SCALAR,
        "start_offset": st.one_of(SCALAR, st.sampled_from(["1.5s", "-1s", "1e3s"])),
        "urlCitation": st.one_of(SCALAR, st.fixed_dictionaries({"url": SCALAR})),
        "snippet": SCALAR,
    },
)
TEXTS = st.text(st.sampled_from("aé東🗼\u0301"), max_size=20)


@given(ANNOTATIONS, TEXTS)
def test_any_annotation_comes_back_as_it_was(raw: Json, text: str) -> None:
    annotation = decode(raw, text)
    span = annotation.span
    assert span is None or 0 <= span.start <= span.end <= len(text)
    assert json.dumps(encode(annotation, text)) == json.dumps(raw)
    if isinstance(annotation, hub.UrlCitation) and annotation.extra is not None:
        assert encode(hub.UrlCitation(annotation.url, annotation.title, span), text) != raw


def url(start: int | None, end: int | None, title: str) -> Json:
    offsets = {"start_index": start, "end_index": end}
    return {"type": "url_citation", "url": title, "title": title} | {k: v for k, v in offsets.items() if v is not None}


def cite(*annotations: Json) -> Json:
    return {
        "event_type": "step.delta",
        "index": 0,
        "delta": {"type": "text_annotation_delta", "annotations": annotations},
    }


def say(text: str) -> Json:
    return {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": text}}


BEGIN: list[Json] = [{"event_type": "step.start", "index": 0, "step": {"type": "model_output"}}]
END: list[Json] = [
    {"event_type": "step.stop", "index": 0},
    {"event_type": "interaction.completed", "interaction": {"status": "completed"}},
]

TIMES: dict[str, tuple[list[Json], list[str]]] = {
    "after the text": ([say("東京"), cite(url(0, 6, "a"))], ["+ 東京", "cites a 0..2"]),
    "before the text": ([cite(url(0, 6, "a")), say("東京")], ["+ 東京", "cites a 0..2"]),
    "between its halves": (
        [say("東"), cite(url(0, 6, "a")), say("京"), say("!")],
        ["+ 東", "+ 京", "cites a 0..2", "+ !"],
    ),
    "beyond the text": ([say("東"), cite(url(0, 6, "a"))], ["+ 東", "cites a 0..1"]),
    "to the end, wherever that is": ([say("東"), cite(url(3, None, "a")), say("京")], ["+ 東", "+ 京", "cites a 1..2"]),
    "nowhere": ([say("東"), cite(url(None, None, "a")), say("京")], ["+ 東", "cites a nowhere", "+ 京"]),
    "in the vendor's order": (
        [say("東"), cite(url(0, 6, "a"), url(0, 3, "b")), say("京")],
        ["+ 東", "+ 京", "cites a 0..2", "cites b 0..1"],
    ),
    "twice": ([say("東"), cite(url(0, 3, "a")), cite(url(0, 3, "a"))], ["+ 東", "cites a 0..1", "cites a 0..1"]),
}


@pytest.mark.parametrize("name", TIMES)
def test_an_annotation_is_told_once_its_text_is_there(name: str, play: Any) -> None:
    events, expected = TIMES[name]
    told: list[str] = []
    for event in play(*BEGIN, *events, *END):
        if isinstance(event, ev.Delta):
            told.append(f"+ {event.text}")
        elif isinstance(event, ev.Annotated):
            citation, span = event.annotation, event.annotation.span
            assert isinstance(citation, hub.UrlCitation)
            told.append(f"cites {citation.title} " + (f"{span.start}..{span.end}" if span else "nowhere"))
    assert told == expected


def test_offsets_count_from_the_block(play: Any) -> None:
    blocks = [{"type": "text", "text": "東京", "annotations": [url(3, 6, "a")]} for _ in range(2)]
    step = {"event_type": "step.start", "index": 0, "step": {"type": "model_output", "content": blocks}}
    cited = [event for event in play(step, *END) if isinstance(event, ev.Annotated)]
    assert [(event.part, event.annotation.span) for event in cited] == [(0, Span(1, 2)), (1, Span(1, 2))]


UNITS: dict[Offsets, tuple[int, int]] = {"codepoint": (1, 2), "utf16": (2, 3), "utf8": (4, 7)}


@pytest.mark.parametrize(("unit", "place"), UNITS.items())
def test_the_vendors_own_words_are_counted_anew_for_another_reader(unit: Offsets, place: tuple[int, int]) -> None:
    """All that it said, spelled as it spelled it; a start that it left out stays out."""
    start, end = place
    said: list[tuple[Json, Json]] = [
        (
            {"type": "place_citation", "start_index": 4, "end_index": 7, "review_snippets": [1]},
            {"start_index": start, "end_index": end},
        ),
        ({"startIndex": 4, "endIndex": 7, "urlCitation": {"url": "u"}}, {"startIndex": start, "endIndex": end}),
        ({"type": "word_info", "end_index": 7, "start_offset": "1s"}, {"end_index": end}),
        ({"type": "mood", "start_index": 4, "end_index": 7, "level": 4}, {"start_index": start, "end_index": end}),
        ({"type": "file_citation", "file_name": "n", "page_number": 7}, {}),
    ]
    own, client = index_of("🗼京."), TextIndex(unit)
    client.feed("🗼京.")
    for raw, counted in said:
        assert encode_annotation(decode_annotation(raw, own, "gemini"), client, "gemini") == raw | counted
