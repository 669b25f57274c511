"""Each word of OpenAI's answers reaches a client of its dialect as it was said, whatever the fidelity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import adapters
from adapters.hub.adapter import Fidelity
from adapters.hub.coverage import EXACT, Rule
from adapters.hub.losses import Ledger
from adapters.wire_json import Json
from tests.unit.responses.stage import body, created, ended, final, frames, on, walk

ANSWERS = adapters.load("openai").coverage.answers
FIDELITIES: list[Fidelity] = ["strict", "rich", "native"]

ITEMS: dict[str, Json] = {
    "message": {"role": "assistant", "content": []},
    "reasoning": {"summary": []},
    "function_call": {"call_id": "c", "name": "f", "arguments": ""},
    "custom_tool_call": {"call_id": "c", "name": "f", "input": ""},
    "mcp_call": {"server_label": "s", "name": "f", "arguments": ""},
    "mcp_list_tools": {"server_label": "s", "tools": []},
    "web_search_call": {"action": {"type": "search", "query": "q"}},
    "file_search_call": {"queries": []},
    "code_interpreter_call": {"code": "", "container_id": "k", "outputs": None},
    "image_generation_call": {"result": None},
    "compaction": {"encrypted_content": "e"},
    "shell_call": {"call_id": "c", "action": {"commands": []}},
    "shell_call_output": {"call_id": "c", "output": []},
}

TEXTS = {
    # stem: the item, its part's type, the number's name, the field of the whole text
    "output_text": ("message", "output_text", "content_index", "text"),
    "refusal": ("message", "refusal", "content_index", "refusal"),
    "reasoning_text": ("reasoning", "reasoning_text", "content_index", "text"),
    "reasoning_summary_text": ("reasoning", "summary_text", "summary_index", "text"),
    "function_call_arguments": ("function_call", "", "", "arguments"),
    "custom_tool_call_input": ("custom_tool_call", "", "", "input"),
    "mcp_call_arguments": ("mcp_call", "", "", "arguments"),
    "code_interpreter_call_code": ("code_interpreter_call", "", "", "code"),
}

PHASES = {
    "web_search_call": ["in_progress", "searching", "completed"],
    "file_search_call": ["in_progress", "searching", "completed"],
    "code_interpreter_call": ["in_progress", "interpreting", "completed"],
    "image_generation_call": ["in_progress", "generating", "completed"],
    "mcp_call": ["in_progress", "completed", "failed"],
    "mcp_list_tools": ["in_progress", "completed", "failed"],
    "compaction": ["compacting"],
}

CITE: Json = {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1}
OUT: Json = {"stdout": "o", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}


def texts(stem: str) -> Iterator[Json]:
    """The events of a text, with those of the part that holds it."""
    kind, type_, number, field = TEXTS[stem]
    place: Json = {"item_id": "i", **({number: 0} if number else {})}
    opened = "reasoning_summary_part" if stem == "reasoning_summary_text" else "content_part"
    listed: Json = {"annotations": [], "logprobs": []} if stem == "output_text" else {}
    logprobs: Json = {"logprobs": []} if stem == "output_text" else {}
    yield on("output_item.added", 0, item={"type": kind, "id": "i", "status": "in_progress", **ITEMS[kind]})
    if number:
        yield on(f"{opened}.added", 0, **place, part={"type": type_, field: "", **listed})
    yield on(f"{stem}.delta", 0, **place, delta="xy", **logprobs)
    if stem == "output_text":
        listed["annotations"] = [CITE]
        yield on("output_text.annotation.added", 0, **place, annotation_index=0, annotation=CITE)
    yield on(f"{stem}.done", 0, **place, **{field: "xy"}, **logprobs)
    part: Json = {"type": type_, field: "xy", **listed}
    if number:
        yield on(f"{opened}.done", 0, **place, part=part)
    held = "summary" if stem == "reasoning_summary_text" else "content"
    whole = {**ITEMS[kind], **({held: [part]} if number else {field: "xy"})}
    yield on("output_item.done", 0, item={"type": kind, "id": "i", "status": "completed", **whole})


def others(kind: str, *events: tuple[str, Json]) -> list[Json]:
    """Events of an item that say nothing of its texts."""
    item: Json = {"type": kind, "id": "i", "status": "in_progress", **ITEMS[kind]}
    inside = [on(name, 0, **fields) for name, fields in events]
    for stem, (owner, _, number, field) in TEXTS.items():
        if owner == kind and not number:
            inside.append(on(f"{stem}.done", 0, item_id="i", **{field: ""}))
    done = {**item, "status": "completed", **({"action": {"commands": ["ls"]}} if kind == "shell_call" else {})}
    return [on("output_item.added", 0, item=item), *inside, on("output_item.done", 0, item=done)]


def streams() -> Iterator[list[Json]]:
    for stem in TEXTS:
        yield list(texts(stem))
    for kind, phases in PHASES.items():
        ways = [[*phases[:-2], phase] for phase in phases[-2:]] if "failed" in phases else [phases]
        for way in ways:
            yield others(kind, *((f"{kind}.{phase}", {"item_id": "i"}) for phase in way))
    image: Json = {"item_id": "i", "partial_image_b64": "QQ==", "partial_image_index": 0}
    yield others("image_generation_call", ("image_generation_call.partial_image", image))
    at: Json = {"command_index": 0}
    yield others(
        "shell_call",
        ("shell_call_command.added", {**at, "command": ""}),
        ("shell_call_command.delta", {**at, "delta": "ls"}),
        ("shell_call_command.done", {**at, "command": "ls"}),
    )
    place: Json = {"item_id": "i", **at}
    yield others(
        "shell_call_output",
        ("shell_call_output_content.delta", {**place, "delta": {"stdout": "o"}}),
        ("shell_call_output_content.done", {**place, "output": [OUT]}),
    )
    yield [
        {"type": "response.audio.delta", "delta": "QQ=="},
        {"type": "response.audio.done"},
        {"type": "response.audio.transcript.delta", "delta": "a"},
        {"type": "response.audio.transcript.done"},
    ]


HEAD: list[Any] = [
    created(status="queued"),
    {"type": "response.queued", "response": {"id": "resp_1", "status": "queued"}},
    {"type": "response.in_progress", "response": {"id": "resp_1", "status": "in_progress"}},
]
TAILS = [ended(type_=status) for status in ("completed", "incomplete")]
TAILS.append(ended(type_="failed", error={"code": "server_error", "message": "m"}))


def bare(event: Json) -> Json:
    return {key: value for key, value in event.items() if key != "sequence_number"}


@pytest.mark.parametrize("fidelity", FIDELITIES)
@pytest.mark.parametrize("events", list(streams()))
def test_events_are_told_as_they_came(events: list[Json], fidelity: Fidelity) -> None:
    losses = Ledger()
    told = frames(walk("openai", *HEAD, *events, TAILS[0]), fidelity, losses)
    assert [bare(event) for event in told[3:-1]] == events
    assert losses.losses == []


@pytest.mark.parametrize("end", TAILS)
def test_the_beginning_and_the_end_are_told_under_their_names(end: Json) -> None:
    told = frames(walk("openai", *HEAD, end))
    assert [event["type"] for event in told] == [event["type"] for event in [*HEAD, end]]


def test_every_row_of_an_event_is_played_here() -> None:
    played = {event["type"] for events in [*streams(), HEAD, TAILS] for event in events}
    assert ANSWERS["event"].keys() - played == {"error"}
    assert {word for word, rule in ANSWERS["event"].items() if rule is not EXACT} == {"error"}


@pytest.mark.parametrize(("word", "rule"), ANSWERS["item"].items(), ids=ANSWERS["item"].keys())
def test_an_item(word: str, rule: Rule) -> None:
    """Whatever it holds, and whether or not the stream tells of it."""
    item: Json = {"type": word, "id": "i", "status": "completed", **ITEMS.get(word, {}), "of_tomorrow": [{"a": 1}]}
    if "arguments" in item:
        item["arguments"] = "{}"
    whole = adapters.load("openai").codec.decode_response(ended([item])["response"])
    assert rule is EXACT
    assert body(whole)["output"] == [item]


@pytest.mark.parametrize("status", ANSWERS["status"])
def test_an_answer_in_json_has_the_status_that_it_came_with(status: str) -> None:
    """A background answer may still wait: it is no failure, and not finished either."""
    response: Json = {
        **ended([])["response"],
        "status": status,
        "background": True,
        "usage": None,
        "error": {"code": "server_error", "message": "m"} if status == "failed" else None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
    }
    told = body(adapters.load("openai").codec.decode_response(response))
    assert told.items() >= response.items()


@pytest.mark.parametrize("status", ANSWERS["item status"])
def test_an_item_of_a_background_answer_has_the_status_that_it_came_with(status: str) -> None:
    item: Json = {"type": "web_search_call", "id": "i", "status": status, "action": {"type": "search", "query": "q"}}
    response = {**ended([item])["response"], "status": "in_progress"}
    told = body(adapters.load("openai").codec.decode_response(response))
    assert (told["status"], told["output"]) == ("in_progress", [item])


@pytest.mark.parametrize("reason", ANSWERS["incomplete reason"])
def test_a_reason(reason: str) -> None:
    end = ended(type_="incomplete", incomplete_details={"reason": reason})
    assert final(frames(walk("openai", *HEAD, end)))["incomplete_details"] == {"reason": reason}


def test_usage() -> None:
    usage: Json = dict.fromkeys(ANSWERS["usage"], 1)
    usage |= {"input_tokens_details": {"cached_tokens": 1}, "output_tokens_details": {"reasoning_tokens": 1}, "odd": 2}
    assert final(frames(walk("openai", *HEAD, ended(usage=usage))))["usage"] == usage
