"""The conversation so far, with calls of tools that only the client's dialect has, as calls of functions."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.hub.tags import short_id
from adapters.wire_json import Json, loads
from tests.unit.responses.emulating import ACTION, ANSWERS, EXEC, ITEMS, OTHERS, PATCH, emulated, encode, item, request


def sent_call(vendor: str, sent: Json) -> tuple[str, str, Any]:
    name = "id" if vendor == "gemini" else "call_id"
    arguments = sent["arguments"] if vendor == "gemini" else loads(sent["arguments"])
    assert sent["type"] == "function_call"
    return sent[name], sent["name"], arguments


def sent_answer(vendor: str, sent: Json) -> str:
    assert (sent["type"], sent["call_id"]) in (("function_result", "1"), ("function_call_output", "1"))
    return sent["result" if vendor == "gemini" else "output"]


@pytest.mark.parametrize("vendor", OTHERS)
@pytest.mark.parametrize("name", ITEMS)
def test_calls_are_told_as_calls_of_functions(vendor: str, name: str) -> None:
    given, call = ITEMS[name]
    losses = Ledger()
    sent = [step for step in encode(vendor, request(input=[given]), losses)["input"] if step["type"] != "thought"]
    assert [sent_call(vendor, step) for step in sent] == [call]
    assert losses.losses == []


@pytest.mark.parametrize("vendor", OTHERS)
@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_told_as_answers_of_functions(vendor: str, name: str) -> None:
    given, answer = ANSWERS[name]
    losses = Ledger()
    (sent,) = encode(vendor, request(input=[given]), losses)["input"]
    told = sent_answer(vendor, sent)
    assert (loads(told) if isinstance(answer, dict) else told) == answer
    assert losses.losses == []


def test_a_call_goes_back_with_what_its_vendor_said_of_it() -> None:
    signed = {"v": "gemini", "signature": "c2ln"}
    call = item("custom_tool_call", call_id="1", name="sql", input="a", id="ctc_gw1ark_fc_9", x_dragoman=signed)
    shell = item("shell_call", call_id="1", action=ACTION, id="sh_gw1ark_fc_9", x_dragoman=signed)
    for made in (call, shell):
        (to_ark,) = encode("ark", request(input=[made]), Ledger())["input"]
        (to_gemini,) = encode("gemini", request(input=[made]), Ledger())["input"]
        assert (to_ark["id"], "x_dragoman" in to_ark) == ("fc_9", False)
        assert to_gemini["signature"] == "c2ln"


# a call that another vendor made, and what OpenAI takes of it
FOREIGN: list[tuple[Json, Json]] = [
    (
        item("shell_call", call_id="1", action=ACTION, id="sh_gw1gemini-1"),
        item("shell_call", call_id="1", action=ACTION),
    ),
    (
        item("apply_patch_call", call_id="1", operation=PATCH, status="completed", id="apc_gw1ark_fc_1"),
        item("apply_patch_call", call_id="1", operation=PATCH, status="completed"),
    ),
    (
        item("custom_tool_call", call_id="1" * 65, name="sql", input="a", id="ctc_gw1ark_fc_1"),
        item("custom_tool_call", call_id=short_id("call_", "1" * 65), name="sql", input="a"),
    ),
    (
        item("shell_call_output", call_id="1" * 65, output=[]),
        item("shell_call_output", call_id=short_id("call_", "1" * 65), output=[]),
    ),
    (
        item("local_shell_call", call_id="1", action=EXEC, status="completed", id="lsh_gw1gemini-1"),
        item(
            "local_shell_call", call_id="1", action=EXEC, status="completed", id=short_id("lsh_", "lsh_gw1gemini-1", 0)
        ),
    ),
]


@pytest.mark.parametrize(("given", "taken"), FOREIGN)
def test_openai_takes_the_calls_that_other_vendors_made(given: Json, taken: Json) -> None:
    losses = Ledger()
    assert encode("openai", request(input=[given]), losses)["input"] == [taken]
    assert losses.losses == []


UNREAD: list[tuple[Json, list[str]]] = [
    (item("shell_call", call_id="1", action=ACTION, created_by="u"), ["input[0].created_by"]),
    (item("shell_call", call_id="1", action=ACTION, environment={"type": "local"}, caller=None), []),
    (item("apply_patch_call_output", call_id="1", status="completed", caller={"type": "direct"}), ["input[0].caller"]),
    (item("custom_tool_call", call_id="1", name="sql", input="a", caller={"type": "direct"}), ["input[0].caller"]),
]


@pytest.mark.parametrize("vendor", OTHERS)
@pytest.mark.parametrize(("given", "lost"), UNREAD)
def test_fields_of_a_call_without_a_place_are_reported(vendor: str, given: Json, lost: list[str]) -> None:
    losses = Ledger()
    encode(vendor, request(input=[given]), losses)
    assert [loss.path for loss in losses.losses] == lost


def test_a_local_shell_answers_by_the_id_of_its_call() -> None:
    call = item("local_shell_call", call_id="call_7", action=EXEC, status="completed", id="lsh_1")
    answer = item("local_shell_call_output", id="lsh_1", output="a")
    sent = encode("ark", request(input=[call, answer]), Ledger())["input"]
    assert [entry["call_id"] for entry in sent] == ["call_7", "call_7"]


NOT_WHOLE: list[tuple[Json, str]] = [
    (item("shell_call", action=ACTION), "input[0].call_id"),
    (item("shell_call", call_id="1"), "input[0].action"),
    (item("apply_patch_call", call_id="1"), "input[0].operation"),
    (item("shell_call_output", output=[]), "input[0].call_id"),
    (item("local_shell_call_output", output="a"), "input[0].id"),
    (item("local_shell_call_output", id="1"), "input[0].output"),
]


@pytest.mark.parametrize(("given", "param"), NOT_WHOLE)
def test_a_call_that_is_not_whole_is_refused(given: Json, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        emulated(input=[given])
    assert caught.value.param == param
