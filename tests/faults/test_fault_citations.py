"""Faults of citations, each with the smallest answer of Gemini that shows it: what the client reads."""

from __future__ import annotations

from typing import Any

import pytest

import adapters
from adapters.sse import SseEvent
from adapters.wire_json import Json, dumps
from tests.laws.corpus import decode, encode

Cited = tuple[int, int, str]


def text(said: str, *annotations: Json) -> Json:
    return {"type": "text", "text": said, "annotations": list(annotations)}


def url(end: int, title: str = "t", **more: Any) -> Json:
    return {"type": "url_citation", "url": "https://a.test", "title": title, "end_index": end, **more}


def output(*content: Json) -> Json:
    return {"type": "model_output", "content": list(content)}


THOUGHT: Json = {"type": "thought", "signature": "s", "summary": [{"type": "text", "text": "考える"}]}

# the steps, and what each part of a message cites: start, end, title
CASES: dict[str, tuple[list[Json], list[list[Cited]]]] = {
    "A01 bytes among wide characters": (
        [output(text("北京今天晴。😀 Temperature 20C.", url(39, start_index=23)))],
        [[(8, 24, "t")]],
    ),
    "A02 a start of zero is left out": ([output(text("東京 tower", url(6)))], [[(0, 2, "t")]]),
    "A03 one citation of a Chinese sentence": ([output(text("北京今天晴。", url(18, start_index=6)))], [[(2, 6, "t")]]),
    "A04 a place after wide characters": ([output(text("天気 is fine", url(14, start_index=10)))], [[(6, 10, "t")]]),
    "A05 two citations of a Japanese text": (
        [output(text("東京は晴れ。京都は雨。", url(18), url(33, "u", start_index=18)))],
        [[(0, 6, "t"), (6, 11, "u")]],
    ),
    "A07 bytes, exclusive": ([output(text("Préface 🐈. ", url(14, start_index=9)))], [[(8, 10, "t")]]),
    "A07 an offset inside a character is widened": (
        [output(text("Préface 🐈. ", url(11, start_index=10)))],
        [[(8, 9, "t")]],
    ),
    "A09 the cited words are there twice": (
        [output(text("**a** and **b**", url(12, start_index=10)))],
        [[(10, 12, "t")]],
    ),
    "A10 a text that cites": ([output(text("ab", url(2)))], [[(0, 2, "t")]]),
    "A11 two blocks of one step": ([output(text("東京"), text("京都です", url(6)))], [[], [(0, 2, "t")]]),
    "A11 two steps, with a thought before each": (
        [THOUGHT, output(text("東京")), THOUGHT, output(text("京都です", url(6)))],
        [[], [(0, 2, "t")]],
    ),
}


def streamed(steps: list[Json]) -> list[SseEvent]:
    """The steps as a stream, each whole at its start."""
    events: list[Json] = [{"event_type": "interaction.created", "interaction": {"id": "v1_a"}}]
    for number, step in enumerate(steps):
        events.append({"event_type": "step.start", "index": number, "step": step})
        events.append({"event_type": "step.stop", "index": number})
    events.append({"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": "completed"}})
    return [SseEvent(b"", dumps(event)) for event in events]


def told(steps: list[Json], *, stream: bool) -> list[Json]:
    """What the client is told: the events of a stream, or a whole answer."""
    if stream:
        return encode(decode("gemini", streamed(steps)), "openai", "strict").payloads()
    body: Json = {"id": "v1_a", "status": "completed", "steps": steps}
    walk = adapters.load("gemini").codec.decode_response(body)
    return [{"response": encode(walk, "openai", "strict", stream=False).body()}]


def parts(events: list[Json]) -> list[Json]:
    """The texts of the messages in the last word of the answer."""
    output = events[-1]["response"]["output"]
    return [part for item in output if item["type"] == "message" for part in item["content"]]


def cited(part: Json) -> list[Cited]:
    return [(said["start_index"], said["end_index"], said["title"]) for said in part["annotations"]]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_a_citation_stands_on_its_characters(name: str, stream: bool) -> None:
    steps, expected = CASES[name]
    assert [cited(part) for part in parts(told(steps, stream=stream))] == expected


def test_a_grounded_stream_tells_its_search_and_its_citations() -> None:
    """B01, B09: events of the search, one event for each citation, and the same in the last word."""
    searched = [
        {"type": "google_search_call", "id": "g", "arguments": {"queries": ["q"]}},
        {"type": "google_search_result", "call_id": "g", "result": [{"search_suggestions": "s"}]},
    ]
    events = told([*searched, output(text("It rains.", url(9)))], stream=True)
    kinds = [event["type"] for event in events]
    assert "response.web_search_call.completed" in kinds
    added = [event["annotation"] for event in events if event["type"] == "response.output_text.annotation.added"]
    assert added == parts(events)[0]["annotations"] != []


def test_pages_and_files_keep_each_its_own_fields() -> None:
    """B18: clients hold each citation to its type."""
    file: Json = {"type": "file_citation", "document_uri": "f", "file_name": "a.pdf", "end_index": 2}
    page, document = parts(told([output(text("ab", url(2), file))], stream=True))[0]["annotations"]
    assert page.keys() == {"type", "url", "title", "start_index", "end_index"}
    assert document == {"type": "file_citation", "file_id": "f", "filename": "a.pdf", "index": 2}


def test_an_address_that_redirects_is_passed_as_it_is() -> None:
    """B28: what it leads to is not guessed; the title is the vendor's."""
    redirect = {**url(2, "weather.example"), "url": "https://grounding.example/redirect/AA"}
    (page,) = parts(told([output(text("ab", redirect))], stream=True))[0]["annotations"]
    assert (page["url"], page["title"]) == ("https://grounding.example/redirect/AA", "weather.example")
