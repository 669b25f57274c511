"""Calls of functions that stand for a client's own tools: what the client is told of them, streamed and whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hub import events as ev
from adapters.hub.adapter import Stage
from adapters.hub.errors import ProtocolError
from adapters.hub.grammar import check_walk
from adapters.hub.kept import Kept
from adapters.hub.losses import Ledger
from adapters.responses.emulation import emulate
from adapters.responses.free_text import wrap_text
from adapters.responses.request import decode_request
from adapters.wire_json import Json, dumps
from tests.unit.responses.stage import body, call, created, ended, final, frames, names, on, walk

TOOLS: list[Json] = [
    {"type": "function", "name": "plain"},
    {"type": "custom", "name": "sql"},
    {
        "type": "namespace",
        "name": "crm",
        "description": "",
        "tools": [{"type": "function", "name": "look_up"}, {"type": "custom", "name": "note"}],
    },
    {"type": "shell"},
    {"type": "local_shell"},
    {"type": "apply_patch"},
]
SHELL = {"commands": ["ls", "pwd"]}
PATCH = {"type": "update_file", "path": "a.py", "diff": "@@\n-a\n+b"}


def stage(losses: Ledger | None = None) -> Stage:
    asked = decode_request({"model": "m", "input": "x", "tools": TOOLS}, "openai")
    emulation = emulate(asked, frozenset({"function"}), losses if losses is not None else Ledger())
    assert emulation is not None
    return emulation.calls


def restored(walked: Sequence[ev.Event], cuts: Sequence[int] = (), losses: Ledger | None = None) -> list[ev.Event]:
    """The walk in the client's terms, given in batches that end at `cuts`; a legal walk."""
    calls = stage(losses)
    places = sorted({0, len(walked), *(cut % (len(walked) + 1) for cut in cuts)})
    told = [event for start, end in pairwise(places) for event in calls.feed(list(walked[start:end]))]
    check_walk(told)
    return told


def called(name: str, *pieces: str, item: int = 0, status: ev.ItemStatus = "completed") -> list[ev.Event]:
    """One call of a function, its arguments in pieces."""
    return [
        ev.ItemStarted(item, "function_call", f"fc_{item}", f"call_{item}", name),
        ev.PartStarted(item, 0, "arguments"),
        *(ev.Delta(item, 0, piece) for piece in pieces),
        ev.PartEnded(item, 0),
        ev.ItemEnded(item, status),
    ]


def whole(*calls: list[ev.Event], vendor: str = "gemini") -> list[ev.Event]:
    begun: list[ev.Event] = [ev.Started(vendor, "r", "m")]
    return [*begun, *(event for events in calls for event in events), ev.Ended("completed", ev.Finish("tool_calls"))]


# -- one call ----------------------------------------------------------------------------------

# the function's name and arguments; the item the client is told, without what every item has
MEANT: dict[str, tuple[str, str, Json]] = {
    "custom": ("sql", '{"input": "SELECT 1"}', {"type": "custom_tool_call", "name": "sql", "input": "SELECT 1"}),
    "custom, not as asked": ("sql", "SELECT 1", {"type": "custom_tool_call", "name": "sql", "input": "SELECT 1"}),
    "custom, of nothing": ("sql", "{}", {"type": "custom_tool_call", "name": "sql", "input": ""}),
    "custom, in a namespace": (
        "crm__note",
        '{"input": "東京 😀"}',
        {"type": "custom_tool_call", "name": "note", "namespace": "crm", "input": "東京 😀"},
    ),
    "namespaced": (
        "crm__look_up",
        '{"city": "Z"}',
        {"type": "function_call", "name": "look_up", "namespace": "crm", "arguments": '{"city": "Z"}'},
    ),
    "a function of that name elsewhere": (
        "look_up", "{}", {"type": "function_call", "name": "look_up", "arguments": "{}"},
    ),
    "plain": ("plain", "{}", {"type": "function_call", "name": "plain", "arguments": "{}"}),
    "shell": (
        "shell",
        '{"commands": ["ls", "pwd"], "timeout_ms": 9}',
        {"type": "shell_call", "action": {**SHELL, "max_output_length": None, "timeout_ms": 9}},
    ),
    "local shell": (
        "local_shell",
        '{"command": ["ls"], "env": {"A": "b", "C": 1}, "working_directory": "/tmp", "user": ""}',
        {
            "type": "local_shell_call",
            "action": {"type": "exec", "command": ["ls"], "env": {"A": "b"}, "working_directory": "/tmp"},
        },
    ),
    "patch": ("apply_patch", json.dumps(PATCH), {"type": "apply_patch_call", "operation": PATCH}),
    "patch that deletes": (
        "apply_patch",
        '{"type": "delete_file", "path": "a", "diff": ""}',
        {"type": "apply_patch_call", "operation": {"type": "delete_file", "path": "a"}},
    ),
}  # fmt: skip

# arguments that do not say what to do
MEANINGLESS: list[tuple[str, str]] = [
    ("shell", '{"commands": ["ls'),
    ("shell", '{"commands": "ls"}'),
    ("shell", '{"commands": ["ls", 1]}'),
    ("shell", '["ls"]'),
    ("shell", "{}"),
    ("local_shell", '{"command": "ls"}'),
    ("apply_patch", '{"type": "rename_file", "path": "a", "diff": ""}'),
    ("apply_patch", '{"type": "update_file", "path": "a"}'),
    ("apply_patch", '{"type": ["update_file"], "path": "a", "diff": ""}'),
    ("apply_patch", '{"type": "delete_file"}'),
]
CALLS = MEANT | {
    f"{name} with {arguments}": (name, arguments, {"type": "function_call", "name": name, "arguments": arguments})
    for name, arguments in MEANINGLESS
}


def seen(item: Json) -> Json:
    return {key: value for key, value in item.items() if key not in ("id", "call_id", "status")}


@pytest.mark.parametrize("name", CALLS)
def test_the_client_is_told_its_own_kind_of_call(name: str) -> None:
    function, arguments, item = CALLS[name]
    events = frames(restored(whole(called(function, arguments))))
    (told,) = final(events)["output"]
    assert seen(told) == item
    assert (told["call_id"], told["status"]) == ("call_0", "completed")
    assert "x_dragoman" not in final(events)
    (answer,) = body(restored(whole(called(function, arguments))))["output"]
    assert seen(answer) == item


ORDERS: dict[str, list[str]] = {
    "custom": ["output_item.added", "custom_tool_call_input.delta", "custom_tool_call_input.done", "output_item.done"],
    "namespaced": [
        "output_item.added", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done",
    ],
    "shell": ["output_item.added", "output_item.done"],
    "patch": ["output_item.added", "output_item.done"],
}  # fmt: skip


@pytest.mark.parametrize("name", ORDERS)
def test_events_come_as_the_dialect_has_them(name: str) -> None:
    function, arguments, _ = CALLS[name]
    events = frames(restored(whole(called(function, arguments))))
    assert names(events)[2:-1] == ORDERS[name]


# what a call is announced with: nothing of what clients see grow
ANNOUNCED: dict[str, Json] = {
    "custom": {"type": "custom_tool_call", "name": "sql", "input": ""},
    "namespaced": {"type": "function_call", "name": "look_up", "namespace": "crm", "arguments": ""},
    "shell": {"type": "shell_call", "action": {"commands": [], "max_output_length": None, "timeout_ms": 9}},
    "local shell": {
        "type": "local_shell_call",
        "action": {"type": "exec", "command": [], "env": {"A": "b"}, "working_directory": "/tmp"},
    },
    "patch": {"type": "apply_patch_call", "operation": {**PATCH, "diff": ""}},
    "patch that deletes": {"type": "apply_patch_call", "operation": {"type": "delete_file", "path": "a"}},
}


@pytest.mark.parametrize("name", ANNOUNCED)
def test_a_call_is_announced_in_progress(name: str) -> None:
    function, arguments, _ = CALLS[name]
    events = frames(restored(whole(called(function, arguments))))
    item = events[2]["item"]
    assert (seen(item), item["status"]) == (ANNOUNCED[name], "in_progress")


def test_ids_have_the_prefix_of_their_kind() -> None:
    walked = whole(*(called(CALLS[name][0], CALLS[name][1], item=n) for n, name in enumerate(ANNOUNCED)))
    ids = [item["id"] for item in final(frames(restored(walked)))["output"]]
    prefixes = ["ctc_", "fc_", "sh_", "lsh_", "apc_", "apc_"]
    assert ids == [f"{prefix}gw1gemini_fc_{number}" for number, prefix in enumerate(prefixes)]


@pytest.mark.parametrize("name", ["sql", "shell", "crm__look_up"])
def test_a_call_without_an_id_is_given_one(name: str) -> None:
    start, *rest = called(name, '{"input": "x", "commands": []}')
    assert isinstance(start, ev.ItemStarted)
    events = frames(restored(whole([replace(start, id="", call_id=""), *rest])))
    (item,) = final(events)["output"]
    assert item["call_id"].startswith("call_")
    assert events[2]["item"]["call_id"] == item["call_id"]


def test_what_the_model_gave_besides_its_text_is_a_loss() -> None:
    losses = Ledger()
    told = restored(whole(called("sql", '{"why": 1, "input": "a"}')), losses=losses)
    assert [loss.path for loss in losses.losses] == ["output[0]"]
    said = final(frames(told, losses=losses))
    assert [loss["path"] for loss in said["x_dragoman"]["losses"]] == ["output[0]"]


# -- many calls --------------------------------------------------------------------------------


def test_a_text_is_told_as_it_arrives() -> None:
    calls = stage()
    told = [calls.feed([event]) for event in called("sql", '{"input": "SEL', "ECT", ' 1"', "}")]
    assert [len(batch) for batch in told] == [1, 1, 1, 1, 1, 0, 1, 1]


def test_a_call_of_a_whole_kind_waits_for_its_arguments_and_no_longer() -> None:
    calls = stage()
    told = [calls.feed([event]) for event in called("shell", '{"comm', 'ands": []}')]
    assert [[type(event).__name__ for event in batch] for batch in told] == [
        [], [], [], [], ["ItemStarted"], ["ItemEnded"],
    ]  # fmt: skip


def test_what_comes_after_a_held_call_waits_in_its_order() -> None:
    shell, sql, patch = (
        called("shell", '{"commands": ["ls"]}'),
        called("sql", '{"input": "x"}', item=1),
        called("apply_patch", "broken", item=2),
    )
    interleaved = [shell[0], sql[0], patch[0], shell[1], *sql[1:], *patch[1:4], shell[2], patch[4], *shell[3:]]
    told = restored(whole(interleaved))
    assert [event.kind for event in told if isinstance(event, ev.ItemStarted)] == [
        "shell_call", "custom_tool_call", "function_call",
    ]  # fmt: skip
    assert [event.item for event in told if isinstance(event, ev.ItemStarted)] == [0, 1, 2]


def test_other_events_are_the_same_objects() -> None:
    message: list[ev.Event] = [
        ev.ItemStarted(1, "message", "msg_1"),
        ev.PartStarted(1, 0, "text"),
        ev.Delta(1, 0, "hi", Kept("gemini", {"a": 1})),
        ev.PartEnded(1, 0),
        ev.ItemEnded(1, extra=Kept("gemini", {"a": 1})),
    ]
    plain = called("plain", "{}", item=2)
    walked = whole(called("sql", '{"input": "x"}'), message, plain)
    told = restored(walked)
    for event in [walked[0], *message, *plain, walked[-1]]:
        assert any(event is same for same in told)


def test_a_batch_without_a_call_is_passed_on_as_it_is() -> None:
    calls = stage()
    calls.feed([ev.Started("gemini", "r", "m")])
    batch: list[ev.Event] = [ev.Delta(0, 0, "a"), ev.Delta(0, 0, "b")]
    assert calls.feed(batch) is batch
    for event in called("sql", "{}"):
        calls.feed([event])
    assert calls.feed(batch) is batch


# -- the vendors' own words --------------------------------------------------------------------


def test_what_ark_says_of_the_function_is_no_news() -> None:
    """Its item repeats what the client is told in other words, and nothing besides."""
    walked = walk(
        "ark",
        created(),
        on("output_item.added", 0, item=call(name="crm__note")),
        on("function_call_arguments.delta", 0, item_id="fc_1", delta='{"input":"a'),
        on("function_call_arguments.delta", 0, item_id="fc_1", delta='"}'),
        on("function_call_arguments.done", 0, item_id="fc_1", arguments='{"input":"a"}'),
        on("output_item.done", 0, item=call('{"input":"a"}', name="crm__note", extra_field=1)),
        on("output_item.added", 1, item=call(name="shell", id="fc_2")),
        on("output_item.done", 1, item=call('{"commands":["ls"]}', name="shell", id="fc_2")),
        ended([call('{"input":"a"}', name="crm__note"), call('{"commands":["ls"]}', name="shell", id="fc_2")]),
    )
    note, shell = final(frames(restored(walked)))["output"]
    assert note["x_dragoman"] == {"v": "ark", "rest": {"extra_field": 1}}
    assert seen(shell) == {"type": "shell_call", "action": {**SHELL, "commands": ["ls"]} | LIMITS}


LIMITS = {"max_output_length": None, "timeout_ms": None}


@pytest.mark.parametrize("name", ["sql", "crm__look_up", "shell"])
def test_a_signature_of_the_vendors_rides_along(name: str) -> None:
    start, *middle, end = called(name, '{"input": "x", "commands": []}')
    assert isinstance(end, ev.ItemEnded)
    signed = replace(end, extra=Kept("gemini", {"signature": "c2ln"}))
    (item,) = final(frames(restored(whole([start, *middle, signed]))))["output"]
    assert item["x_dragoman"] == {"v": "gemini", "signature": "c2ln"}


# -- what breaks off ---------------------------------------------------------------------------


def cut(*events: ev.Event) -> list[ev.Event]:
    failed = ev.Ended("failed", ev.Finish("error"), error=ProtocolError("cut"))
    return [ev.Started("gemini", "r", "m"), *events, ev.ItemEnded(0, "incomplete"), failed]


CUT: list[tuple[list[ev.Event], Json]] = [
    (called("sql", '{"input": "SEL')[:-1], {"type": "custom_tool_call", "name": "sql", "input": "SEL"}),
    (called("sql")[:1], {"type": "custom_tool_call", "name": "sql", "input": ""}),
    (
        called("shell", '{"commands": ["l')[:-1],
        {"type": "function_call", "name": "shell", "arguments": '{"commands": ["l'},
    ),
    (called("shell")[:1], {"type": "function_call", "name": "shell", "arguments": ""}),
]


@pytest.mark.parametrize(("events", "item"), CUT)
def test_a_call_that_breaks_off_keeps_what_was_said(events: list[ev.Event], item: Json) -> None:
    (told,) = final(frames(restored(cut(*events))))["output"]
    assert (seen(told), told["status"]) == (item, "incomplete")


# -- laws --------------------------------------------------------------------------------------

NAMES = ["plain", "sql", "crm__look_up", "crm__note", "shell", "local_shell", "apply_patch", "unknown"]
ARGUMENTS = st.one_of(
    st.text(max_size=20).map(wrap_text),
    st.sampled_from([arguments for _, arguments, _ in CALLS.values()]),
    st.text(alphabet='{}[]",:\\ inputcomads1😀', max_size=20),
)


@st.composite
def walks(draw: st.DrawFn) -> list[ev.Event]:
    """A legal walk of calls that interleave, their arguments cut anywhere."""
    waiting: list[list[ev.Event]] = []
    for number in range(draw(st.integers(1, 4))):
        arguments = draw(ARGUMENTS)
        places = sorted({0, len(arguments), *draw(st.lists(st.integers(0, len(arguments)), max_size=4))})
        pieces = [arguments[start:end] for start, end in pairwise(places)]
        waiting.append(called(draw(st.sampled_from(NAMES)), *pieces, item=number))
    opened, events = 0, list[ev.Event]()
    while any(waiting):
        ready = [number for number in range(opened) if waiting[number]]
        if opened < len(waiting):
            ready.append(opened)
        number = draw(st.sampled_from(ready))
        opened = max(opened, number + 1)
        events.append(waiting[number].pop(0))
    return whole(events)


@given(walked=walks(), cuts=st.lists(st.integers(0, 100), max_size=8))
def test_every_walk_stays_legal_and_the_same_however_it_is_cut(walked: list[ev.Event], cuts: list[int]) -> None:
    told = restored(walked, cuts)
    assert told == restored(walked, range(len(walked)))
    output = final(frames(told))["output"]
    assert [item | {"id": ""} for item in output] == [item | {"id": ""} for item in body(told)["output"]]
    assert [item["call_id"] for item in output] == [f"call_{number}" for number in range(len(output))]


@given(text=st.text(), cuts=st.lists(st.integers(0, 200), max_size=6))
def test_any_text_reaches_the_client(text: str, cuts: list[int]) -> None:
    arguments = wrap_text(text)
    places = sorted({0, len(arguments), *(place % (len(arguments) + 1) for place in cuts)})
    pieces = [arguments[start:end] for start, end in pairwise(places)]
    events = frames(restored(whole(called("sql", *pieces))))
    deltas = [event["delta"] for event in events if event["type"] == "response.custom_tool_call_input.delta"]
    assert "".join(deltas) == final(events)["output"][0]["input"] == text


# -- there and back ----------------------------------------------------------------------------


@pytest.mark.parametrize("vendor", ["ark", "gemini"])
@pytest.mark.parametrize("name", MEANT)
def test_a_call_replayed_reaches_its_vendor_as_it_was(vendor: str, name: str) -> None:
    function, arguments, _ = CALLS[name]
    (item,) = final(frames(restored(whole(called(function, arguments), vendor=vendor))))["output"]
    asked = decode_request({"model": "m", "input": [item], "tools": TOOLS}, "openai")
    emulation = emulate(asked, frozenset({"function"}), Ledger())
    assert emulation is not None
    (sent,) = emulation.request.items
    assert (getattr(sent, "name", ""), getattr(sent, "call_id", "")) == (function, "call_0")
    again = restored(whole(called(function, getattr(sent, "arguments", "")), vendor=vendor))
    assert final(frames(again))["output"] == [item]


def test_the_answer_repeats_the_tools_as_they_were_declared() -> None:
    choice: Any = {"type": "custom", "name": "sql"}
    asked: Json = {"tools": TOOLS, "tool_choice": choice}
    told = restored(whole(called("sql", dumps({"input": "x"}).decode())))
    for response in (
        body(told, **asked),
        *(event["response"] for event in frames(told, **asked) if "response" in event),
    ):
        assert (response["tools"], response["tool_choice"]) == (TOOLS, choice)
