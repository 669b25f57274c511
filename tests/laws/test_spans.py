"""Spans: what an annotation points at is the same string for the vendor, in the hub and for the client."""

from __future__ import annotations

import pytest

from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import Annotation, PlaceCitation, UrlCitation
from adapters.hub.fold import fold
from adapters.wire_json import Json
from tests.laws.corpus import ANSWERS, FIDELITIES, STREAMS, Recording, encode, label
from tests.laws.json_values import cited
from tests.laws.twins import WHOLE

BODIES = [pair for pair in (*((answer, answer.body()) for answer in ANSWERS), *WHOLE) if "outputs" not in pair[1]]
"""Answers with their JSON, but for those of a revision that is not spoken."""

IN_BYTES = {"gemini"}
""""Index indicates the start of the segment, measured in bytes"; elsewhere characters are counted."""


def parts(recording: Recording) -> list[tuple[str, list[Annotation]]]:
    """The same in the hub."""
    tree = fold(recording.walk())
    return [(part.text, part.annotations) for item in tree.items for part in item.parts if part.annotations]


def slice_of(text: str, raw: Json, vendor: str) -> str | None:
    """What the vendor's offsets cut out of its text; None where they give no whole characters of it."""
    if not isinstance(raw.get("end_index"), int):
        return None
    start, end = raw.get("start_index", 0), raw["end_index"]
    whole = text.encode() if vendor in IN_BYTES else text
    if not 0 <= start <= end <= len(whole):
        return None
    try:
        piece = whole[start:end]
        return piece.decode() if isinstance(piece, bytes) else piece
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("recording", [*STREAMS, *ANSWERS], ids=str)
def test_no_span_leaves_its_text(recording: Recording) -> None:
    for text, cites in parts(recording):
        for cite in cites:
            if cite.span is not None:
                assert 0 <= cite.span.start <= cite.span.end <= len(text)


@pytest.mark.parametrize(("recording", "body"), BODIES, ids=label)
def test_the_hub_cuts_out_what_the_vendor_does(recording: Recording, body: Json) -> None:
    told, heard = cited(body), parts(recording)
    assert [(text, len(raws)) for text, raws in told] == [(text, len(cites)) for text, cites in heard]
    for (text, raws), (_, cites) in zip(told, heard, strict=True):
        for raw, cite in zip(raws, cites, strict=True):
            expected = slice_of(text, raw, recording.vendor)
            if expected is not None:
                assert cite.span is not None
                assert text[cite.span.start : cite.span.end] == expected


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("recording", [*STREAMS, *ANSWERS], ids=str)
def test_the_client_cuts_out_what_the_hub_does(recording: Recording, fidelity: Fidelity) -> None:
    """Citations of a link; one without a place stands zero wide somewhere in the text."""
    expected = [
        text[cite.span.start : cite.span.end]
        for text, cites in parts(recording)
        for cite in cites
        if isinstance(cite, UrlCitation | PlaceCitation) and cite.span is not None
    ]
    told = [
        text[raw["start_index"] : raw["end_index"]]
        for text, raws in cited(encode(recording.walk(), "openai", fidelity).body())
        for raw in raws
        if raw["type"] in ("url_citation", "place_citation")
        and 0 <= raw["start_index"] <= raw["end_index"] <= len(text)
    ]
    assert [piece for piece in told if piece] == [piece for piece in expected if piece]
