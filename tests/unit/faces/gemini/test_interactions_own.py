"""What Gemini is told of its own clients: their body, less what other vendors said and it cannot read."""

from __future__ import annotations

from typing import Any

import pytest

import adapters
from adapters.faces.gemini.request import decode_request
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.hub.origin import client_path
from adapters.wire_json import Json

SKIPPED: Json = {"type": "thought", "signature": "skip_thought_signature_validator"}
USER: Json = {"type": "user_input", "content": [{"type": "text", "text": "hi"}]}
CALL: Json = {"type": "function_call", "id": "c", "name": "f", "arguments": {}}
RESULT: Json = {"type": "function_result", "call_id": "c", "result": "o"}
THOUGHT: Json = {"type": "thought", "signature": "s"}


def sent(**fields: Any) -> tuple[Json, set[str]]:
    """What Gemini is sent, and the paths in the client's body of what was lost."""
    request, losses = decode_request({"model": "m", "input": "x", **fields}), Ledger()
    assert request.origin is not None
    body = adapters.load("gemini").codec.encode_request(request, losses)
    return body, {client_path(request.origin, loss.path) for loss in losses.losses}


def steps(*given: Json) -> tuple[list[Json], set[str]]:
    body, lost = sent(input=list(given))
    return body["input"], lost


def marked(step: Json, **rest: Any) -> Json:
    return {**step, "x_dragoman": {"v": "openai", **rest}}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"input": [USER, THOUGHT, CALL, RESULT, USER]},
        {"input": [USER, CALL, RESULT]},
        {"input": [{"type": "step_of_tomorrow", "deep": {"a": [None]}}, USER]},
        {"input": {"type": "text", "text": "x"}},
        {"tools": [{"type": "google_maps"}, {"type": "tool_of_tomorrow"}], "cached_content": "c"},
        {"generation_config": {"seed": 1, "of_tomorrow": 1, "stop_sequences": list("abcde")}},
        {"system_instruction": "i", "labels": {f"l{n}": "v" for n in range(20)}, "response_modalities": ["audio"]},
    ],
)
def test_what_gemini_alone_knows_arrives_as_it_was(fields: Json) -> None:
    body, lost = sent(**fields)
    assert (body, lost) == ({"model": "m", "input": "x", **fields}, set())


def test_the_model_is_the_routed_one_and_an_agent_stays_an_agent() -> None:
    request = decode_request({"agent": "a", "input": "x"})
    request.model = "deep-research-1"
    assert adapters.load("gemini").codec.encode_request(request, Ledger()) == {"agent": "deep-research-1", "input": "x"}


def test_the_clients_words_for_gemini_are_merged() -> None:
    said = {"gemini": {"generation_config": {"seed": 2}, "labels": {"a": "b"}}, "stop": ["x"]}
    body, _ = sent(generation_config={"seed": 1, "top_p": 1}, x_dragoman=said)
    config = {"seed": 2, "top_p": 1, "stop_sequences": ["x"]}
    assert body == {"model": "m", "input": "x", "generation_config": config, "labels": {"a": "b"}}


def test_an_agent_cannot_be_told_where_to_stop() -> None:
    request, losses = decode_request({"agent": "a", "input": "x", "x_dragoman": {"stop": ["x"]}}), Ledger()
    assert adapters.load("gemini").codec.encode_request(request, losses) == {"agent": "a", "input": "x"}
    assert [loss.path for loss in losses.losses] == ["x_dragoman.stop"]


def test_a_previous_response_is_geminis_own() -> None:
    assert sent(previous_interaction_id="v1_1")[0]["previous_interaction_id"] == "v1_1"
    assert sent(previous_interaction_id="resp_gw1gemini_v1_1")[0]["previous_interaction_id"] == "v1_1"
    with pytest.raises(BadRequest) as refusal:
        sent(previous_interaction_id="resp_gw1openai_resp_1")
    assert refusal.value.code == "previous_response_not_found"


SEARCH: list[Json] = [
    {"type": "google_search_call", "id": "ws_gw1ark_1"},
    {"type": "google_search_result", "call_id": "ws_gw1ark_1"},
]
NONE: set[str] = set()
CASES: list[tuple[list[Json], list[Json], set[str]]] = [
    ([{**THOUGHT, "signature": "gw1.openai.blob"}], [], {"input[1]"}),
    ([marked({"type": "thought"}, id="rs_1")], [], {"input[1]"}),
    ([{**THOUGHT, "signature": "gw1.gemini.s"}], [THOUGHT], NONE),
    ([marked(CALL, id="fc_1")], [SKIPPED, CALL], NONE),
    ([marked(CALL), marked({**CALL, "id": "d"})], [SKIPPED, CALL, {**CALL, "id": "d"}], NONE),
    ([marked(CALL), RESULT, marked(CALL)], [SKIPPED, CALL, RESULT, SKIPPED, CALL], NONE),
    ([THOUGHT, marked(CALL)], [THOUGHT, CALL], NONE),
    ([{**THOUGHT, "signature": "gw1.ark.b"}, CALL], [SKIPPED, CALL], {"input[1]"}),
    (SEARCH, [], {"input[1]"}),
    ([{"type": "image_process", "id": "item_gw1ark_ip_1"}], [], {"input[1]"}),
    ([marked({"type": "model_output", "content": []}, id="msg_1")], [], NONE),
    ([marked({"type": "model_output"}, before=[{"v": "openai", "raw": {}}])], [], {"input[1].x_dragoman"}),
    (
        [marked({"type": "model_output", "content": [{"type": "text", "text": "t"}]}, id="m", rest={"phase": "p"})],
        [{"type": "model_output", "content": [{"type": "text", "text": "t"}]}],
        {"input[1].x_dragoman"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("given", "told", "lost"), CASES)
def test_what_other_vendors_said(given: list[Json], told: list[Json], lost: set[str]) -> None:
    assert steps(USER, *given, USER) == ([USER, *told, USER], lost)


def test_a_run_of_code_speaks_for_itself() -> None:
    call = {"type": "code_execution_call", "id": "ci_gw1openai_ci_1", "arguments": {"code": "1"}}
    result = {"type": "code_execution_result", "call_id": "ci_gw1openai_ci_1", "result": "1"}
    told, lost = steps(call, result)
    assert lost == set()
    assert [step["type"] for step in told] == [call["type"], result["type"]]
    assert told[0]["id"] == told[1]["call_id"]
    assert "gw1" not in told[0]["id"]


def test_a_new_turn_needs_a_thought_of_its_own() -> None:
    result: Json = {"type": "user_input", "content": [RESULT]}
    assert steps(THOUGHT, CALL, result, marked(CALL))[0] == [THOUGHT, CALL, result, CALL]
    assert steps(THOUGHT, CALL, RESULT, USER, marked(CALL))[0][-2:] == [SKIPPED, CALL]


def test_citations_keep_their_form_and_nothing_else() -> None:
    cite = {"type": "file_citation", "document_uri": "f", "file_name": "n", "start_index": 1, "end_index": 1}
    raw = {"type": "file_citation", "file_id": "f", "filename": "n", "index": 1}
    block: Json = {"type": "text", "text": "t", "annotations": [marked(cite, raw=raw)]}
    told, lost = steps(USER, marked({"type": "model_output", "content": [block]}, id="msg_1"))
    assert told[1] == {"type": "model_output", "content": [{**block, "annotations": [cite]}]}
    assert lost == {"input[1].content[0].annotations[0].x_dragoman"}


def test_a_lone_step_is_read_as_one_of_many() -> None:
    assert sent(input=CALL)[0]["input"] == CALL
    assert sent(input=marked(CALL))[0]["input"] == [SKIPPED, CALL]
    body, lost = sent(input={"type": "thought", "signature": "gw1.openai.blob"})
    assert (body["input"], lost) == ([], {"input"})


def test_what_another_vendor_said_may_be_plain_text() -> None:
    said: Json = {"type": "model_output", "content": "Hello"}
    assert steps(USER, marked(said), USER)[0] == [USER, said, USER]


def test_a_citation_without_a_type_of_geminis_is_dropped() -> None:
    block: Json = {"type": "text", "text": "Hello", "annotations": [{"type": ["url_citation"]}]}
    told, lost = steps(marked({"type": "model_output", "content": [block]}))
    assert told == [{"type": "model_output", "content": [{**block, "annotations": []}]}]
    assert lost == {"input[0].content[0].annotations"}
