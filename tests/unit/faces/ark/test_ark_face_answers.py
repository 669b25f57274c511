"""Answers of any vendor, as a client of Ark reads them."""

from __future__ import annotations

import json

import pytest

from adapters.faces.ark.grammar import check
from adapters.faces.ark.items import retell_items
from adapters.hub import events as ev
from adapters.hub import items as kinds
from adapters.hub.adapter import Fidelity
from adapters.hub.annotations import Span, UrlCitation
from adapters.hub.errors import RateLimited
from adapters.hub.fields import Fields
from adapters.hub.kept import Kept
from adapters.wire_json import Json
from tests.laws.corpus import ANSWERS, STREAMS, Recording, parse
from tests.unit.faces.ark.ark_reader import FOREIGN, payloads, tell

NAME = "ark"


@pytest.mark.parametrize("recording", [r for r in (*STREAMS, *ANSWERS) if r.vendor == NAME], ids=str)
def test_arks_own_answer_is_filled_where_a_stage_stands_between(recording: Recording) -> None:
    assert check(parse(tell(recording.walk()).data)).violations == ()


@pytest.mark.parametrize("recording", FOREIGN, ids=str)
def test_stream_and_body_agree(recording: Recording) -> None:
    ended = payloads(tell(recording.walk()))[-1]["response"]
    assert json.loads(tell(recording.walk(), stream=False).data) == ended


def walk_of(kind: str, part: str, text: str, wire: str = "openai", extra: Kept | None = None) -> list[ev.Event]:
    return [
        ev.Started(wire, "r", "m"),
        ev.ItemStarted(0, kind, "i", "c", "n"),
        ev.PartStarted(0, 0, part),
        ev.Delta(0, 0, text[:2]),
        ev.Delta(0, 0, text[2:]),
        ev.PartEnded(0, 0),
        ev.ItemEnded(0, extra=extra),
        ev.Ended("completed", ev.Finish("stop")),
    ]


def shown(walk: list[ev.Event], fidelity: Fidelity = "rich") -> Json:
    (item,) = payloads(tell(walk, fidelity))[-1]["response"]["output"]
    return item


def back(item: Json) -> list[Json]:
    return retell_items([Fields(item, NAME, "input[0]")], NAME).items


def test_free_text_of_a_custom_tool_is_a_functions_argument() -> None:
    item = shown(walk_of(kinds.CUSTOM_CALL, kinds.INPUT, 'say "hi"\n'))
    assert (item["type"], json.loads(item["arguments"])) == ("function_call", {"input": 'say "hi"\n'})
    assert item["x_dragoman"] == {"v": "openai", "kind": "custom_tool_call"}
    answer: Json = {"type": "function_call_output", "call_id": "c", "output": "done"}
    history = retell_items([Fields(item, NAME, "input[0]"), Fields(answer, NAME, "input[1]")], NAME).items
    assert [said["type"] for said in history] == ["custom_tool_call", "custom_tool_call_output"]
    assert history[0]["input"] == 'say "hi"\n'


def test_a_refusal_is_text_that_comes_back_as_a_refusal() -> None:
    item = shown(walk_of(kinds.MESSAGE, kinds.REFUSAL, "I will not"))
    assert item["content"][0] | {"x_dragoman": None} == {
        "type": "output_text",
        "text": "I will not",
        "annotations": [],
        "x_dragoman": None,
    }
    assert back(item)[0]["content"] == [{"type": "refusal", "refusal": "I will not"}]


def test_thoughts_are_summaries_that_come_back_as_thoughts() -> None:
    item = shown(walk_of(kinds.REASONING, kinds.THOUGHT, "let me see"))
    assert [part["text"] for part in item["summary"]] == ["let me see"]
    assert back(item)[0]["content"] == [{"type": "reasoning_text", "text": "let me see"}]


@pytest.mark.parametrize("kind", [kinds.CUSTOM_CALL, kinds.MESSAGE])
def test_strict_says_nothing_beside_arks_words(kind: str) -> None:
    part = kinds.INPUT if kind == kinds.CUSTOM_CALL else kinds.REFUSAL
    told = tell(walk_of(kind, part, "text"), "strict")
    assert b"x_dragoman" not in told.data
    assert told.losses


def test_a_shell_call_is_a_function_call() -> None:
    action = {"commands": ["ls"], "timeout_ms": 5}
    whole: Json = {"id": "i", "type": "shell_call", "call_id": "c", "action": action, "status": "completed"}
    walk: list[ev.Event] = [
        ev.Started("openai", "r", "m"),
        ev.ItemStarted(0, kinds.SHELL_CALL, "i", "c", action={"commands": []}),
        ev.ItemEnded(0, extra=Kept("openai", {"item": whole})),
        ev.Ended("completed", ev.Finish("tool_calls")),
    ]
    item = shown(walk)
    assert (item["type"], item["name"], json.loads(item["arguments"])) == ("function_call", "shell", action)
    assert back(item)[0] == {**whole, "id": item["id"]}


def test_a_shell_that_the_vendor_runs_is_nothing_to_answer() -> None:
    place = {"environment": {"type": "container_reference", "container_id": "cntr_1"}}
    whole: Json = {"id": "i", "type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}, **place}
    kept = Kept("openai", {"item": whole})
    walk: list[ev.Event] = [
        ev.Started("openai", "r", "m"),
        ev.ItemStarted(0, kinds.SHELL_CALL, "i", "c", action={"commands": []}, extra=kept),
        ev.ItemEnded(0, extra=kept),
        ev.ItemStarted(1, kinds.MESSAGE, "m1"),
        ev.ItemEnded(1),
        ev.Ended("completed", ev.Finish("stop")),
    ]
    item = shown(walk)
    assert item["type"] == "message"
    assert back(item)[0] == {**whole, "id": "sh_gw1openai_i"}


@pytest.mark.parametrize("late", [False, True])
def test_an_item_that_ark_has_not_rides_with_another(late: bool) -> None:
    code: Json = {"id": "ci_1", "type": "code_interpreter_call", "code": "1", "container_id": "k", "outputs": None}
    rider, message = (1, 0) if late else (0, 1)
    items: dict[int, list[ev.Event]] = {
        rider: [
            ev.ItemStarted(rider, kinds.CODE, "ci_1"),
            ev.ItemEnded(rider, extra=Kept("openai", {"item": code})),
        ],
        message: [ev.ItemStarted(message, kinds.MESSAGE, "m1"), ev.ItemEnded(message)],
    }
    walk = [ev.Started("openai", "r", "m"), *items[0], *items[1], ev.Ended("completed", ev.Finish("stop"))]
    item = shown(walk)
    raw = {**code, "id": "ci_gw1openai_ci_1"}
    assert item["x_dragoman"] == {"v": "openai", "after" if late else "before": [{"v": "openai", "raw": raw}]}
    assert [said["type"] for said in back(item)] == (
        ["message", "code_interpreter_call"] if late else ["code_interpreter_call", "message"]
    )


def test_a_call_that_breaks_off_carries_a_rider_and_keeps_its_server() -> None:
    announced: Json = {"id": "mcp_1", "type": "mcp_call", "server_label": "deep", "name": "f", "arguments": ""}
    code: Json = {"id": "ci_1", "type": "code_interpreter_call", "code": "1", "container_id": "k", "outputs": None}
    walk: list[ev.Event] = [
        ev.Started("openai", "r", "m"),
        ev.ItemStarted(0, kinds.CODE, "ci_1"),
        ev.ItemEnded(0, extra=Kept("openai", {"item": code})),
        ev.ItemStarted(1, kinds.MCP_CALL, "mcp_1", name="f", extra=Kept("openai", {"item": announced})),
        ev.ItemEnded(1, "incomplete"),
        ev.Ended("incomplete", ev.Finish("max_output_tokens")),
    ]
    item = shown(walk)
    assert item["server_label"] == "deep"
    assert item["x_dragoman"]["before"][0]["raw"]["code"] == "1"


@pytest.mark.parametrize(
    ("rider", "ends"),
    [(0, (0, 1, 2)), (0, (0, 2, 1)), (0, (2, 0, 1)), (1, (0, 1, 2)), (1, (1, 0, 2)), (1, (1, 2, 0)), (1, (2, 1, 0))]
    + [(2, ends) for ends in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]],
)
def test_a_rider_keeps_its_place_whatever_ends_first(rider: int, ends: tuple[int, ...]) -> None:
    """Unless it ends when the one behind it is told, and another is not."""
    kind = [kinds.CODE if number == rider else kinds.MESSAGE for number in range(3)]
    starts = [ev.ItemStarted(number, kind[number], f"i_{number}") for number in range(3)]
    ended = ev.Ended("completed", ev.Finish("stop"))
    walk: list[ev.Event] = [ev.Started("openai", "r", "m"), *starts, *map(ev.ItemEnded, ends), ended]
    items = payloads(tell(walk))[-1]["response"]["output"]
    history = retell_items([Fields(item, NAME, "input[0]") for item in items], NAME).items
    assert [said["id"].rpartition("gw1openai_")[2] for said in history] == ["i_0", "i_1", "i_2"]


def test_a_rider_without_a_horse_is_reported() -> None:
    walk: list[ev.Event] = [
        ev.Started("openai", "r", "m"),
        ev.ItemStarted(0, kinds.CODE, "ci_1"),
        ev.ItemEnded(0),
        ev.Ended("completed", ev.Finish("stop")),
    ]
    told = tell(walk)
    assert payloads(told)[-1]["response"]["x_dragoman"]["items"][0]["raw"]["type"] == "code_interpreter_call"
    assert [loss.path for loss in told.losses.losses] == ["output"]


def test_a_citation_has_its_place_beside_arks_fields() -> None:
    walk = walk_of(kinds.MESSAGE, kinds.TEXT, "see there")
    walk.insert(5, ev.Annotated(0, 0, UrlCitation("https://e.org", "E", Span(4, 9))))
    cite = {"type": "url_citation", "title": "E", "url": "https://e.org"}
    place = {"start_index": 4, "end_index": 9}
    assert shown(walk)["content"][0]["annotations"] == [cite | place]
    assert shown(walk, "strict")["content"][0]["annotations"] == [cite]
    assert back(shown(walk))[0]["content"][0]["annotations"] == [cite | place]


def test_a_cancelled_answer_is_a_failed_one() -> None:
    walk: list[ev.Event] = [ev.Started("openai", "r", "m"), ev.Ended("cancelled", ev.Finish("cancelled"))]
    last = payloads(tell(walk))[-1]
    assert (last["type"], last["response"]["error"]["code"]) == ("response.failed", "cancelled")


def test_an_error_within_an_answer_has_arks_code() -> None:
    error = RateLimited("wait")
    last = payloads(tell([ev.Started("openai", "r", "m"), ev.Ended("failed", ev.Finish("error"), error=error)]))[-1]
    assert last["response"]["error"] == {"code": "RateLimitExceeded", "message": "wait"}


def test_a_queue_is_progress() -> None:
    walk: list[ev.Event] = [
        ev.Started("openai", "r", "m"),
        ev.Progressed(None, "queued"),
        ev.Progressed(None, "in_progress"),
        ev.Ended("completed", ev.Finish("stop")),
    ]
    types = [event["type"].removeprefix("response.") for event in payloads(tell(walk))]
    assert types == ["created", "in_progress", "completed"]


def test_the_response_repeats_the_clients_own_request() -> None:
    said: Json = {"thinking": {"type": "auto"}, "caching": {"type": "enabled"}, "tools": [{"type": "web_search"}]}
    walk: list[ev.Event] = [ev.Started("openai", "r", "m"), ev.Ended("completed", ev.Finish("stop"))]
    for event in payloads(tell(walk, **said)):
        assert {key: event["response"][key] for key in said} == said
