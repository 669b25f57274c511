"""Citations of the Responses wire, read from a vendor and read back from a client that replays them."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import (
    Annotation,
    DocumentCitation,
    OpaqueAnnotation,
    PlaceCitation,
    Span,
    UrlCitation,
    WordInfo,
)
from adapters.hub.kept import Kept
from adapters.responses.annotations import decode_annotation, decode_replayed, encode_annotation
from adapters.wire_json import Json

URL: Json = {"type": "url_citation", "url": "u", "title": "t", "start_index": 1, "end_index": 3}
FILE: Json = {"type": "file_citation", "file_id": "f", "filename": "a.pdf", "index": 4}
CONTAINER: Json = {
    "type": "container_file_citation",
    "container_id": "c",
    "file_id": "f",
    "filename": "a",
    "start_index": 0,
    "end_index": 0,
}
PATH: Json = {"type": "file_path", "file_id": "f", "index": 0}

READ: dict[str, tuple[Json, Annotation]] = {
    "a page": (URL, UrlCitation("u", "t", Span(1, 3))),
    "a page with more": ({**URL, "x": 1}, UrlCitation("u", "t", Span(1, 3), Kept("w", {**URL, "x": 1}))),
    "B20 a page without a title": (
        {"type": "url_citation", "url": "u", "start_index": 1, "end_index": 3},
        UrlCitation(
            "u", "", Span(1, 3), Kept("w", {"type": "url_citation", "url": "u", "start_index": 1, "end_index": 3})
        ),
    ),
    "a page with a title that is none": (
        {**URL, "title": 5},
        UrlCitation("u", "", Span(1, 3), Kept("w", {**URL, "title": 5})),
    ),
    "a page without a place": (
        {"type": "url_citation", "url": "u", "title": "t"},
        UrlCitation("u", "t", None, Kept("w", {"type": "url_citation", "url": "u", "title": "t"})),
    ),
    "offsets that are none": (
        {**URL, "start_index": True},
        UrlCitation("u", "t", None, Kept("w", {**URL, "start_index": True})),
    ),
    "half a span": ({**URL, "end_index": None}, UrlCitation("u", "t", None, Kept("w", {**URL, "end_index": None}))),
    "B19 a file": (FILE, DocumentCitation("f", "a.pdf", position=4, extra=Kept("w", FILE))),
    "a file in a container": (
        CONTAINER,
        DocumentCitation("f", "a", Span(0, 0), container_id="c", extra=Kept("w", CONTAINER)),
    ),
    "a path, whose index is no place": (PATH, DocumentCitation("f", extra=Kept("w", PATH))),
    "B26 an unknown one": (
        {"type": "mood", "start_index": 0, "end_index": 1},
        OpaqueAnnotation("w", {"type": "mood", "start_index": 0, "end_index": 1}, Span(0, 1)),
    ),
    "no type": ({"a": 1}, OpaqueAnnotation("w", {"a": 1})),
    "a type that is none": ({"type": ["url_citation"]}, OpaqueAnnotation("w", {"type": ["url_citation"]})),
}


@pytest.mark.parametrize(("raw", "expected"), READ.values(), ids=READ.keys())
def test_a_citation_is_read(raw: Json, expected: Annotation) -> None:
    assert decode_annotation(raw, "w") == expected


@pytest.mark.parametrize("raw", [URL, {**URL, "x": 1}, FILE, CONTAINER, PATH, {"type": "mood"}])
@pytest.mark.parametrize("fidelity", ["strict", "rich", "native"])
def test_the_dialects_own_citation_comes_back_as_it_was(raw: Json, fidelity: Fidelity) -> None:
    assert encode_annotation(decode_annotation(raw, "w"), "w", fidelity, 9) == raw


FAR: dict[str, Annotation] = {
    "a page": UrlCitation("u", "t", Span(1, 3)),
    "a page, with more": UrlCitation("u", "t", Span(1, 3), Kept("far", {"type": "page", "u": "u"})),
    "a page, without a place": UrlCitation("u", "t", None, Kept("far", {"type": "page"})),
    "a file": DocumentCitation("f", "a.pdf", Span(0, 4), extra=Kept("far", {"type": "file"})),
    "a file, without a place": DocumentCitation("f", "a.pdf", extra=Kept("far", {"type": "file"})),
    "a place": PlaceCitation("p", "P", "u", Span(0, 1), Kept("far", {"type": "place"})),
}


@pytest.mark.parametrize("annotation", FAR.values(), ids=FAR.keys())
@pytest.mark.parametrize("fidelity", ["rich", "native"])
def test_a_vendors_citation_finds_its_words_again(annotation: Any, fidelity: Fidelity) -> None:
    """0.2: what the client sends back still has the vendor's own words in it, and no place that was invented."""
    shown = encode_annotation(annotation, "w", fidelity, 9)
    (back,) = decode_replayed({"annotations": [shown]}, "w")
    kept = annotation.extra.data if annotation.extra is not None else None
    words = back.payload if isinstance(back, OpaqueAnnotation) else back.extra.data if back.extra is not None else None
    assert words == kept
    if isinstance(back, OpaqueAnnotation):
        assert fidelity == "native"  # under its own type name
    elif not isinstance(annotation, DocumentCitation):
        assert back.span == annotation.span
    elif annotation.span is None:
        assert isinstance(back, DocumentCitation)
        assert back.position is None


def test_what_stood_beside_the_text_goes_back_to_its_place() -> None:
    """a.6: `at` is the place in the vendor's own list."""
    part = {
        "annotations": [URL],
        "x_dragoman": {
            "v": "far",
            "annotations": [{"at": 0, "raw": {"type": "word"}}, {"at": 2, "raw": {"type": "mood"}}],
        },
    }
    assert decode_replayed(part, "w") == [
        OpaqueAnnotation("far", {"type": "word"}),
        UrlCitation("u", "t", Span(1, 3)),
        OpaqueAnnotation("far", {"type": "mood"}),
    ]


EDITED: dict[str, tuple[Any, int]] = {
    "nothing": ({}, 0),
    "null": ({"annotations": None, "x_dragoman": None}, 0),
    "a place that is none": ({"x_dragoman": {"v": "far", "annotations": [{"at": "x", "raw": {"type": "a"}}]}}, 1),
    "a place beyond the list": (
        {
            "x_dragoman": {
                "v": "far",
                "annotations": [{"at": 99, "raw": {"type": "a"}}, {"at": -1, "raw": {"type": "a"}}],
            }
        },
        2,
    ),
    "words of the wrong kind": ({"x_dragoman": {"v": 5, "annotations": [1, None, {"raw": 2}]}}, 3),
    "an extension that is a text": ({"annotations": [{**URL, "x_dragoman": "far"}]}, 1),
    "words that are a text": ({"annotations": [{**URL, "x_dragoman": {"v": "far", "raw": "x"}}]}, 1),
    "a foreign owner": ({"annotations": [{**URL, "x_dragoman": {"v": None, "raw": {"a": 1}}}]}, 1),
}


@pytest.mark.parametrize(("part", "count"), EDITED.values(), ids=EDITED.keys())
def test_an_extension_that_the_client_wrote_breaks_nothing(part: Json, count: int) -> None:
    assert len(decode_replayed(part, "w")) == count


def test_a_citation_without_a_type_of_the_dialect_is_none() -> None:
    for annotation in (WordInfo("x"), OpaqueAnnotation("far", {"type": "mood"}), OpaqueAnnotation("w", {"type": None})):
        assert encode_annotation(annotation, "w", "strict", 0) is None
        assert encode_annotation(annotation, "w", "rich", 0) is None
