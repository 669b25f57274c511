"""Laws of emulation: who is told what, that nothing of the client's is touched, and that nothing breaks it."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import adapters
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.responses.emulation import CLIENT_TOOLS, emulate
from adapters.responses.request import decode_request
from adapters.wire_json import Json, dumps
from tests.laws.json_values import places, replaced, without
from tests.laws.strategies import JUNK, bounded, spoilt
from tests.unit.responses.emulating import (
    ANSWERS,
    CRM,
    FUNCTIONS,
    GRAMMAR,
    ITEMS,
    OTHERS,
    PLAIN,
    SHELL,
    SKILLS,
    SQL,
    allowed,
    encode,
    item,
    named,
    request,
)

WHOLE: Json = {
    "model": "m",
    "input": [{"role": "user", "content": "x"}, *(given for given, _ in (*ITEMS.values(), *ANSWERS.values()))],
    "tools": [{**SQL, "format": GRAMMAR}, CRM, {"type": "shell", "environment": {"type": "local", "skills": SKILLS}},
              {"type": "local_shell"}, {"type": "apply_patch"}, PLAIN],
    "tool_choice": allowed(named("custom", "sql"), named("namespace", "crm"), SHELL, named("function", "plain")),
}  # fmt: skip
"""A request with all of it."""


def test_the_clients_own_objects_are_never_touched() -> None:
    body = deepcopy(WHOLE)
    asked = decode_request(body, "openai")
    before = deepcopy(asked)
    for vendor in OTHERS:
        encode(vendor, asked, Ledger())
    assert asked == before
    assert body == WHOLE


def test_openai_is_sent_all_of_it_verbatim() -> None:
    assert adapters.load("openai").client_tools == CLIENT_TOOLS
    losses = Ledger()
    assert encode("openai", decode_request(WHOLE, "openai"), losses) == WHOLE
    assert losses.losses == []


PLAIN_ONES: list[Json] = [
    {},
    {"tools": [PLAIN, {"type": "web_search"}, {"type": "mcp", "server_label": "s"}]},
    {"input": [item("function_call", call_id="1", name="f", arguments="{}"), item("reasoning", summary=[])]},
    {"input": [item("function_call_output", call_id="1", output="a"), item("web_search_call", id="ws_1")]},
    {"tools": [PLAIN], "tool_choice": named("function", "plain")},
]


@pytest.mark.parametrize("fields", PLAIN_ONES)
def test_the_usual_request_stays_what_it_is(fields: Json) -> None:
    assert emulate(request(**fields), FUNCTIONS, Ledger()) is None


def test_what_a_vendor_has_is_left_to_it() -> None:
    """A vendor may know some of the tools: only the others are emulated."""
    losses = Ledger()
    asked = decode_request(WHOLE, "openai")
    emulation = emulate(asked, CLIENT_TOOLS - {"shell"}, losses)
    assert emulation is not None
    changed = [
        (before.path, after)
        for before, after in zip(asked.tools, emulation.request.tools, strict=True)
        if before is not after
    ]
    assert [path for path, _ in changed] == ["tools[2]"]
    kinds = {
        type(after).__name__
        for before, after in zip(asked.items, emulation.request.items, strict=True)
        if before is not after
    }
    assert kinds == {"FunctionCall", "FunctionOutput"}
    choice = emulation.request.tool_choice
    assert choice is not None
    assert choice.source is not None
    assert choice.source.data["tools"] == [
        named("custom", "sql"),
        named("namespace", "crm"),
        named("function", "shell"),
        named("function", "plain"),
    ]
    assert losses.losses == []


def asked_of_all(body: Json) -> None:
    """A request is read and sent to every vendor, or refused with the field at fault."""
    refusals: list[BadRequest] = []
    for vendor in adapters.names():
        try:
            dumps(encode(vendor, decode_request(body, "openai"), Ledger()))
        except BadRequest as refusal:
            refusals.append(refusal)
    assert all(refusal.param and refusal.message for refusal in refusals)


@bounded(200)
@given(data=st.data())
def test_no_spoilt_field_breaks_it(data: st.DataObject) -> None:
    asked_of_all(spoilt(data, WHOLE))


def test_every_field_of_every_kind_is_read_or_refused() -> None:
    for place in places(WHOLE):
        asked_of_all(without(WHOLE, place))
        for junk in JUNK:
            asked_of_all(replaced(WHOLE, place, junk))


@pytest.mark.parametrize("vendor", adapters.names())
def test_every_request_of_codex_is_taken(shared: Path, vendor: str) -> None:
    """They declare a namespace, and search without the live web, which is reported."""
    requests = json.loads((shared / "requests" / "codex.json").read_bytes())
    assert len(requests) == 7
    for recorded in requests:
        losses = Ledger()
        sent = encode(vendor, decode_request(recorded["body"], "openai"), losses)
        names = [tool.get("name", tool["type"]) for tool in sent["tools"]]
        assert ("multi_agent_v1__spawn_agent" in names) == (vendor != "openai")
        assert [loss.path for loss in losses.losses] == ([] if vendor == "openai" else ["tools[8].external_web_access"])
