"""Any conversation: whatever vendors answered, each is told a history in its own terms, in every dialect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st

import adapters
from adapters.hub.asking import Named, question
from adapters.hub.errors import BadRequest
from adapters.hub.losses import Ledger
from adapters.responses.tables import CLIENT_CALLS
from adapters.wire_json import Json
from tests.laws.corpus import FACES, VENDORS, surface
from tests.laws.everything import EVERYTHING
from tests.laws.json_values import same, texts
from tests.laws.replaying import (
    REPLAYED,
    ROTATING,
    TURNS,
    Answer,
    form_of,
    of_the_vendor,
    returnable,
    said_in,
)
from tests.laws.sdk import TYPES
from tests.laws.wire_types import wire_types

SHORT = [answer for answer in REPLAYED if answer.name != ROTATING and len(same(answer.body)) < 60_000]
ALL = {answer.vendor: answer for answer in SHORT if answer.name == "everything"}
assert ALL.keys() == EVERYTHING.keys()


def outputs(face: str, shown: list[Json]) -> Iterator[Json]:
    """What the client answers to the calls that it was shown, those of each turn in the other order."""
    done = {item.get("call_id") for item in shown if item["type"].endswith(("_output", "_result"))}
    for call in reversed([item for item in shown if item["type"] in CLIENT_CALLS]):
        call_id = call.get("call_id") or call["id"]
        if call_id in done:
            continue
        if face == "gemini":
            yield {"type": "function_result", "call_id": call_id, "name": call["name"], "result": call_id}
        elif call["type"] == "shell_call":
            printed = {"stdout": call_id, "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
            yield {"type": "shell_call_output", "call_id": call_id, "output": [printed]}
        else:
            yield {"type": f"{call['type']}_output", "call_id": call_id, "output": call_id}


def ids(history: list[Json]) -> tuple[list[str], list[str]]:
    """The calls of a history that the client answers, and the answers, by their call_id."""
    calls = [item.get("call_id") or item["id"] for item in history if item["type"] in CLIENT_CALLS]
    given = [item["call_id"] for item in history if item["type"] == "function_result"]
    kinds = {f"{kind}_output" for kind in CLIENT_CALLS}
    return calls, given + [item["call_id"] for item in history if item["type"] in kinds]


def missing(said: list[Json], history: list[Json]) -> list[str]:
    """What of it does not stand in the history, in order."""
    rest = iter(map(same, history))
    return [item for item in map(same, said) if item not in rest]


@st.composite
def conversations(draw: st.DrawFn) -> list[Answer]:
    said = draw(st.lists(st.sampled_from([*SHORT, *ALL.values()]), min_size=1, max_size=4, unique_by=str))
    calls = Counter(call for answer in said for call in set(ids(answer.items)[0]))
    assume(not calls or max(calls.values()) == 1)  # recordings whose ids were taken out
    return said


@given(said=conversations(), face=st.sampled_from(FACES), vendor=st.sampled_from(VENDORS))
@example(said=[ALL["openai"], ALL["gemini"]], face="gemini", vendor="gemini")
@example(said=[ALL["gemini"], ALL["ark"]], face="ark", vendor="gemini")
@settings(max_examples=120)
def test_a_history_is_in_the_vendors_own_terms(said: list[Answer], face: str, vendor: str) -> None:
    history = [TURNS[face]]
    for answer in said:
        shown = said_in(answer.told(face, "rich").body())
        history += [*shown, *outputs(face, shown), TURNS[face]]
    request = surface(face).decode_request({"model": "m", "input": history})
    try:
        body = question(surface(face), adapters.load(vendor), request, Ledger(), Named("m")).body
    except BadRequest as refusal:  # an item that the vendor cannot be told
        event(refusal.message)
        if (refusal.param or "").startswith("input["):
            return
        raise
    told, words = body["input"], set(texts(body))
    own, others = ([answer for answer in said if (answer.vendor == vendor) == mine] for mine in (True, False))

    assert not [text for text in words if text == "x_dragoman" or "gw1" in text]
    theirs = set[str]().union(*map(of_the_vendor, others)) - set[str]().union(*map(of_the_vendor, own))
    assert not [text for text in words for mark in theirs if mark in text and "REDACTED" not in mark]
    assert set(wire_types(told)) - {kind for answer in own for kind in wire_types(answer.items)} <= TYPES[vendor]
    calls, answers = ids(told)
    assert sorted(calls) == sorted(answers) == sorted(set(calls))
    for answer in own:
        form = form_of("sdk" if face != "openai" else "verbatim", answer, face)
        ways = [returnable(answer, face, private=private) for private in (True, False)]
        assert [] in [missing(form(way), form(told)) for way in ways]
