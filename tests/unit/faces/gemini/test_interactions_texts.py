"""Messages of several texts: each has a step of its own, and the steps are one message for the vendor that said it."""

from __future__ import annotations

from typing import Any, Final

import pytest

import adapters
from adapters.faces.gemini.grammar import check
from adapters.faces.gemini.request import decode_request
from adapters.faces.gemini.retelling import retell_steps
from adapters.hub import events as ev
from adapters.hub.adapter import Fidelity, Offsets
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.unit.faces.gemini.written import steps_of, write

USER: Final[Json] = {"type": "user_input", "content": [{"type": "text", "text": "hi"}]}
TOWER: Final = "the 🗼 is 333 m high"
CITE: Final[Json] = {"type": "url_citation", "url": "https://a.test", "title": "A", "start_index": 4, "end_index": 5}
MESSAGE: Final[Json] = {
    "type": "message",
    "id": "msg_1",
    "status": "completed",
    "role": "assistant",
    "phase": "final_answer",
    "content": [
        {"type": "output_text", "text": "東京 🗼: ", "annotations": [], "logprobs": [], "of_tomorrow": 1},
        {"type": "output_text", "text": TOWER, "annotations": [CITE], "logprobs": []},
        {"type": "refusal", "refusal": "No more."},
    ],
}
SIZES: Final[dict[Offsets, tuple[str, int]]] = {"codepoint": ("utf-32-le", 4), "utf16": ("utf-16-le", 2)}
"""How a text is encoded whose offsets count that unit, and the bytes of one; else bytes of UTF-8."""


def message_of(items: list[Json]) -> list[ev.Event]:
    body = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": items}
    return adapters.load("openai").codec.decode_response(body)


def told(walk: list[ev.Event], *, stream: bool, fidelity: Fidelity = "rich", unit: Offsets | None = None) -> list[Json]:
    answer = write(walk, fidelity, stream=stream, offsets=unit)
    return steps_of(answer.payloads()) if stream else answer.body()["steps"]


def sent(vendor: str, steps: list[Json]) -> tuple[list[Json], list[str]]:
    """What a vendor is sent of the steps, and what was lost."""
    request, losses = decode_request({"model": "m", "input": [USER, *steps, USER]}), Ledger()
    body = adapters.load(vendor).codec.encode_request(request, losses)
    return body["input"][1:-1], [loss.path for loss in losses.losses]


def cut(text: str, cite: Json, unit: Offsets | None) -> str:
    codec, width = SIZES.get(unit or "utf8", ("utf-8", 1))
    raw = text.encode(codec)
    return raw[cite["start_index"] * width : cite["end_index"] * width].decode(codec)


@pytest.mark.parametrize("unit", [None, "codepoint", "utf16", "utf8"])
def test_who_adds_the_deltas_of_a_step_up_slices_what_is_cited(unit: Offsets | None) -> None:
    texts: dict[int, str] = {}
    cited: list[str] = []
    answer = write(message_of([MESSAGE]), offsets=unit)
    for event in answer.payloads():
        delta: Json = event.get("delta", {})
        if delta.get("type") == "text":
            texts[event["index"]] = texts.get(event["index"], "") + delta["text"]
        cited += [cut(texts[event["index"]], cite, unit) for cite in delta.get("annotations", [])]
    assert list(texts.values()) == ["東京 🗼: ", TOWER, "No more."]
    assert cited == ["🗼"]
    assert not check(answer.events(), offsets=unit).violations


@pytest.mark.parametrize("unit", [None, "codepoint", "utf16", "utf8"])
def test_who_reads_the_whole_answer_slices_it_as_well(unit: Offsets | None) -> None:
    steps = told(message_of([MESSAGE]), stream=False, unit=unit)
    for step in steps:
        text = "".join(block["text"] for block in step["content"])
        cites = [cite for block in step["content"] for cite in block.get("annotations", [])]
        assert [cut(text, cite, unit) for cite in cites] == (["🗼"] if text == TOWER else [])
    assert len(steps) == 3


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("count", [1, 2])
def test_the_vendor_gets_its_messages_back(stream: bool, count: int) -> None:
    messages = [{**MESSAGE, "id": f"msg_{number}"} for number in range(count)]
    assert sent("openai", told(message_of(messages), stream=stream)) == (messages, [])


def test_messages_without_an_id_stay_apart() -> None:
    text: Json = {"type": "output_text", "text": "a", "annotations": []}
    messages: list[Json] = [{"type": "message", "role": "assistant", "content": [text, text]}] * 2
    steps = told(message_of(messages), stream=True)
    assert [len(item.item["content"]) for item in retell_steps(steps)] == [2, 2]


def test_a_step_that_lost_the_one_before_it_is_a_message() -> None:
    first, second, third = told(message_of([MESSAGE]), stream=False)
    assert [item.item["content"][0]["text"] for item in retell_steps([second])] == [TOWER]
    assert [len(item.item["content"]) for item in retell_steps([first, third])] == [2]
    assert [len(item.item["content"]) for item in retell_steps([first, USER, second])] == [1, 1, 1]


def test_gemini_is_told_the_steps_without_their_marks() -> None:
    steps, lost = sent("gemini", told(message_of([MESSAGE]), stream=True))
    assert [[block["text"] for block in step["content"]] for step in steps] == [["東京 🗼: "], [TOWER], ["No more."]]
    assert "x_dragoman" not in str(steps)
    assert not any(".continues" in path for path in lost)


def test_strict_marks_nothing() -> None:
    steps = told(message_of([MESSAGE]), stream=True, fidelity="strict")
    assert "x_dragoman" not in str(steps)
    assert [len(item.item["content"]) for item in retell_steps(steps)] == [1, 1, 1]


def test_what_rides_with_a_message_stands_before_and_behind_it() -> None:
    listed: Json = {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "s", "tools": []}
    items = [listed, MESSAGE, {**listed, "id": "mcpl_2"}]
    for stream in (True, False):
        assert sent("openai", told(message_of(items), stream=stream))[0] == items


def test_texts_that_come_at_once_take_turns() -> None:
    def event(part: int) -> list[ev.Event]:
        return [ev.PartStarted(0, part, "text"), *[ev.Delta(0, part, f"{part}{n}") for n in "ab"]]

    first, second = event(0), event(1)
    mixed = [first[0], second[0], second[1], first[1], second[2], ev.PartEnded(0, 1), first[2], ev.PartEnded(0, 0)]
    ends: list[ev.Event] = [ev.ItemEnded(0), ev.Ended("completed", ev.Finish("stop"))]
    walk = [ev.Started("openai", "r", "m"), ev.ItemStarted(0, "message", "m_1"), *mixed, *ends]
    assert not check(write(walk).events()).violations
    steps = told(walk, stream=True)
    assert [block["text"] for step in steps for block in step["content"]] == ["0a0b", "1a1b"]
    assert steps == told(walk, stream=False)


@pytest.mark.parametrize("stream", [True, False])
def test_geminis_own_texts_are_one_step_for_gemini(stream: bool) -> None:
    sound: Json = {"type": "audio", "data": "YQ==", "mime_type": "audio/wav"}
    content: list[Any] = [{"type": "text", "text": "a"}, sound, {"type": "text", "text": "b", "of_tomorrow": 1}]
    step = {"type": "model_output", "content": content, "of_tomorrow": 2}
    body = {"id": "v1_a", "object": "interaction", "model": "m", "status": "completed", "steps": [step]}
    steps = told(adapters.load("gemini").codec.decode_response(body), stream=stream)
    assert [one["content"] for one in steps] == [content[:2], content[2:]]
    assert sent("gemini", steps) == ([step], [])
