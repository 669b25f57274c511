"""Offsets in the reader's unit: every program slices out what is cited, and a replay says the same in any unit."""

from __future__ import annotations

import json
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.adapter import Encoding, Fidelity
from adapters.hub.errors import Unsupported
from adapters.hub.events import Event
from adapters.hub.losses import Ledger
from adapters.hub.spans import Offsets, Recount, TextIndex
from adapters.responses.offsets import recount_content
from adapters.wire_json import Json, as_list
from tests.laws.corpus import ANSWERS, FACES, FIDELITIES, STREAMS, VENDORS, CountingMint, Recording, parse, surface
from tests.laws.json_values import cited
from tests.laws.replaying import REPLAYED, Answer, said_in
from tests.laws.strategies import bounded

UNITS: Final[tuple[Offsets, ...]] = ("codepoint", "utf16", "utf8")
FACE = "openai"
CHARACTERS = "a .é\u0301ßשּׁ日語한ไ\U0001f600\u200d\U0001f469\U0001f1e8\U0001f1f3\u20dd\U00020000"
TEXTS = st.text(st.sampled_from(CHARACTERS), max_size=40)
HALVES = st.text(st.sampled_from(CHARACTERS + "\ud83d\ude00\udfff"), max_size=40)
"""Texts with lone surrogates too."""


def cut(text: str, start: int, end: int, unit: Offsets) -> str:
    """What a program slices: Python a str, JavaScript UTF-16 code units, Go bytes."""
    if unit == "codepoint":
        return text[start:end]
    codec, width = ("utf-16-le", 2) if unit == "utf16" else ("utf-8", 1)
    return text.encode(codec, "surrogatepass")[start * width : end * width].decode(codec, "surrogatepass")


def joined(text: str) -> str:
    """The text as UTF-16 has it, where two halves that meet are one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def size(text: str, unit: Offsets) -> int:
    """The length of a text, the slow way."""
    if unit == "codepoint":
        return len(text)
    if unit == "utf16":
        return sum(2 if character > "\uffff" else 1 for character in text)
    return len(text.encode("utf-8", "surrogatepass"))


# -- the measures ------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
@bounded(200)
@given(pieces=st.lists(HALVES, max_size=6), data=st.data())
def test_an_index_cuts_out_what_the_program_does(unit: Offsets, pieces: list[str], data: st.DataObject) -> None:
    text, index = "".join(pieces), TextIndex(unit)
    for piece in pieces:
        index.feed(piece)
        if data.draw(st.booleans()):
            assert index.size == size(text[: index.chars], unit)
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    first, last = index.offset_at(start), index.offset_at(end)
    assert (first, last) == (size(text[:start], unit), size(text[:end], unit))
    assert joined(cut(text, first, last, unit)) == joined(text[start:end])
    assert (index.char_floor(first), index.char_ceil(last)) == (start, end)
    assert (index.on_border(first), index.on_border(last)) == (start, end)
    inside = data.draw(st.integers(-3, index.size + 3))
    floor, ceil = index.char_floor(inside), index.char_ceil(inside)
    held = min(max(inside, 0), index.size)
    assert size(text[:floor], unit) <= held <= size(text[:ceil], unit)
    assert ceil - floor <= 1
    assert (index.on_border(inside) is None) == (floor != ceil or inside != held)


@bounded(300)
@given(text=HALVES, source=st.sampled_from(UNITS), target=st.sampled_from(UNITS), offset=st.integers(-9, 200))
def test_a_recounted_place_comes_back(text: str, source: Offsets, target: Offsets, offset: int) -> None:
    """As it was, on a border or outside the text; inside a character at one of its ends."""
    there, back, index = Recount(source, target), Recount(target, source), TextIndex(source)
    for one in (there, back, index):
        one.feed(text)
    start, end = back.start(there.start(offset)), back.end(there.end(offset))
    if 0 <= offset <= index.size and index.on_border(offset) is None:
        around = index.char_floor(offset), index.char_ceil(offset)
        assert (start, end) == (index.offset_at(around[0]), index.offset_at(around[1]))
    else:
        assert (start, end) == (offset, offset)


# -- answers -----------------------------------------------------------------------------------


def told(
    walk: list[Event], unit: Offsets | None, fidelity: Fidelity = "rich", *, face: str = FACE, stream: bool = True
) -> list[Json]:
    """The events that a client of the dialect gets; or its one body."""
    request = surface(face).decode_request({"model": "m", "input": "x", "stream": stream})
    encoder = surface(face).encoder(Encoding(request, CountingMint(), fidelity, offsets=unit))
    frames = [frame for event in walk for frame in encoder.feed(event)]
    return [json.loads(event.data) for event in parse(b"".join(frames))] if stream else [json.loads(encoder.body())]


def parts(items: list[Json]) -> list[Json]:
    """The content parts of all messages."""
    return [part for item in items if item["type"] == "message" for part in item["content"]]


def places(text: str, citations: list[Json], unit: Offsets) -> list[tuple[str, str, str]]:
    """What a program makes of the citations: the text before and between their offsets, by their type."""
    found: list[tuple[str, str, str]] = []
    for cite in citations:
        start, end = cite.get("start_index"), cite.get("end_index")
        if type(start) is int and type(end) is int and 0 <= start <= end <= size(text, unit):
            found.append((cite["type"], cut(text, 0, start, unit), cut(text, start, end, unit)))
        if cite["type"] == "file_citation" and 0 <= cite["index"] <= size(text, unit):
            found.append((cite["type"], "", cut(text, 0, cite["index"], unit)))
    return found


def stripped(value: Json) -> Json:
    """A citation without its places, but with that of a path in a list of files."""
    gone = {"start_index", "end_index"} | ({"index"} if value.get("type") == "file_citation" else set[str]())
    return {key: inner for key, inner in value.items() if key not in gone}


def check_answer(walk: list[Event], unit: Offsets, fidelity: Fidelity) -> None:
    """The unit changes the places of the citations, which cut out the same, and nothing else."""
    plain, counted = (told(walk, unit, fidelity, stream=False)[0] for unit in ("codepoint", unit))
    mine, theirs = parts(plain["output"]), parts(counted["output"])
    assert [part.get("text") for part in theirs] == [part.get("text") for part in mine]
    for part, other in zip(mine, theirs, strict=True):
        cites, others = as_list(part.get("annotations")), as_list(other.get("annotations"))
        assert list(map(stripped, others)) == list(map(stripped, cites))
        assert places(part.get("text", ""), others, unit) == places(part.get("text", ""), cites, "codepoint")


@pytest.mark.parametrize("unit", ["utf16", "utf8"])
@pytest.mark.parametrize("recording", [*STREAMS, *ANSWERS], ids=str)
def test_every_program_cuts_out_the_same(recording: Recording, unit: Offsets) -> None:
    walk = recording.walk()
    for fidelity in FIDELITIES:
        check_answer(walk, unit, fidelity)


@pytest.mark.parametrize("recording", [*STREAMS, *ANSWERS], ids=str)
def test_the_dialects_own_unit_is_code_points(recording: Recording) -> None:
    walk = recording.walk()
    assert told(walk, "codepoint") == told(walk, None)


def check_four_places(events: list[Json]) -> None:
    """A citation is told as it comes, with its part, with its item and with the response: the same each time."""
    streamed: dict[tuple[int, int], list[Json]] = {}
    for event in events:
        if event["type"] == "response.output_text.annotation.added":
            streamed.setdefault((event["output_index"], event["content_index"]), []).append(event["annotation"])
    done = [event for event in events if event["type"] == "response.content_part.done"]
    with_part = {(e["output_index"], e["content_index"]): as_list(e["part"].get("annotations")) for e in done}
    items = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    assert {place: cites for place, cites in with_part.items() if cites} == streamed
    for told_again in (items, as_list(events[-1].get("response", {}).get("output"))):
        assert [as_list(part.get("annotations")) for part in parts(told_again)] == list(with_part.values())


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("recording", [r for r in STREAMS if b"annotation" in r.data], ids=str)
def test_a_stream_tells_its_citations_alike_four_times(recording: Recording, unit: Offsets) -> None:
    check_four_places(told(recording.walk(), unit))


# -- and back ----------------------------------------------------------------------------------


def sent(items: list[Json], vendor: str, unit: Offsets | None, face: str = FACE) -> list[Json]:
    """What a vendor is sent of items that a client brings back; nothing where it takes none of them."""
    request = surface(face).decode_request({"model": "m", "input": items}, unit)
    try:
        return adapters.load(vendor).codec.encode_request(request, Ledger()).get("input", [])
    except Unsupported:
        return []


INSIDE = {"sandbox-cite_odd.json", "sandbox-cite_odd.sse", "everything"}
"""Gemini's answers with offsets inside a character, which only bytes can tell."""


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("answer", REPLAYED, ids=str)
def test_a_replay_says_the_same_in_any_unit(answer: Answer, face: str) -> None:
    walk = answer.walk(adapters.load(answer.vendor).codec)
    plain = said_in(told(walk, None, face=face, stream=False)[0])
    heard = {vendor: sent(plain, vendor, None, face) for vendor in VENDORS}
    for unit in UNITS if not (face == answer.vendor and answer.name in INSIDE) else (surface(face).offsets,):
        counted = said_in(told(walk, unit, face=face, stream=False)[0])
        for vendor in VENDORS:
            assert sent(counted, vendor, unit, face) == heard[vendor]


SPANS = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(sorted)


@st.composite
def answers(draw: st.DrawFn) -> tuple[str, list[Json]]:
    """A text, and citations of every type on it in the Responses dialect."""
    text, citations = draw(TEXTS), list[Json]()
    for start, end in draw(st.lists(SPANS, max_size=4)):
        place = {"start_index": min(start, len(text)), "end_index": min(end, len(text))}
        source = {"file_id": "f", "filename": "n"}
        citations += draw(
            st.sampled_from(
                [
                    [{"type": "url_citation", "url": "https://e.test/", "title": "t", **place}],
                    [{"type": "container_file_citation", "container_id": "c", **source, **place}],
                    [{"type": "file_citation", **source, "index": place["end_index"]}],
                    [{"type": "file_path", "file_id": "f", "index": start}],
                    [
                        {
                            "type": "url_citation",
                            "url": "u",
                            "title": "t",
                            "start_index": 50 + start,
                            "end_index": 50 + end,
                        }
                    ],
                ]
            )
        )
    return text, citations


@pytest.mark.parametrize("unit", UNITS)
@bounded(150)
@given(answer=answers())
def test_any_citation_is_cut_out_and_comes_back(unit: Offsets, answer: tuple[str, list[Json]]) -> None:
    text, citations = answer
    part = {"type": "output_text", "text": text, "annotations": citations, "logprobs": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    body = {"id": "resp_1", "object": "response", "status": "completed", "output": [item]}
    walk = adapters.load(FACE).codec.decode_response(body)
    shown = told(walk, unit, stream=False)[0]["output"]
    assert places(text, shown[0]["content"][0]["annotations"], unit) == places(text, citations, "codepoint")
    check_four_places(told(walk, unit))
    assert sent(shown, FACE, unit) == [item]
    assert sent(shown, "gemini", unit) == sent([item], "gemini", None)
    assert [len(raws) for _, raws in cited({"input": sent(shown, "gemini", unit)})] == (
        [len(citations)] if citations else []
    )


@bounded(300)
@given(text=HALVES, unit=st.sampled_from(UNITS), data=st.data())
def test_content_is_recounted_whatever_it_holds(text: str, unit: Offsets, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    block: Json = {"type": "text", "text": text, "annotations": [{"start_index": start, "end_index": end}, None]}
    items = [{"content": [block, 1], "summary": [block]}, {"content": "x", "annotations": [1]}, None]
    counted = recount_content(items, "codepoint", unit)
    cite = counted[0]["content"][0]["annotations"][0]
    assert joined(cut(text, cite["start_index"], cite["end_index"], unit)) == joined(text[start:end])
    assert counted[0]["summary"] == counted[0]["content"][:1]
    assert recount_content(counted, unit, "codepoint") == items
