"""Each row of the answers' coverage, held to what it says: what a Responses client is told of one such word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from google.genai._gaos.types.interactions.annotation import Annotation
from google.genai._gaos.types.interactions.content import Content
from google.genai._gaos.types.interactions.interactionsseevent import InteractionSSEEvent
from google.genai._gaos.types.interactions.step import Step
from google.genai._gaos.types.interactions.stepdeltadata import StepDeltaData
from google.genai._gaos.types.interactions.usage import Usage

from adapters.hub.adapter import Fidelity
from adapters.hub.coverage import Rule
from adapters.interactions.coverage import ANSWERS
from tests.laws.corpus import Told, encode

Json = dict[str, Any]
BEGIN: Json = {"event_type": "interaction.created", "interaction": {"id": "v1_a", "model": "m"}}


def end(status: str = "completed", **fields: Any) -> Json:
    return {"event_type": "interaction.completed", "interaction": {"id": "v1_a", "status": status, **fields}}


def event(kind: str, index: int = 0, **fields: Any) -> Json:
    return {"event_type": f"step.{kind}", "index": index, **fields}


BLOCKS: dict[str, Json] = {
    "text": {"type": "text", "text": "a"},
    "image": {"type": "image", "data": "QQ==", "mime_type": "image/png"},
    "audio": {"type": "audio", "data": "QQ==", "mime_type": "audio/wav"},
    "video": {"type": "video", "uri": "https://v"},
    "document": {"type": "document", "data": "QQ==", "mime_type": "application/pdf"},
}
ARGUMENTS: dict[str, Json] = {
    "google_search": {"queries": ["q"]},
    "google_maps": {"queries": ["q"]},
    "retrieval": {"queries": ["q"]},
    "url_context": {"urls": ["https://u"]},
    "code_execution": {"code": "1"},
    "mcp_server_tool": {"a": 1},
    "tool_search": {"function_names": ["f"]},
}
NAMED: Json = {"name": "ask", "server_name": "wiki"}
ITEMS = {
    "google_search": "web_search_call", "google_maps": "web_search_call", "url_context": "web_search_call",
    "retrieval": "file_search_call", "file_search": "file_search_call", "code_execution": "code_interpreter_call",
    "mcp_server_tool": "mcp_call", "tool_search": "tool_search_call", "thought": "reasoning",
    "model_output": "message", "function_call": "function_call",
}  # fmt: skip


def steps_of(name: str) -> list[Json]:
    """The step, after the call that it answers where it is a result."""
    tool, _, end_ = name.rpartition("_")
    whole: dict[str, Json] = {
        "thought": {"summary": [BLOCKS["text"]], "signature": "s"},
        "model_output": {"content": [BLOCKS["text"]]},
        "function_call": {"id": "c", "name": "f", "arguments": {}},
        "function_result": {"call_id": "c", "result": "r"},
        "user_input": {"content": [BLOCKS["text"]]},
    }
    if name in whole:
        return [{"type": name, **whole[name]}]
    call: Json = {"type": f"{tool}_call", "id": "c", "arguments": ARGUMENTS.get(tool, {}), **NAMED}
    return [call] if end_ == "call" else [call, {"type": name, "call_id": "c", "result": "r", **NAMED}]


def told(play: Any, steps: list[Json], fidelity: Fidelity) -> Told:
    starts = [event("start", number, step=step) for number, step in enumerate(steps)]
    return encode(play(BEGIN, *starts, end()), "openai", fidelity)


def rows(feature: str, *verdicts: str) -> list[Any]:
    words = ANSWERS[feature].items()
    return [pytest.param(name, rule, id=name) for name, rule in words if not verdicts or rule.verdict in verdicts]


SAID = ("exact", "approximated")


@pytest.mark.parametrize(("name", "rule"), rows("step"))
def test_steps(name: str, rule: Rule, play: Any) -> None:
    strict = told(play, steps_of(name), "strict")
    shown = [item["type"] for item in strict.body()["output"]]
    if rule.verdict == "dropped":
        assert shown == []
        assert strict.losses
        assert rule.reason
    else:
        kind = ITEMS[name if name in ITEMS else name.rpartition("_")[0]]
        assert shown[-1] == ("tool_search_output" if name == "tool_search_result" else kind)


def deltas_of(name: str) -> tuple[Json, Json]:
    """The step that the delta belongs to, without its words, and the delta."""
    steps: dict[str, tuple[Json, Json]] = {
        "text": ({"type": "model_output"}, {"text": "a"}),
        "text_annotation_delta": ({"type": "model_output", "content": [BLOCKS["text"]]}, {"annotations": [CITE]}),
        "thought_summary": ({"type": "thought"}, {"content": BLOCKS["text"]}),
        "thought_signature": ({"type": "thought"}, {"signature": "s"}),
        "arguments_delta": ({"type": "function_call", "id": "c", "name": "f"}, {"arguments": '{"a":1}'}),
    }
    if name in steps:
        return steps[name][0], {"type": name, **steps[name][1]}
    if name in BLOCKS:
        return {"type": "model_output"}, BLOCKS[name]
    tool = name.rpartition("_")[0]
    said = {"arguments": ARGUMENTS.get(tool, {}), **NAMED} if name.endswith("_call") else {"result": "r", **NAMED}
    return {"type": name, "id": "c", "call_id": "c"}, {"type": name, **said, "signature": "s"}


CITE: Json = {"type": "url_citation", "url": "https://u", "title": "t", "start_index": 0, "end_index": 1}


@pytest.mark.parametrize(("name", "rule"), rows("delta"))
def test_deltas(name: str, rule: Rule, play: Any) -> None:
    step, delta = deltas_of(name)
    before = steps_of(f"{name.removesuffix('_result')}_call") if name.endswith("_result") else []
    starts = [event("start", number, step=one) for number, one in enumerate([*before, step])]
    at = len(starts) - 1
    without = encode(play(BEGIN, *starts, event("stop", at), end()), "openai", "rich").body()
    streamed = encode(
        play(BEGIN, *starts, event("delta", at, delta=delta), event("stop", at), end()), "openai", "strict"
    )
    rich = encode(play(BEGIN, *starts, event("delta", at, delta=delta), event("stop", at), end()), "openai", "rich")
    if rule.verdict == "dropped":
        assert streamed.losses
    elif name != "file_search_call":  # which says nothing but its signature
        assert rich.body() != without


@pytest.mark.parametrize(("name", "rule"), rows("content"))
def test_content(name: str, rule: Rule, play: Any) -> None:
    output: Json = {"type": "model_output", "content": [BLOCKS[name]]}
    strict, rich = told(play, [output], "strict"), told(play, [output], "rich")
    (item,) = strict.body()["output"]
    assert (item["type"] == "image_generation_call") is (name == "image")
    if name in ("audio", "video", "document"):
        assert strict.losses
        assert rich.body()["output"][0]["x_dragoman"]["blocks"] == [{"at": 0, "block": BLOCKS[name]}]
    assert rule.verdict != "dropped" or item["content"] == []


@pytest.mark.parametrize(("name", "rule"), rows("annotation"))
def test_annotations(name: str, rule: Rule, play: Any) -> None:
    cite: Json = {**CITE, "type": name}
    if name != "url_citation":
        cite["text"] = cite["name"] = cite["document_uri"] = "n"
    output: Json = {"type": "model_output", "content": [{**BLOCKS["text"], "annotations": [cite]}]}
    strict = told(play, [output], "strict")
    (part,) = strict.body()["output"][0]["content"]
    assert len(part["annotations"]) == (rule.verdict in SAID)
    assert bool(strict.losses) is (rule.verdict == "dropped" or name != "url_citation")


SHOWN = {
    "queued": "failed", "in_progress": "failed", "completed": "completed", "idle": "completed",
    "requires_action": "completed", "incomplete": "incomplete", "budget_exceeded": "incomplete",
    "requires_continuation": "incomplete", "failed": "failed", "cancelled": "cancelled",
}  # fmt: skip


@pytest.mark.parametrize(("name", "rule"), rows("status"))
def test_statuses(name: str, rule: Rule, play: Any) -> None:
    if name in ("queued", "in_progress"):
        update = {"event_type": "interaction.status_update", "interaction_id": "v1_a", "status": name}
        types = [event["type"] for event in encode(play(update, end()), "openai").payloads()]
        assert f"response.{name}" in types
        return
    rich = encode(play(BEGIN, end(name)), "openai", "rich").body()
    assert rich["status"] == SHOWN[name]
    shown = rule.verdict == "approximated" and name != "requires_continuation"
    assert (rich.get("x_dragoman", {}).get("status") == name) is shown


@pytest.mark.parametrize(("name", "rule"), rows("usage"))
def test_usage(name: str, rule: Rule, play: Any) -> None:
    count: Any = [{"modality": "text", "tokens": 7}] if name.endswith("by_modality") else 7
    count = [{"type": "google_search", "count": 7}] if name == "grounding_tool_count" else count
    bare = {"total_input_tokens": 1}
    plain = encode(play(BEGIN, end(usage=bare)), "openai", "strict").body()
    strict = encode(play(BEGIN, end(usage={**bare, name: count})), "openai", "strict")
    assert (strict.body()["usage"] != plain["usage"]) is (rule.verdict in SAID)
    assert strict.losses
    rich = encode(play(BEGIN, end(usage={**bare, name: count})), "openai", "rich").body()
    assert rich["x_dragoman"]["usage"][name] == count


@pytest.mark.parametrize(("name", "rule"), rows("event"))
def test_events(name: str, rule: Rule, play: Any) -> None:
    said: Json = {"event_type": name, "index": 0, "step": {"type": "thought"}, "delta": {"type": "text", "text": "a"}}
    if name == "interaction.status_update":
        said["status"] = "in_progress"
    assert encode(play(said), "openai", "strict").payloads()
    assert not [loss for loss in encode(play(said), "openai").losses.losses if loss.path == f"gemini.{name}"]
    assert rule.verdict in SAID


# -- the names ---------------------------------------------------------------------------------


def types(union: Any, field: str = "type") -> set[str]:
    """What tells the members of one of the SDK's unions apart."""
    classes = get_args(get_args(union)[0])
    return {cls.model_fields[field].default for cls in classes if not cls.__name__.startswith("Unknown")}


SDK: dict[str, set[str]] = {
    "event": types(InteractionSSEEvent, "event_type"),
    "step": types(Step),
    "delta": types(StepDeltaData),
    "content": types(Content),
    "annotation": types(Annotation),
    "usage": set(Usage.model_fields),
}


@pytest.mark.parametrize("feature", SDK)
def test_every_word_of_the_sdk_has_a_row(feature: str) -> None:
    assert ANSWERS[feature].keys() == SDK[feature]


def test_every_word_of_the_wire_has_a_row(shared: Path) -> None:
    wire: Json = json.loads((shared / "wire" / "gemini.json").read_bytes())
    told_: dict[str, set[str]] = {
        "event": {entry["type"] for entry in wire["stream_event_types"]},
        "step": {entry["type"] for entry in wire["output_item_types"]},
        "delta": {entry["type"] for entry in wire["step_delta_types"]},
        "content": {entry["type"] for entry in wire["content_types"]["content"]},
        "annotation": {entry["type"] for entry in wire["annotation_types"]},
        "usage": {entry["name"] for entry in wire["usage_fields"]},
        "status": set(wire["status_values"]),
    }
    assert {feature: set(ANSWERS[feature]) for feature in told_} == told_
